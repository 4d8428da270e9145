# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `import regshare` offers."""

import os
import pathlib
import re
import tempfile
import unittest
from unittest import mock

import regshare
from regshare import toolchain
from regshare.notebook import Program
from regshare.toolchain import ToolError

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Tools:
    """Of a toolchain, what settings are looked up in."""

    def schemes(self):
        return {"baseline": "", "regmutex": ""}

    def declared(self):
        es = {"name": "es", "kind": "number", "least": 0, "most": 64}
        return {"REGSHARE_ES": es | {"expected": "a number from 0 to 64", "schemes": ["regmutex"]}}

    def program_variables(self):
        return ["REGSHARE_OPERAND_CACHE"]


class Offered(unittest.TestCase):
    def test_version_is_the_headers(self):
        header = (ROOT / "include/regshare/Base/Version.h").read_text(encoding="utf-8")
        (version,) = re.findall(r'#define REGSHARE_VERSION "(.*)"', header)
        self.assertEqual(regshare.__version__, version)

    def test_all_that_is_offered_is_there(self):
        for name in set(regshare.__all__) - {"figures"}:
            self.assertTrue(getattr(regshare, name), name)

    def test_what_is_not_offered(self):
        with self.assertRaisesRegex(AttributeError, "no attribute 'compile'"):
            regshare.compile  # pylint: disable=pointless-statement


class Given(unittest.TestCase):
    def setUp(self):
        self.program = Program.__new__(Program)
        self.program.tools = Tools()

    def test_values_are_variables(self):
        self.assertEqual(self.program.given("regmutex", {"es": 6}), {"REGSHARE_ES": "6"})
        self.assertEqual(self.program.given("regmutex", {"es": True}), {"REGSHARE_ES": "1"})

    def test_underscores_are_dashes(self):
        found = self.program.given("baseline", {"operand_cache": 1024})
        self.assertEqual(found, {"REGSHARE_OPERAND_CACHE": "1024"})

    def test_out_of_range(self):
        with self.assertRaisesRegex(ToolError, "'es': expected a number from 0 to 64, got '65'"):
            self.program.given("regmutex", {"es": 65})

    def test_no_such_scheme(self):
        with self.assertRaisesRegex(ToolError, "unknown scheme 'regmutx'.*'regmutex'"):
            self.program.given("regmutx", {})


class Binaries(unittest.TestCase):
    def test_beside_a_command_comes_first(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "regshare-opt").touch()
            command = str(pathlib.Path(folder, "regshare-compare"))
            found = toolchain.find_binaries(command)
            self.assertEqual(found, pathlib.Path(folder).resolve())

    def test_then_the_path(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "regshare-opt").touch(mode=0o755)
            with mock.patch.dict(os.environ, PATH=folder):
                self.assertEqual(toolchain.find_binaries(), pathlib.Path(folder).resolve())

    def test_data_of_an_installation_and_of_a_build_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            binaries = pathlib.Path(folder, "build/bin")
            found = toolchain.data_folder_of(binaries, "kernels")
            self.assertEqual(found, pathlib.Path(folder, "kernels"))
            installed = pathlib.Path(folder, "build/share/regshare/kernels")
            installed.mkdir(parents=True)
            self.assertEqual(toolchain.data_folder_of(binaries, "kernels"), installed)


if __name__ == "__main__":
    unittest.main()
