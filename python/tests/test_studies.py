# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Studies: their tables, against figures worked out by hand."""

import importlib.util
import re
import unittest

from regshare import studies
from regshare.studies import choice, measured, page, papers, run
from regshare.suite import description, limits
from regshare.toolchain import ToolError

import samples

HAS_YAML = importlib.util.find_spec("yaml")
SCHEMES = ("baseline", "ideal", "rfv", "ltrf")


def kernel(name="k", program="app", grid=40, ctas=5, other_ctas=8, device="gv100"):
    return limits.Kernel(
        device, "s", program, "part", name, grid, 256, 44, 0, ctas, other_ctas
    )


def study(*kernels, **changes):
    made = {
        "name": "now",
        "title": "Now",
        "code": "native",
        "schemes": SCHEMES,
        "parts": {"gv100": {"sms": 2, "timing.dram.channels": 1}},
        "sample_parts": {"gv100": {"sms": 1}},
        "shaken": {"gv100": {"timing.l1.latency": 3}},
        "wide": {"timing.core.active_warps": 32},
        "wide_schemes": ["ltrf"],
        "waves": 2,
        "samples": ["small"],
        "limits": {"gv100": [48, 40, 32]},
        "limited": ["baseline", "rfv"],
        "text": {"begin": "Begin.\n", "choice": "Ways.\n", "kernels": "List.\n"},
        "kernels": kernels,
    }
    return studies.Study(**made | changes)


def figures(cycles, warps=40, energy=100.0, instructions=20, bits=0):
    """Of a kernel of a record, as far as studies look at it."""
    return {
        "launches": 1,
        "warp_instructions": 500,
        "cycles": cycles,
        "shape": {"code": {"instructions": instructions, "statements": 0}},
        "timed": {
            "occupancy": {"warps": warps, "average_warps": warps - 1.5},
            "issue_slots": {"issued": 30, "dependency-memory": 50, "mem-queue": 10, "no-warp": 10},
            "energy": {"total": energy},
            "storage_bits": bits,
        },
    }


def record(
    scheme, kernels, program="app", outcome="verified", why=None, input_="part", more="", limit=0
):
    part = "sms=1" if input_ == "small" else f"sms=2,timing.dram.channels=1{more}"
    configuration = samples.configuration(scheme, device=f"gv100,{part}")
    configuration |= {"suite": "s", "input": input_}
    configuration["program"]["name"] = program
    if limit:
        configuration["given"] = {"REGSHARE_MAX_REGISTERS": str(limit)}
    return {
        "configuration": configuration,
        "outcome": outcome,
        "why": why,
        "kernels": kernels,
        "wall_seconds": 2.0,
    }


class MeasuredTest(unittest.TestCase):
    def table(self, **by_scheme):
        one = kernel()
        found = [record(scheme, {"k": each}) for scheme, each in by_scheme.items()]
        return one, measured.Table(study(one), found)

    def test_ratios(self):
        one, table = self.table(
            baseline=figures(1000), rfv=figures(800, warps=64, energy=90.0, instructions=25)
        )
        for of, expected in (("cycles", 1.25), ("warps", 1.6), ("energy", 0.9), ("instructions", 1.25)):
            self.assertAlmostEqual(table.ratio(one, "rfv", of), expected)
        self.assertIsNone(table.ratio(one, "ltrf", "cycles"))
        base = table.get(one, "baseline")
        self.assertEqual(base.share("dependency-memory", "mem-"), 0.6)

    def test_grids_that_fill_no_two_waves_are_in_no_mean(self):
        # Two waves of eight CTAs on two SMs are 32.
        large, small = kernel(grid=32), kernel("m", grid=31)
        found = [
            record("baseline", {"k": figures(100), "m": figures(100)}),
            record("rfv", {"k": figures(50), "m": figures(10)}),
        ]
        table = measured.Table(study(large, small), found)
        self.assertEqual(table.ratios("gv100", "rfv", "cycles"), {large: 2.0})
        self.assertEqual(table.kernels("gv100"), [large, small])

    def test_verdicts(self):
        base = figures(1000)
        for mine, bound, expected in (
            (figures(900, warps=64), 900, "faster"),
            (figures(900), 900, "faster, as few warps"),
            (figures(990, warps=64), 990, "alike, nothing to gain"),
            (figures(990, warps=64), 900, "alike, bound not reached"),
            (figures(1010), 900, "alike, as few warps"),
            (figures(1030, warps=64), 900, "slower"),
            (figures(1030), 900, "slower, as few warps"),
        ):
            one, table = self.table(baseline=base, rfv=mine, ideal=figures(bound, warps=64))
            self.assertEqual(table.verdict(one, "rfv"), expected)
            self.assertIn(expected, measured.VERDICTS)
            self.assertEqual(table.verdict(one, "ltrf"), "not taken")

    def test_records_of_other_inputs_and_programs_do_not_count(self):
        one = kernel()
        found = [
            record("baseline", {"k": figures(1)}, program="other"),
            record("baseline", {"k": figures(2)}, input_="small"),
            record("baseline", {"k": figures(3)}),
            record("rfv", {}, outcome="refused", why="no room"),
        ]
        table = measured.Table(study(one), found)
        self.assertEqual(table.get(one, "baseline").cycles, 3)
        self.assertEqual(table.why, {(one, "rfv"): "refused: no room"})

    def test_geometric_mean(self):
        self.assertAlmostEqual(measured.geomean([2, 8]), 4)
        self.assertNotEqual(measured.geomean([]), measured.geomean([]))


