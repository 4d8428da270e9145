# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What runs in the Snakemake that workflow.py starts.

As a program it is Snakemake, in a third of the time of `python3 -m snakemake`. Two thirds
went into modules that Snakemake imports and a sweep has no use for: smart_open, which
brings the clients of two clouds and with which it opens the Snakefile, and pandas, of
which it asks only whether it is there.

Snakemake loads it as well, as its handler of messages: it adds the outputs of jobs that
fail to log/failed.

Either way Snakemake ends with its jobs where the command that has started it is no more."""

import builtins
import importlib
import os
import pathlib
import signal
import sys
import threading
import types


class Light(types.ModuleType):
    """smart_open for files; of what lies elsewhere the real one is asked."""

    def open(self, path, *words, **named):
        if is_elsewhere(path):
            return real().open(path, *words, **named)
        return builtins.open(path, *words, **named)

    def parse_uri(self, path):
        if is_elsewhere(path):
            return real().parse_uri(path)
        return types.SimpleNamespace(scheme="file", uri_path=str(path))


def is_elsewhere(path):
    return "://" in str(path)


def real():
    sys.modules.pop("smart_open", None)
    return importlib.import_module("smart_open")


def do_without():
    sys.modules["smart_open"] = Light("smart_open")
    sys.modules["pandas"] = None


def tell_failed(output):
    with open(pathlib.Path("log", "failed"), "a", encoding="utf-8") as file:
        file.write(f"{output}\n")


def log_handler(msg):
    if msg["level"] == "job_error":
        tell_failed(msg["output"][0])


def end_with_parent(descriptor):
    # Nothing is ever written there: this returns when the other end is closed.
    os.read(descriptor, 1)
    os.killpg(0, signal.SIGKILL)


if "REGSHARE_PARENT" in os.environ:
    threading.Thread(
        target=end_with_parent, args=[int(os.environ.pop("REGSHARE_PARENT"))], daemon=True
    ).start()

if __name__ == "__main__":
    do_without()
    from snakemake import main

    main()
