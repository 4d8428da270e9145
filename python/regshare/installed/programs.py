# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands where the package was installed by itself, with pip: RegShare's
compiled programs are elsewhere then, on the path or in a build tree."""

import importlib
import sys

from .. import host
from ..toolchain import ToolError, find_binaries


def start(command, module):
    """Runs the command of a module with the programs that are found."""
    host.with_version()
    try:
        main = importlib.import_module(f"regshare.{module}").main
        sys.exit(main(find_binaries(), sys.argv[1:]))
    except ToolError as error:
        sys.exit(f"{command}: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def compare():
    start("regshare-compare", "compare")


def reproduce():
    start("regshare-reproduce", "reproduce")


def suite():
    start("regshare-suite", "suite_command")


def sweep():
    start("regshare-sweep", "sweep_command")


def tune():
    start("regshare-tune", "tune.command")


def validate():
    start("regshare-validate", "validate_command")
