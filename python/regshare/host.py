# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python that a command runs in."""

import importlib.util
import os
import sys

# Distributions put their packages there; another Python may come first in PATH.
SYSTEM_PYTHON = "/usr/bin/python3"
PACKAGES = {
    "matplotlib": "python3-matplotlib",
    "pandas": "python3-pandas",
    "snakemake": "snakemake",
    "yaml": "python3-yaml",
}


def missing(modules):
    return [name for name in modules if not importlib.util.find_spec(name)]


def with_modules(*modules):
    """Goes on if these modules are there; where this Python has them not, starts
    the command again in the system's. Ends the program if neither has."""
    if not missing(modules):
        return
    again = "REGSHARE_PYTHON_CHOSEN"
    if again not in os.environ and os.path.exists(SYSTEM_PYTHON):
        os.environ[again] = "1"
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
    packages = [PACKAGES[name] for name in missing(modules)]
    command = os.path.basename(sys.argv[0])
    sys.exit(f"{command}: this needs {' and '.join(packages)}; utils/setup installs them")
