"""Needs pandas."""

import json
import pathlib
import tempfile
import unittest

import samples
from regshare import records, sweep
from regshare.toolchain import ToolError, file_hash


class Tools:
    def __init__(self, folder):
        self.file, self.build = folder / "dev.yaml", "new"

    def load(self, paths, _named_by):
        assert not paths

    def devices(self):
        return {"dev": True}

    def schemes(self):
        return {"baseline": "", "ideal": ""}

    def device_file(self, _):
        return self.file

    def fingerprint(self):
        return self.build


class LoadTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("records", "programs"):
            (self.folder / name).mkdir()
        (self.folder / "dev.yaml").write_text("sms: {value: 1}\n")
        (self.folder / "app.cu").write_text("")
        self.program = self.folder / "programs" / ("app-" + 16 * "0")
        self.program.write_text("first")
        sheet = {
            "programs": {"source": "app.cu"},
            "devices": "dev",
            "runs": {"scheme": ["baseline", "ideal"]},
        }
        self.tools = Tools(self.folder)
        self.plan = sweep.expand(self.folder / "s.yaml", sheet, self.tools)
        self.lines = []

    def made(self, scheme, cycles):
        """A run as all is now."""
        each = samples.record(scheme, [samples.launch(cycles=cycles)], device="dev")
        configuration = each["configuration"]
        configuration["toolchain"] = self.tools.build
        configuration["device"]["sha256"] = file_hash(self.tools.file)
        configuration["program"]["sha256"] = file_hash(self.program)
        each["id"] = records.identity(configuration)
        self.lines.append(json.dumps(each) + "\n")
        sweep.record_file(self.folder, "app", "dev").write_text("".join(self.lines))

    def cycles(self):
        return list(sweep.load(self.plan, self.folder, totals=True)["cycles"])

    def changed(self, change, back, what):
        """All is run, then something changes, then it is as before."""
        self.lines.clear()
        self.made("baseline", 100)
        self.made("ideal", 90)
        self.assertEqual(self.cycles(), [100, 90])
        change()
        self.made("baseline", 200)
        with self.assertRaisesRegex(ToolError, f"records: {what} has changed, and some"):
            self.cycles()
        self.made("ideal", 190)
        self.assertEqual(self.cycles(), [200, 190])
        back()
        self.assertEqual(self.cycles(), [100, 90])

    def test_builds(self):
        self.changed(
            lambda: setattr(self.tools, "build", "other"),
            lambda: setattr(self.tools, "build", "new"),
            "RegShare",
        )

    def test_programs(self):
        self.changed(
            lambda: self.program.write_text("second"),
            lambda: self.program.write_text("first"),
            "the program app",
        )

    def test_devices(self):
        self.changed(
            lambda: self.tools.file.write_text("sms: {value: 2}\n"),
            lambda: self.tools.file.write_text("sms: {value: 1}\n"),
            "the device dev",
        )

    def test_elsewhere(self):
        self.made("baseline", 100)
        self.made("ideal", 90)
        self.program.unlink()
        self.tools.file.unlink()
        self.tools.build = "third"
        self.assertEqual(self.cycles(), [100, 90])


if __name__ == "__main__":
    unittest.main()
