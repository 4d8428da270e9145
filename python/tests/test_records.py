import copy
import json
import pathlib
import tempfile
import unittest

import samples
from regshare import records


class IdentityTest(unittest.TestCase):
    def test_what_it_depends_on(self):
        base = samples.configuration("expars", given={"REGSHARE_TAU": "0.5"})
        same = dict(reversed(list(copy.deepcopy(base).items())))
        same["settings"] = {}
        same["program"]["source"] = "elsewhere/app.cu"
        self.assertEqual(records.identity(base), records.identity(same))

        def changed(*path, value):
            other = copy.deepcopy(base)
            part = other
            for key in path[:-1]:
                part = part[key]
            self.assertNotEqual(part[path[-1]], value)
            part[path[-1]] = value
            return records.identity(other)

        others = {
            records.identity(base),
            changed("regshare", value="0.2.0"),
            changed("toolchain", value="x"),
            changed("program", "sha256", value="x"),
            changed("compiler_options", value=["-O3"]),
            changed("arguments", value=["1"]),
            changed("device", "name", value="h100"),
            changed("device", "changes", value=["registers=1"]),
            changed("device", "sha256", value="x"),
            changed("scheme", value="ltrf"),
            changed("given", value={}),
        }
        self.assertEqual(len(others), 11)

    def test_names(self):
        made = samples.configuration(
            "expars", "gtx480,registers=1", {"REGSHARE_OPERAND_CACHE": "1024"}
        )
        self.assertEqual(records.label(made), "expars operand-cache=1024")
        self.assertEqual(records.device_name(made), "gtx480,registers=1")
        self.assertEqual(
            records.setting_variable("operand-cache"), "REGSHARE_OPERAND_CACHE"
        )

    def test_baseline_is_sampled_as_its_rivals_are(self):
        whole = samples.configuration()
        sampled = samples.configuration(given={"REGSHARE_SAMPLE": "3"})
        other = samples.configuration("rfv", given={"REGSHARE_SAMPLE": "3"})
        self.assertEqual(records.label(sampled), "baseline sample=3")
        self.assertEqual(records.baseline_label(other), "baseline sample=3")
        self.assertEqual(records.baseline_label(whole), "baseline")
        self.assertEqual(
            [*map(records.is_baseline, (whole, sampled, other))], [True, True, False]
        )
        self.assertNotEqual(records.identity(whole), records.identity(sampled))

    def test_names_without_parameters(self):
        for text, name in (
            ("k", "k"),
            ("k()", "k"),
            ("void scale<float>(float*, int)", "void scale<float>"),
            ("(anonymous namespace)::k(int*)", "(anonymous namespace)::k"),
            ("void n::k<(Mode)1, 2>(void (*)(int), int)", "void n::k<(Mode)1, 2>"),
            ("odd)", "odd)"),
            ("", ""),
        ):
            self.assertEqual(records.without_parameters(text), name)


class FileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "records.jsonl"

    def write(self, *made):
        with records.RecordFile(self.path) as file:
            for record in made:
                file.add(record)

    def test_what_is_added_is_read(self):
        made = [samples.record(name) for name in ("baseline", "ideal")]
        self.write(made[0])
        self.write(made[1])
        self.assertEqual(records.read(self.path), made)
        with records.RecordFile(self.path) as file:
            self.assertEqual(file.find(made[1]["id"]), made[1])
            self.assertIsNone(file.find("nothing"))

    def test_the_last_of_a_configuration_counts(self):
        failed = samples.record("ideal", outcome="failed", why="no memory")
        made = samples.record("ideal")
        self.write(failed, samples.record(), made)
        self.assertEqual(records.read(self.path), [made, samples.record()])

    def test_torn_anywhere(self):
        """Whatever part of the file reached the disk, its complete lines are
        the records, and the next one stands on a line of its own."""
        made = [samples.record(name) for name in ("baseline", "ideal", "rfv")]
        self.write(*made)
        data = self.path.read_bytes()
        ends = [n + 1 for n, byte in enumerate(data) if byte == ord("\n")]
        self.assertEqual(len(ends), 3)
        near = {end + off for end in ends for off in (-2, -1, 0, 1, 2)}
        for cut in sorted({*range(0, len(data), 37), *near}):
            if cut > len(data):
                continue
            whole = sum(end <= cut for end in ends)
            self.path.write_bytes(data[:cut])
            self.assertEqual(records.read(self.path), made[:whole])
            with records.RecordFile(self.path) as file:
                self.assertEqual(file.records, made[:whole])
                file.add(samples.record("shrf"))
            self.assertEqual(
                records.read(self.path), [*made[:whole], samples.record("shrf")]
            )

    def test_one_process_at_a_time(self):
        with records.RecordFile(self.path):
            with self.assertRaisesRegex(records.RecordError, "in use by another run"):
                records.RecordFile(self.path)
        records.RecordFile(self.path).close()

    def test_nests_without_end(self):
        with self.assertRaisesRegex(records.RecordError, "^f:1: this line is not JSON"):
            list(records.parse(["[" * 100000], "f"))

    def test_what_is_no_record(self):
        self.write(samples.record())
        good = self.path.read_text()
        self.path.write_text(good + "not JSON\n" + good)
        with self.assertRaisesRegex(records.RecordError, r"jsonl:2: this line is not JSON"):
            records.read(self.path)
        other = json.loads(good)
        other["total"]["cycles"] = -1
        self.path.write_text(good + json.dumps(other) + "\n")
        with self.assertRaisesRegex(
            records.RecordError, r"jsonl:2: record.total.cycles: -1 is less than 0"
        ):
            records.RecordFile(self.path)
        with self.assertRaisesRegex(records.RecordError, "cannot read"):
            records.read(self.path.parent / "missing")
        with self.assertRaisesRegex(records.RecordError, "cannot write"):
            records.RecordFile(self.path.parent / "missing" / "file")


if __name__ == "__main__":
    unittest.main()
