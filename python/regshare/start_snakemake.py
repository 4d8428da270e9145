# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What workflow.py starts in place of Snakemake's own `python3 -m snakemake`: the same,
in a third of the time. Two thirds went into modules that Snakemake imports and a sweep
has no use for: smart_open, which brings the clients of two clouds and with which it opens
the Snakefile, and pandas, of which it asks only whether it is there."""

import builtins
import importlib
import sys
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
    sys.modules.pop("smart_open")
    return importlib.import_module("smart_open")


def do_without():
    sys.modules["smart_open"] = Light("smart_open")
    sys.modules["pandas"] = None


if __name__ == "__main__":
    do_without()
    from snakemake import main

    main()
