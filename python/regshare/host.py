# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python that a command runs in. This much has to be understood by old ones."""

import importlib.util
import os
import sys

# Distributions put their packages there; another Python may come first in PATH.
SYSTEM_PYTHON = "/usr/bin/python3"
VERSION = (3, 11)
PACKAGES = {
    "matplotlib": "python3-matplotlib",
    "pandas": "python3-pandas",
    "snakemake": "snakemake",
    "yaml": "python3-yaml",
}


def missing(modules):
    return [name for name in modules if not importlib.util.find_spec(name)]


def is_installed_by_pip():
    return "site-packages" in os.path.abspath(__file__).split(os.sep)


def start_again():
    """In the system's Python, if that was not done yet. That has not the package where
    pip has installed it for this one."""
    again = "REGSHARE_PYTHON_CHOSEN"
    if is_installed_by_pip():
        return
    if again not in os.environ and os.path.exists(SYSTEM_PYTHON):
        os.environ[again] = "1"
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])


def with_version(found=sys.version_info):
    """Goes on if this Python is not too old, or starts the command again in the
    system's. Ends the program if both are."""
    if found >= VERSION:
        return
    start_again()
    command, this = os.path.basename(sys.argv[0]), ".".join(map(str, found[:3]))
    wanted = ".".join(map(str, VERSION))
    sys.exit(f"{command}: this needs Python {wanted} or newer, and python3 is {this}")


def with_modules(*modules):
    """Goes on if these modules are there; where this Python has them not, starts
    the command again in the system's. Ends the program if neither has."""
    if not missing(modules):
        return
    start_again()
    command = os.path.basename(sys.argv[0])
    if is_installed_by_pip():
        sys.exit(
            f"{command}: this needs {' and '.join(missing(modules))}; "
            "pip install 'regshare[frames,sweeps]' installs them"
        )
    packages = [PACKAGES[name] for name in missing(modules)]
    sys.exit(f"{command}: this needs {' and '.join(packages)}; utils/setup installs them")