class PageTest(unittest.TestCase):
    def rows(self, text, heading):
        """The cells of the first table below a heading, by the first of each row."""
        below = text.split(f"{heading}\n", 1)[1]
        lines = re.findall(r"^\|.*\|$", below.split("\n#", 1)[0], re.M)
        cells = [[x.strip() for x in line.strip("|").split("|")] for line in lines]
        return {row[0]: dict(zip(cells[0], row)) for row in cells[2:]}

    def test_tables(self):
        kernels = kernel(), kernel("m"), kernel("small", grid=4)
        found = [
            record("baseline", {each.kernel: figures(1000) for each in kernels}),
            record("ideal", {
                "k": figures(500, warps=64, bits=None), "m": figures(1000), "small": figures(1),
            }),
            record("rfv", {
                "k": figures(800, warps=64, energy=81.0, bits=1234),
                "m": figures(1250, bits=5), "small": figures(1),
            }),
            record("ltrf", {}, outcome="refused", why="no banks"),
            record("baseline", {"k": figures(1020)}, more=",timing.l1.latency=3"),
            record("ltrf", {"k": figures(2000), "m": figures(500), "small": figures(1)},
                more=",timing.core.active_warps=32"),
            record("baseline", {"k": figures(500, warps=48)}, limit=40),
            record("rfv", {"k": figures(400, warps=64)}, limit=32),
            record("baseline", {"k": figures(1)}, limit=48),
        ]  # fmt: skip
        text = page.page(study(*kernels), found)
        schemes = self.rows(text, "### Schemes on gv100")
        rfv = schemes["rfv"]
        self.assertEqual(rfv["kernels"], "2")
        self.assertEqual(rfv["speed-up"], "1.00")
        self.assertEqual((rfv["best"], rfv["worst"]), ("1.25 app, k", "0.80 app, m"))
        self.assertEqual((rfv["faster"], rfv["slower"]), ("1", "1"))
        self.assertEqual((rfv["energy"], rfv["storage"]), ("0.90", "1,234"))
        self.assertEqual(schemes["ltrf"]["kernels"], "0")
        speed = self.rows(text, "### Speed-up on gv100")
        self.assertEqual(speed["app, k"]["ideal"], "2.00")
        self.assertEqual(speed["app, small *"]["rfv"], "1000.00")
        self.assertEqual(speed["mean"]["ideal"], "1.41")
        base = self.rows(text, "### Kernels on gv100")["app, k"]
        self.assertEqual((base["waves"], base["issued"], base["memory"]), ("2.5", "30%", "60%"))
        wide = self.rows(text, "### Register caches with more active warps on gv100")
        self.assertEqual(wide["app, k"]["ltrf"], "0.50")
        self.assertEqual(wide["mean"]["ltrf"], "1.00")
        self.assertEqual((base["chance"], base["bound"]), ("0.980", "2.00"))
        self.assertIn("- ltrf, app, k, app, m, app, small: refused: no banks", text)
        limited = self.rows(text, "### Fewer registers on gv100")
        self.assertEqual(list(limited), ["app, k"])
        self.assertEqual(limited["app, k"]["at most 40"], "2.00 (48)")
        self.assertEqual(limited["app, k"]["rfv, at most 32"], "2.50 (64)")
        # k has 44 registers.
        self.assertEqual(limited["app, k"]["at most 48"], "")
        became = self.rows(text, "### What became of the kernels on gv100")
        self.assertEqual(became["rfv"]["faster"], "1")

    def test_names_in_tables(self):
        kernels = kernel("f<a|b>"), kernel("g"), kernel("h", program="lone")
        names = page.Names(kernels)
        shown = ["app, f\\<a\\|b>", "app, g", "lone"]
        self.assertEqual([names.of(each) for each in kernels], shown)


