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


def open_local(path, *words, **named):
    """smart_open's for files; for what lies elsewhere the real one is imported."""
    if "://" not in str(path):
        return builtins.open(path, *words, **named)
    del sys.modules["smart_open"]
    return importlib.import_module("smart_open").open(path, *words, **named)


def do_without():
    light = types.ModuleType("smart_open")
    light.open = open_local
    sys.modules["smart_open"] = light
    sys.modules["pandas"] = None


if __name__ == "__main__":
    do_without()
    from snakemake import main

    main()
