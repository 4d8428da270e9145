import contextlib
import io
import os
import pathlib
import random
import string
import tempfile
import unittest
from unittest import mock

from regshare import settings, sweep
from regshare.toolchain import ToolError

try:
    import yaml
except ImportError:
    yaml = None

DEVICE = """\
name: dev
sms: {value: 15, source: s}
registers: {value: 32768, source: s}
shared_memory: {value: 49152, source: s}
timing:
  core:
    schedulers: {value: 2, source: s}
    scheduler: {value: gto, source: s}
  dram:
    channels: {value: 6, source: s}
    rate: {value: 1.5, source: s}
  l2:
    channels: {value: 12, source: s}
"""
SCHEMES = ("baseline", "ltrf", "expars")
ANY = {"REGSHARE_A": "a", "REGSHARE_B": "b", "REGSHARE_C": "c"}  # Variables of the runtime alone.


class Tools:
    """What sweeps ask of a toolchain."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.loaded = []

    def load(self, schemes, _named_by):
        for path in schemes:
            if not pathlib.Path(path).is_file():
                raise ToolError(f"cannot read the library '{path}'")
        self.loaded = [*self.loaded, *schemes]

    def devices(self):
        return {"gtx480": True, "dev": True, "other": True, "untimed": False}

    def schemes(self):
        known = [*SCHEMES, *(pathlib.Path(path).stem for path in self.loaded)]
        return {name: "" for name in known}

    def declared(self):
        return {
            "REGSHARE_TAU": {
                "name": "tau", "kind": "share", "least": 0, "most": 1000,
                "expected": "a number from 0 to 1", "schemes": ["expars"],
            },
            "REGSHARE_OPERAND_CACHE": {
                "name": "operand-cache", "kind": "choice", "expected": "one of 1024, 4096",
                "choices": [{"name": "1024"}, {"name": "4096"}], "schemes": ["expars"],
            },
            "REGSHARE_FAST": {
                "name": "fast", "kind": "flag", "expected": "0 or 1",
                "schemes": ["ltrf", "expars"],
            },
            "REGSHARE_ES": {
                "name": "es", "kind": "number", "least": 0, "most": 255,
                "expected": "a number from 0 to 255", "schemes": ["ltrf"],
            },
        }  # fmt: skip

    def own_variables(self):
        return ["REGSHARE_LOAD", *self.program_variables()]

    def program_variables(self):
        return ["REGSHARE_DEVICE", "REGSHARE_SCHEME", "REGSHARE_TIMING", *ANY]

    def device_file(self, name):
        return pathlib.Path(name) if name.endswith(".yaml") else self.folder / "dev.yaml"


class SweepTest(unittest.TestCase):
    def setUp(self):
        if not yaml:
            self.skipTest("needs python3-yaml")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "dev.yaml").write_text(DEVICE)
        for name in ("app.cu", "it's other.cu"):
            (self.folder / name).write_text("")
        self.tools = Tools(self.folder)
        self.path = self.folder / "sweep.yaml"

    def expand(self, **sheet):
        return sweep.expand(self.path, {"programs": [{"source": "app.cu"}]} | sheet, self.tools)

    def read(self, text):
        self.path.write_text(text)
        return sweep.read(self.path, self.tools)

    def fails(self, wanted, **sheet):
        with self.assertRaises(ToolError) as caught:
            self.expand(**({"runs": [{"scheme": "ltrf"}]} | sheet))
        self.assertEqual(str(caught.exception), f"{self.path}: {wanted}")

    def fails_text(self, wanted, text):
        with self.assertRaises(ToolError) as caught:
            self.read(text)
        self.assertRegex(str(caught.exception), f"^{self.path}{wanted}")


class LoadTest(SweepTest):
    def test_runs_name_what_is_loaded(self):
        (self.folder / "own.so").write_text("")
        (self.folder / "more").mkdir()
        (self.folder / "more/two.so").write_text("")
        # From where the file is, whoever starts the sweep where.
        for load in ("own.so", ["own.so", "more/two.so"]):
            self.tools.loaded = []
            plan = self.expand(load=load, runs=[{"scheme": ["ltrf", "own"]}])
            self.assertEqual([p.scheme for p in plan.points], ["ltrf", "own"])
        self.assertEqual(
            self.tools.loaded, [str(self.folder / "own.so"), str(self.folder / "more/two.so")]
        )

    def test_what_is_none_is_told(self):
        self.fails(f"cannot read the library '{self.folder}/none.so'", load="none.so")
        self.fails("'load': 3 is no path of a library of schemes", load=3)
        self.fails("'load': null is no path of a library of schemes", load=[None])


def summary(plan):
    return [(*p.key(), p.run, p.at) for p in plan.points]


class ExpansionTest(SweepTest):
    def test_against_loops(self):
        text = """
        programs:
          - {source: app.cu, arguments: 3 'a b'}
          - {source: "it's other.cu", name: two}
        devices: [dev, "other,registers=1024"]
        runs:
          - scheme: [baseline, ltrf]
          - name: tuned
            scheme: expars
            settings: {tau: [0.5, 0.8], operand-cache: 1024, fast: true}
            device: {timing.dram.channels: [3, x0.5], registers: [x2]}
        """
        wanted = []
        for program, arguments in (("app", ("3", "a b")), ("two", ())):
            for base, registers in (("dev", 65536), ("other,registers=1024", 2048)):
                for scheme in ("baseline", "ltrf"):
                    wanted.append((program, arguments, base, scheme, (), scheme, ()))
                for tau in (0.5, 0.8):
                    for channels in (3, "x0.5"):
                        device = f"{base},timing.dram.channels=3,registers={registers}"
                        given = (
                            ("REGSHARE_FAST", "1"),
                            ("REGSHARE_OPERAND_CACHE", "1024"),
                            ("REGSHARE_TAU", str(tau)),
                        )
                        at = (("tau", tau), ("timing.dram.channels", channels))
                        at += (("registers", "x2"),)
                        wanted.append(
                            (program, arguments, device, "expars", given, "tuned", at)
                        )
        self.assertEqual(summary(self.read(text)), wanted)

    def test_random_products(self):
        chance = random.Random(1)
        for _ in range(50):
            devices = chance.sample(["dev", "other"], chance.randint(1, 2))
            part = chance.choice([1, 2, 3, 8, 40])
            runs, wanted = [], []
            for number in range(chance.randint(1, 3)):
                schemes = chance.sample(SCHEMES, chance.randint(1, 3))
                settings = {
                    key: chance.sample(range(9), chance.randint(1, 3))
                    for key in chance.sample(list(ANY.values()), chance.randint(0, 3))
                }
                runs.append({"name": f"r{number}", "scheme": schemes, "settings": settings})
            changes = "" if part == 1 else (
                f",sms={max(1, 15 // part)},timing.dram.channels={max(1, 6 // part)}"
            )
            for device in devices:
                for run in runs:
                    for scheme in run["scheme"]:
                        each = [()]
                        for key, values in run["settings"].items():
                            each = [(*e, (key, v)) for e in each for v in values]
                        for at in each:
                            given = tuple(sorted((f"REGSHARE_{k.upper()}", str(v)) for k, v in at))
                            wanted.append(
                                ("app", (), device + changes, scheme, given, run["name"], at)
                            )
            plan = self.expand(devices=devices, part=part, runs=runs)
            self.assertEqual(summary(plan), wanted)
            by_batch = [point for points in plan.batches().values() for point in points]
            self.assertCountEqual(by_batch, plan.points)

    def test_the_same_run_is_there_once(self):
        plan = self.expand(runs=[{"scheme": ["ltrf", "ltrf"]}, {"scheme": "ltrf"}])
        self.assertEqual(len(plan.points), 1)

    def test_a_value_has_one_form(self):
        wanted = [("REGSHARE_TAU", "0.5")]
        for taus in ([0.5, "0.50", "0.500", ".5"], "0.50", ["0.5", 0.5]):
            plan = self.expand(runs=[{"scheme": "expars", "settings": {"tau": taus}}])
            self.assertEqual([list(point.given) for point in plan.points], [wanted])
        plan = self.expand(runs=[{"scheme": "ltrf", "settings": {"es": ["08", 8, "-0"]}}])
        given = [value for point in plan.points for _, value in point.given]
        self.assertEqual(given, ["8", "0"])

    def test_defaults(self):
        plan = sweep.expand(self.path, {"runs": {"scheme": "ltrf"}, "devices": "dev"}, self.tools)
        names = [point.program.name for point in plan.points]
        self.assertEqual(names, list(sweep.suite_inputs()))
        self.assertEqual((plan.options, plan.timeout), (["-O2"], None))
        self.assertTrue(all(not point.program.arguments for point in plan.points))

    def test_inputs_of_the_suite(self):
        known = sweep.suite_inputs()
        for inputs in ("chip", "eighth"):
            plan = self.expand(
                programs="all", inputs=inputs, devices="dev", runs=[{"scheme": "ltrf"}]
            )
            for point in plan.points:
                arguments = tuple(known[point.program.name][inputs].split())
                self.assertEqual(point.program.arguments, arguments)
                self.assertTrue(point.program.source.is_file())

    def test_a_file_of_a_device(self):
        """From any folder it is the one beside the sweep."""
        plan = self.expand(devices=["dev.yaml,sms=3"], runs=[{"scheme": "ltrf"}])
        [point] = plan.points
        self.assertEqual(point.device, f"{self.folder}/dev.yaml,sms=3")
        self.assertEqual(point.base, "dev.yaml,sms=3")


class DeviceTest(SweepTest):
    def test_figures(self):
        devices = sweep.Devices(self.path, self.tools)
        changes = {
            ("sms", 3): "sms=3",
            ("sms", "x2"): "sms=30",
            ("sms", "x0.5"): "sms=7",
            ("sms", "x0.001"): "sms=1",
            # The end of a path is enough where it is the only one.
            ("dram.channels", "x0.5"): "timing.dram.channels=3",
            ("schedulers", 4): "timing.core.schedulers=4",
            ("scheduler", "lrr"): "timing.core.scheduler=lrr",
            ("regfile.design", 7): "regfile.design=7",
        }
        for (key, value), change in changes.items():
            self.assertEqual(devices.changed("dev", key, value), f"dev,{change}")
        self.assertEqual(devices.changed("dev,sms=8", "sms", "x2"), "dev,sms=8,sms=16")

    def test_parts(self):
        devices = sweep.Devices(self.path, self.tools)
        for part, sms, channels in ((3, 5, 2), (4, 3, 1), (100, 1, 1)):
            device = devices.part("dev", part)
            self.assertEqual(device, f"dev,sms={sms},timing.dram.channels={channels}")
        self.assertEqual(devices.part("dev", 1), "dev")
        self.assertEqual(
            devices.part("dev,sms=8", 2), "dev,sms=8,sms=4,timing.dram.channels=3"
        )

    def test_wrong(self):
        def changed(**figures):
            return {"runs": [{"scheme": "ltrf", "device": figures}], "devices": ["dev"]}

        self.fails("device 'dev' has no figure 'foo'", **changed(foo="x2"))
        self.fails("device 'dev' has no figure 'foo'", **changed(foo=2))
        self.fails("device 'dev' has no figure 'foo'", devices=["dev,foo=1"])
        self.fails(
            "device 'dev' has several figures 'channels': timing.dram.channels, "
            "timing.l2.channels",
            **changed(channels="x2"),
        )
        self.fails(
            "figure 'timing.core.scheduler' of device 'dev' is no whole number",
            **changed(scheduler="x2"),
        )
        self.fails(
            "figure 'timing.dram.rate' of device 'dev' is no whole number",
            **changed(rate="x2"),
        )
        self.fails("'device' of a run, 'sms': '1,2' cannot be a figure", **changed(sms="1,2"))
        self.fails("'device' of a run, 'sms' is no number and no text", **changed(sms=[[1]]))
        self.fails("device 'dev,sms': 'sms' is not 'figure=value'", devices=["dev,sms"])
        self.fails("device 'dev,sms=1=2': 'sms=1=2' is not 'figure=value'", devices=["dev,sms=1=2"])
        there = "there are: gtx480, dev, other, untimed"
        self.fails(f"unknown device 'gtx'; {there}", devices=["gtx"])
        self.fails(f"unknown device '3'; {there}", devices=[3])
        self.fails("device 'untimed' has no figures for timing", devices=["untimed"])
        self.fails(f"cannot read the device '{self.folder}/no.yaml'", devices=["no.yaml"])
        (self.folder / "odd.yaml").write_text("[]")
        with self.assertRaisesRegex(ToolError, "odd.yaml: a device is a mapping"):
            self.expand(devices=["odd.yaml,sms=3"], runs=[{"scheme": "ltrf"}])


class ErrorTest(SweepTest):
    def test_keys(self):
        self.fails(
            "a sweep has no key 'device'; there are: compile-options, devices, inputs, load, "
            "part, programs, runs, timeout",
            device="dev",
        )
        self.fails(
            "a program has no key 'file'; there are: arguments, inputs, lenient, name, source",
            programs=[{"file": "a.cu"}],
        )
        self.fails(
            "a run has no key 'system'; there are: device, name, scheme, settings",
            runs=[{"system": "ltrf"}],
        )

    def test_programs(self):
        known = ", ".join(sweep.suite_inputs())
        self.fails(f"unknown program 'hotpot'; there are: {known}", programs=["hotpot"])
        self.fails("a program is no mapping of keys to values", programs=[3])
        self.fails(
            "a program needs 'source', the path of its source or executable",
            programs=[{"name": "a"}],
        )
        self.fails(f"cannot read '{self.folder}/no.cu'", programs=[{"source": "no.cu"}])
        self.fails(
            "'source' of a program is no number and no text", programs=[{"source": ["a"]}]
        )
        twice = [{"source": "app.cu"}, {"source": "app.cu", "arguments": 3}]
        self.fails("2 programs are 'app'; give each a 'name' of its own", programs=twice)
        for name in ("it's other", "../x", "-x", ".x"):
            self.fails(
                f"'{name}' cannot be a program's name: letters, digits, _ . + -",
                programs=[{"source": "app.cu", "name": name}],
            )
        self.fails(
            "'arguments' of the program 'app': no closing quotation",
            programs=[{"source": "app.cu", "arguments": "'"}],
        )
        self.fails("unknown inputs 'big'; there are: own, chip, eighth", inputs="big")
        self.fails("no runs: 'programs' or 'devices' is empty", programs=[], devices=["dev"])
        self.fails("no runs: 'programs' or 'devices' is empty", devices=[])

    def test_runs(self):
        self.fails("a sweep needs 'runs'", runs=[])
        self.fails("a sweep needs 'runs'", runs=None)
        self.fails("a run is no mapping of keys to values", runs=["ltrf"])
        self.fails("a run needs 'scheme'", runs=[{"name": "a"}])
        there = "there are: baseline, ltrf, expars"
        self.fails(f"unknown scheme 'ltfr' (did you mean 'ltrf'?); {there}", runs=[{"scheme": "ltfr"}])
        self.fails(f"unknown scheme '['ltrf']' (did you mean 'ltrf'?); {there}", runs=[{"scheme": [["ltrf"]]}])
        for name in ("settings", "device"):
            self.fails(
                f"'{name}' of a run is no mapping of keys to values",
                runs=[{"scheme": "ltrf", name: ["tau"]}],
            )
            self.fails(
                f"'{name}' of a run has an empty list: it would run nothing",
                runs=[{"scheme": "ltrf", name: {"sms": []}}],
            )
        self.fails(
            "'scheme' of a run has an empty list: it would run nothing",
            runs=[{"scheme": []}],
        )
        for wrong in ({"a": 1}, None, [[1]]):
            self.fails(
                "'settings' of a run, 'tau' is no number and no text", devices=["dev"],
                runs=[{"scheme": "ltrf", "settings": {"tau": wrong}}],
            )
        self.fails(
            "'settings' of a run, 'tau' has a character that cannot be printed",
            devices=["dev"], runs=[{"scheme": "ltrf", "settings": {"tau": "a\0"}}],
        )
        self.fails(
            "'settings' of a run, 'a b': no name of a setting", devices=["dev"],
            runs=[{"scheme": "ltrf", "settings": {"a b": 1}}],
        )
        self.fails(
            "'settings' of a run has a setting twice: TAU, tau", devices=["dev"],
            runs=[{"scheme": "ltrf", "settings": {"TAU": 1, "tau": [1, 2]}}],
        )

    def test_values(self):
        for wrong in (0, -1, 1.5, True, "2", None):
            self.fails(f"'part: {wrong}' is no whole number above 0", part=wrong)
        for wrong in (0, -1, True, "2", [1], float("inf"), float("nan")):
            self.fails(f"'timeout: {wrong}' is no number of seconds", timeout=wrong)
        self.assertEqual(
            self.expand(timeout=1.5, devices=["dev"], runs=[{"scheme": "ltrf"}]).timeout, 1.5
        )
        self.fails("'compile-options' is no number and no text", **{"compile-options": None})

    def test_values_of_settings(self):
        def fails(why, name, value, scheme="expars"):
            run = {"scheme": scheme, "settings": {name: value}}
            self.fails(why, runs=[run])

        for value in (2, -0.1, 0.1234, "half", "", ".", "0.5 ", True, "1e-1"):
            if value is not True:
                fails(f"setting 'tau': expected a number from 0 to 1, got '{value}'", "tau", value)
        for value in (3000, "4K", ""):
            fails(
                f"setting 'operand-cache': expected one of 1024, 4096, got '{value}'",
                "operand-cache", value,
            )  # fmt: skip
        for value in (2, "yes", -1, "1.0"):
            fails(f"setting 'fast': expected 0 or 1, got '{value}'", "fast", value)
        for value in (256, -1, 1.0, "9" * 30, "+1", " 1", "\u0661"):
            fails(f"setting 'es': expected a number from 0 to 255, got '{value}'", "es", value)

    def test_names_of_settings(self):
        def fails(why, name):
            there = "schemes have: es, fast, operand-cache, tau"
            self.fails(f"{why}; {there}", runs=[{"scheme": "ltrf", "settings": {name: 0}}])

        for name in ("timing", "scheme", "DEVICE"):
            fails(f"'{name.lower()}' is nothing to be set: each run has its own", name)
        for name in ("schmee", "timming", "load"):
            fails(f"there is no setting '{name}'", name)
        fails("there is no setting 'tua' (did you mean 'tau'?)", "tua")

    def test_doubts(self):
        said = list(settings.doubts(self.tools, "expars", {"REGSHARE_TAU": "1"}))
        self.assertEqual(said, [])
        given = {"REGSHARE_TAU": "1", "REGSHARE_FAST": "1", "REGSHARE_CYCLE_LIMIT": "9"}
        self.assertEqual(
            list(settings.doubts(self.tools, "baseline", given)),
            [
                "'tau' is a setting of scheme expars; it changes nothing under baseline",
                "'fast' is a setting of schemes ltrf, expars; it changes nothing under baseline",
            ],
        )
        environment = {
            "REGSHARE_LOAD": "a.so", "REGSHARE_TIMMING": "0", "REGSHARE_ES": "4",
            "REGSHARE_SCHEME": "ltrf", "REGSHARE_QQQQQQQ": "1", "REGSHARE_SCHMEE": "",
            "REGSHARES": "1", "REGSHARE_TIMING": "0",
        }  # fmt: skip
        self.assertEqual(
            list(settings.doubts_about_environment(self.tools, environment)),
            [
                "REGSHARE_ES does not reach the runs; 'es' is to follow a scheme's name",
                "REGSHARE_QQQQQQQ is no variable of RegShare",
                "REGSHARE_SCHEME does not reach the runs, which have what is asked for here",
                "REGSHARE_TIMING does not reach the runs, which have what is asked for here",
                "REGSHARE_TIMMING is no variable of RegShare (did you mean 'REGSHARE_TIMING'?)",
            ],
        )

    def test_doubts_are_told_once(self):
        given = [("baseline", {"REGSHARE_TAU": "1"}), ("baseline", {"REGSHARE_TAU": "0.5"})]
        said = io.StringIO()
        only = mock.patch.dict(os.environ, {"REGSHARE_ES": "4"}, clear=True)
        with only, contextlib.redirect_stderr(said):
            settings.tell_doubts("a-command", self.tools, given)
        self.assertEqual(
            said.getvalue(),
            "a-command: warning: REGSHARE_ES does not reach the runs; 'es' is to follow a "
            "scheme's name\n"
            "a-command: warning: 'tau' is a setting of scheme expars; it changes nothing "
            "under baseline\n",
        )

    def test_numbers_that_people_do_not_mean(self):
        run = "runs: {{scheme: ltrf, settings: {{es: {}}}}}\n"
        for text, value in (("010", 8), ("1:30", 90), ("-017", -15), ("0_7", 7)):
            why = f"YAML reads {text} as {value}; write {value}, or the text in quotes"
            self.fails_text(f":1: {why}", run.format(text))
        for text, value in (("0", "0"), ("10", "10"), ("0x1f", "31"), ("'010'", "10")):
            plan = self.read("programs: {source: app.cu}\n" + run.format(text))
            self.assertEqual(plan.points[0].given, (("REGSHARE_ES", value),))

    def test_files(self):
        self.fails_text(": a sweep is no mapping of keys to values", "- a\n")
        self.fails_text(": a sweep is no mapping of keys to values", "")
        self.fails_text(":3: could not find expected ':'", "a: 1\nb\nc: 2\n")
        self.fails_text(":3: the key 'part' is there twice", "part: 2\nruns: []\npart: 3\n")
        self.fails_text(":2: but found another document", "a: 1\n---\nb: 2\n")
        self.fails_text(": month must be in 1..12", "a: 2001-99-01\n")
        self.fails_text(":1: could not determine a constructor", "a: !!python/object:x {}\n")
        self.fails_text(": maximum recursion depth", "[" * 5000)
        self.path.write_bytes(b"\xff\xfe\xff")
        with self.assertRaisesRegex(ToolError, "not UTF-8 text"):
            sweep.read(self.path, self.tools)
        for path in (self.folder / "none.yaml", self.folder):
            with self.assertRaisesRegex(ToolError, "cannot read"):
                sweep.read(path, self.tools)


class FuzzTest(SweepTest):
    """Whatever a file has, there is a sweep, or a message."""

    def setUp(self):
        super().setUp()
        self.chance = random.Random(int(os.environ.get("REGSHARE_FUZZ_SEED", 7)))

    def scalar(self):
        word = "".join(self.chance.choices(string.printable + "é\0\ud800", k=3))
        return self.chance.choice(
            [None, True, 0, 3, -1, 10**30, 1.5, float("nan"), float("inf"), "", "x2", "x0.5",
             "all", "own", "dev", "dev,sms=3", "dev,sms=x", "dev.yaml", "app.cu", "ltrf",
             "baseline", "/", "..", "'", "a,b", "sms", "timing", word]
        )  # fmt: skip

    def value(self, depth=0):
        kind = self.chance.random()
        if depth > 3 or kind < 0.5:
            return self.scalar()
        count = self.chance.randint(0, 3)
        if kind < 0.75:
            return [self.value(depth + 1) for _ in range(count)]
        known = [*sweep.KEYS, *sweep.PROGRAM_KEYS, *sweep.RUN_KEYS, "sms", "tau", 3, None]
        return {self.chance.choice(known): self.value(depth + 1) for _ in range(count)}

    def changed(self, value):
        """With one part replaced by anything."""
        if self.chance.random() < 0.3 or not value:
            return self.value()
        if isinstance(value, dict):
            key = self.chance.choice(list(value))
            return value | {key: self.changed(value[key])}
        if isinstance(value, list):
            at = self.chance.randrange(len(value))
            return [*value[:at], self.changed(value[at]), *value[at + 1 :]]
        return self.value()

    def attempt(self, sheet):
        try:
            plan = sweep.expand(self.path, sheet, self.tools)
        except ToolError as error:
            self.assertTrue(str(error))
            return 0
        for name, device in plan.batches():
            self.assertNotIn("/", str(sweep.record_file("", name, device))[len("records/") :])
        for point in plan.points:
            for _, value in point.given:
                self.assertTrue(value.isprintable())
        return 1

    def test_sheets(self):
        good = {
            "programs": [{"source": "app.cu", "arguments": "1", "name": "a"}],
            "inputs": "own", "part": 2, "compile-options": "-O1",
            "devices": ["dev"], "timeout": 3,
            "runs": [{"name": "n", "scheme": ["ltrf"], "settings": {"tau": [1, 0]},
                      "device": {"sms": ["x2"]}}],
        }  # fmt: skip
        count = int(os.environ.get("REGSHARE_FUZZ_ITERATIONS", 800))
        passed = sum(self.attempt(self.changed(good)) for _ in range(count))
        # Both ends are reached.
        self.assertGreater(passed, count // 50)
        self.assertLess(passed, count)

    def test_text(self):
        good = "programs: [{source: app.cu}]\ndevices: dev\nruns:\n- {scheme: ltrf}\n"
        letters = "{}[]:,-&*!|>'\"%@`#?\n \tab<0"
        for _ in range(200):
            text = list(good)
            for _ in range(self.chance.randint(1, 4)):
                text[self.chance.randrange(len(text))] = self.chance.choice(letters)
            try:
                self.read("".join(text))
            except ToolError as error:
                self.assertIn(str(self.path), str(error))


class NameTest(unittest.TestCase):
    def test_safe(self):
        devices = ["gtx480", "gtx480,sms=1", "a/b.yaml", "a_b.yaml", "a b.yaml", "x" * 300]
        devices += [f"{'x' * 300}{n}" for n in range(3)]
        names = [sweep.safe(device) for device in devices]
        self.assertEqual(names[:2], devices[:2])
        self.assertEqual(len(set(names)), len(names))
        for name in names:
            self.assertRegex(name, r"^[\w.,=+-]{1,100}$")


if __name__ == "__main__":
    unittest.main()