class ChoiceTest(unittest.TestCase):
    def chooser(self, whole, sample):
        """Of kernel k, with cycles and warps by scheme; by a number, of Baseline with so
        many registers."""
        found = [
            record(
                "baseline" if isinstance(scheme, int) else scheme,
                {"k": figures(*each)},
                input_=name,
                limit=scheme if isinstance(scheme, int) else 0,
            )
            for name, runs in (("part", whole), ("small", sample))
            for scheme, each in runs.items()
        ]
        return choice.Chooser(study(kernel()), "gv100", found)

    def test_the_model(self):
        # Of 90 slots that had warps 30 issued, and 10 waited for a queue; twice the warps
        # halve the other 50.
        made = self.chooser({"baseline": (9,)}, {"baseline": (1,), "rfv": (1, 80), "ltrf": (1,)})
        (one,) = made.kernels
        promised = made.promises(one)
        self.assertEqual([scheme for _, scheme in promised], ["rfv", "ltrf"])
        self.assertAlmostEqual(promised[0][0], 90 / (30 + 10 + 25))
        self.assertAlmostEqual(promised[1][0], 1)
        self.assertEqual(made.by_model(one), "rfv")

    def test_what_is_chosen(self):
        sample = {"baseline": (100,), "rfv": (101, 80), "ltrf": (90,), "ideal": (10, 99)}
        whole = {"baseline": (1000,), "rfv": (500, 80), "ltrf": (1250,), "ideal": (1, 99)}
        made = self.chooser(whole, sample)
        (chosen,) = zip(*(ways.values() for ways in made.ways().values()))
        # The model promises rfv alone; the sample takes that back, and has ltrf instead.
        self.assertEqual(list(made.ways()), ["rfv for all", "model", "model, guarded", "sample", "model and sample", "best scheme", "best limit", "oracle"])
        self.assertEqual(list(chosen), ["rfv", "rfv", "baseline", "ltrf", "baseline", "rfv", "baseline", "rfv"])
        (one,) = made.kernels
        gains = [made.gain(one, each) for each in chosen]
        self.assertEqual(gains, [2.0, 2.0, 1.0, 0.8, 1.0, 2.0, 1.0, 2.0])
        # All runs of figures() execute as much: so many are timed.
        efforts = [made.effort(way) for way in made.ways()]
        self.assertEqual(efforts, [0, 1, 2, 3, 3, 3, 1, 3])

    def test_limits_of_registers_are_chosen_among_schemes(self):
        sample = {"baseline": (100,), "rfv": (95, 80), 48: (1, 90), 40: (80, 41), 32: (96, 64)}
        whole = {"baseline": (1000,), "rfv": (800, 80), 48: (1, 90), 40: (1250,), 32: (500,)}
        made = self.chooser(whole, sample)
        (chosen,) = zip(*(ways.values() for ways in made.ways().values()))
        # k has 44 registers: 48 are no limit. The model puts rfv first, then 32, and promises
        # nothing of 40, of which the sample shows most.
        expected = ["rfv", "rfv", "rfv", "at most 40", "rfv", "rfv", "at most 32", "at most 32"]
        self.assertEqual(list(chosen), expected)
        efforts = [made.effort(way) for way in made.ways()]
        self.assertEqual(efforts, [0, 1, 3, 4, 4, 2, 3, 4])

    def test_what_is_alike_is_left_as_it_is(self):
        sample = {"baseline": (1000,), "rfv": (985,), "ltrf": (1000,)}
        made = self.chooser({"baseline": (1000,), "rfv": (1,)}, sample)
        self.assertEqual(made.by_sample(made.kernels[0]), "baseline")

    def test_kernels_without_a_sample_are_left_out(self):
        self.assertEqual(self.chooser({"baseline": (1,)}, {"rfv": (1,)}).kernels, [])
        found = [record("baseline", {"k": figures(1)})]
        whole = study(kernel(), samples=["part"])
        self.assertEqual(choice.Chooser(whole, "gv100", found).kernels, [])


