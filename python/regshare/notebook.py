# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of a CUDA program from Python, without files that have to be looked after."""

import pathlib
import tempfile

from . import records, runs, settings
from .toolchain import Toolchain, ToolError, find_binaries, scheme_named


class Program:
    """A CUDA program: a source, which is compiled when it is first run, or what
    regshare-clang++ made of one. `options`: of regshare-clang++; `binaries`: the
    folder of RegShare's programs, if they are not those on the path."""

    def __init__(self, path, options=("-O2",), binaries=None):
        self.path = pathlib.Path(path)
        self.options = list(options)
        self.tools = Toolchain(binaries or find_binaries())
        self.source = None if runs.is_program(self.path) else self.path
        self.folder = None
        self.looks = {}

    def executable(self):
        """The compiled program's path."""
        if not self.source:
            return self.path
        if not self.folder:
            folder = tempfile.TemporaryDirectory(prefix="regshare-")
            self.tools.compile(self.path, self.options, self.made_in(folder))
            self.folder = folder
        return self.made_in(self.folder)

    def made_in(self, folder):
        return pathlib.Path(folder.name, self.path.stem)

    def given(self, scheme, values):
        """A run's settings as variables. Raises ToolError for a scheme or a setting that
        there is not, and for a value out of range."""
        scheme_named(self.tools, scheme)
        found = {}
        for word, value in values.items():
            variable = records.setting_variable(word.replace("_", "-"))
            text = str(int(value)) if isinstance(value, bool) else str(value)
            found[variable] = settings.checked(self.tools, variable, text)
        return dict(sorted(found.items()))

    def look(self, runner, device, arguments):
        """What has to be known of it on a device before it is timed there."""
        key = device, *arguments
        if key not in self.looks:
            self.looks[key] = runs.look_at(
                runner, self.tools, device, self.source, self.options, {}
            )
        return self.looks[key]

    def run(
        self, *arguments, device="gtx480", scheme="baseline", threads=1, timeout=None, **values
    ):
        """Runs it and returns the record of that (docs/records.md). `values`: settings,
        as in `es=6`; `timeout` in seconds. A run that is refused or fails is a record
        that says why. Raises ToolError for what cannot be run at all."""
        arguments = [str(each) for each in arguments]
        executable = self.executable()
        given = self.given(scheme, values)
        configuration = runs.program_configuration(
            self.tools, executable, self.source, self.options, arguments
        ) | {
            "device": runs.device_configuration(self.tools, device),
            "scheme": scheme_named(self.tools, scheme),
            "given": given,
        }
        prefix = self.tools.run_prefix
        runner = runs.Runner(executable, arguments, prefix, timeout)
        look = self.look(runner, device, arguments)
        return runs.run_one(runner, configuration, look, threads)


def run(path, *arguments, **named):
    """Compiles and runs a program once: Program(path).run(...)."""
    return Program(path).run(*arguments, **named)