class PapersTest(unittest.TestCase):
    """Kernel k has 44 registers, and 20 in the paper."""

    SHEET = {
        "title": "Why",
        "code": "ptx",
        "unit": 8,
        "file": 1000,
        "cases": {
            "ours": {"device": "gv100", "figures": {"sms": 2}},
            "theirs": {"device": "gv100", "figures": {"sms": 2}, "registers": "paper"},
        },
        "papers": [
            {"title": "One", "scheme": "rfv", "kernels": {"s/app, k": {"registers": 20, "gain": 1.5}},
                "base": {"timing.core.scheduler": "lrr"}},
            {"title": "Two", "scheme": "ltrf", "kernels": {"s/app, k": {"registers": 44}}},
        ],
        "text": {"begin": "Begin.\n", "rfv": "What it says.\n"},
    }  # fmt: skip
    # 44 are allocated as 48, and 20 as 24.
    LARGER, SAME = "gv100,sms=2,registers=2000", "gv100,sms=2,registers=1000"
    LRR = ",timing.core.scheduler=lrr"

    def study(self):
        return papers.made_of("why", self.SHEET, (kernel(), kernel("other")))

    def test_places(self):
        first, bound, rfv, ltrf = ((each, 0) for each in SCHEMES)
        expected = {
            "gv100,sms=2" + self.LRR: [first, bound],
            "gv100,sms=2": [rfv, first, bound, ltrf],
            self.LARGER + self.LRR: [first, bound],
            self.LARGER: [rfv],
            self.SAME: [first, bound, ltrf],
        }
        self.assertEqual(self.study().places(["gv100"], {}), {"s": {("app", "part"): expected}})
        self.assertEqual(self.study().places(["h100"], {}), {})

    def test_page(self):
        def found(device, scheme, cycles):
            made = record(scheme, {"k": figures(cycles)})
            name, *changes = device.split(",")
            made["configuration"]["device"] |= {"name": name, "changes": changes}
            return made

        text = self.study().page([
            found("gv100,sms=2" + self.LRR, "baseline", 1000),
            found("gv100,sms=2" + self.LRR, "ideal", 500),
            found("gv100,sms=2", "rfv", 800),
            # Another scheduler's, which is not what the paper compares with.
            found("gv100,sms=2", "baseline", 1),
            found(self.LARGER + self.LRR, "baseline", 900),
            found(self.LARGER, "rfv", 600),
        ])  # fmt: skip
        (row,) = re.findall(r"^\| s/app.*\| 1.50 \|$", text, re.M)
        cells = [each.strip() for each in row.strip("|").split("|")]
        self.assertEqual(cells, ["s/app", "44, 20", "40", "2.00", "1.25", "40", "", "1.50", "1.50"])
        self.assertIn("What it says.", text)


@unittest.skipUnless(HAS_YAML, "needs yaml")
class StudiesTest(unittest.TestCase):
    def test_known_studies_name_what_there_is(self):
        suites = {x: description.read(path) for x, path in description.known().items()}
        for name in studies.names():
            known = studies.read(name)
            self.assertLessEqual({each.device for each in known.kernels}, set(known.parts))
            for each in known.kernels:
                self.assertIn(each.input, suites[each.suite].programs[each.program].inputs)
                self.assertTrue(each.is_limited or name == "why")

    def test_unknown_studies(self):
        with self.assertRaisesRegex(ToolError, "unknown study 'todya' .did you mean 'today'"):
            studies.read("todya")

    def test_programs_are_run_once_with_each_input_on_each_device(self):
        program = type("P", (), {"inputs": {"part": 1, "small": 2, "other": 3}})
        suites = {"s": type("S", (), {"programs": {"app": program, "tiny": program}})}
        few = kernel("t", program="tiny", grid=1)
        some = study(kernel(), kernel("m"), few, samples=["none", "small"])
        found = some.places(["gv100"], suites)
        whole = "gv100,sms=2,timing.dram.channels=1"
        shaken, wide = f"{whole},timing.l1.latency=3", f"{whole},timing.core.active_warps=32"
        # Kernels k and m have 44 registers, which 48 leave alone.
        limited = [("baseline", 40), ("baseline", 32), ("rfv", 40), ("rfv", 32)]
        variants = [*((each, 0) for each in SCHEMES), *limited]
        parts = {whole: variants, shaken: [("baseline", 0)], wide: [("ltrf", 0)]}
        wanted = {("app", "part"): parts, ("app", "small"): {"gv100,sms=1": variants}}
        self.assertEqual(found, {"s": wanted})
        self.assertEqual(some.places(["h100"], suites), {})
        runs = run.runs_of(some, suites["s"], found["s"])
        made = [
            (each.device, each.scheme, each.given.get("REGSHARE_MAX_REGISTERS"))
            for each in runs if each.input == 1
        ]  # fmt: skip
        few = [(shaken, "baseline", None), (wide, "ltrf", None)]
        limited = [(whole, scheme, str(limit)) for scheme, limit in limited]
        self.assertEqual(made, [*((whole, x, None) for x in SCHEMES), *limited, *few])
