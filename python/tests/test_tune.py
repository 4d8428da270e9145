# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ladders of registers, and patches of sources."""

import argparse
import html.parser
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from regshare.tune import command, ladder, page, patch, view

import samples


def launch(kernel="_Z1kv", cycles=100, registers=40, energy=200.0, block=(64, 1, 1), ctas=2):
    made = samples.launch(kernel, cycles=cycles, energy=energy)
    made["stats"]["residency"] |= {"ctas_per_sm": ctas, "warps_per_sm": 2 * ctas}
    return made | {
        "block": list(block),
        "registers_per_thread": registers,
        "local_bytes_per_thread": 0,
        "register_steps": [255, 128, 64, 32, 32, 16],
    }


def report(*launches):
    return {"launches": list(launches)}


def made(kernel, found):
    """The ladder of a kernel, of reports by the limit, or why there is none."""
    pairs = {
        ("", limit): (None, each) if isinstance(each, str) else (each, None)
        for limit, each in found.items()
    }
    return ladder.ladder_of(kernel, pairs)


class FakeTools:
    """Reports a kernel of each file, with ptxas's registers by the bound."""

    def __init__(self):
        self.asked = []

    def kernels(self, source, options, device, more):
        self.asked.append((source, options, device, more))
        name = f"_Z1{pathlib.Path(source).stem}v"
        found = {"name": name, "spilled": 2, "spilled_predicates": 1, "rematerialized": 4}
        is_bound = any("max-regs" in option for option in more)
        return [found | {"ptxas": {"registers": 32 if is_bound else 50}}]


class CompiledTest(unittest.TestCase):
    def tuner(self, folder, source):
        tuner = command.Tuner.__new__(command.Tuner)
        tuner.tools, tuner.folder, tuner.source = FakeTools(), pathlib.Path(folder), source
        tuner.device, tuner.args = "h100", argparse.Namespace(
            code=None, compile_options=["-O2"], smem_spilling=False
        )
        return tuner

    def test_of_a_source(self):
        tuner = self.tuner("", pathlib.Path("k.cu"))
        self.assertEqual(tuner.compiled(40), {"_Z1kv": ladder.Compiled(3, 4, 32)})
        asked = (pathlib.Path("k.cu"), ["-O2"], "h100", ["-regshare-max-regs=40"])
        self.assertEqual(tuner.tools.asked, [asked])

    def test_spills_go_where_they_go_in_the_run(self):
        tuner = self.tuner("", pathlib.Path("k.cu"))
        tuner.args.smem_spilling = True
        tuner.compiled(40)
        options = ["-regshare-max-regs=40", "-regshare-smem-spilling"]
        self.assertEqual(tuner.tools.asked[0][3], options)

    def test_of_a_program_it_is_the_code_that_ran_with_the_limit(self):
        with tempfile.TemporaryDirectory() as folder:
            tuner = self.tuner(folder, None)
            for limit, name in ((0, "a"), (40, "a"), (40, "b")):
                (tuner.kept(limit) / f"{name}.ptx").touch()
            ptxas = [ladder.Compiled(ptxas=each) for each in (50, 32)]
            self.assertEqual(tuner.compiled(0), {"_Z1av": ptxas[0]})
            self.assertEqual(tuner.compiled(40), {"_Z1av": ptxas[1], "_Z1bv": ptxas[1]})
            self.assertEqual([each[0].parent.name for each in tuner.tools.asked],
                ["ptx-0", "ptx-40", "ptx-40"])  # fmt: skip
            # In the order that ran: ptxas sees the same.
            self.assertTrue(all("--code=ptx" in each[3] for each in tuner.tools.asked))


class Ladders(unittest.TestCase):
    def test_limits_are_what_lets_more_ctas_in(self):
        (kernel,) = ladder.kernels_of(report(launch(registers=64)))
        # Four and five CTAs take the same registers: one rung, with more CTAs.
        self.assertEqual(kernel.limits(), {5: 32, 6: 16})

    def test_registers_that_limit_nothing(self):
        (kernel,) = ladder.kernels_of(report(launch(registers=16)))
        self.assertEqual(kernel.limits(), {})

    def test_the_largest_launch_decides(self):
        small, large = launch(block=(32, 1, 1)), launch(block=(64, 2, 1))
        (kernel,) = ladder.kernels_of(report(small, large, small))
        self.assertEqual((kernel.threads, kernel.launches), (128, 3))
        self.assertEqual(kernel.seen.cycles, 300)

    def test_rungs_of_runs_that_fail(self):
        first = report(launch(), launch("_Z1mv"))
        kernel = next(ladder.kernels_of(first))
        found = made(kernel, {32: report(launch("_Z1mv")), 16: "needs 20 registers"})
        self.assertEqual([rung.limit for rung in found.rungs], [0, 32, 16])
        whys = [rung.why for rung in found.rungs]
        self.assertEqual(whys, [None, "it was not launched", "needs 20 registers"])
        self.assertIs(found.best, found.rungs[0])

    def test_the_best_is_worth_it(self):
        kernel = next(ladder.kernels_of(report(launch(cycles=1000))))
        for cycles, is_best in ((991, False), (989, True), (1001, False)):
            found = made(kernel, {32: report(launch(cycles=cycles)), 16: "no"})
            self.assertEqual(found.best is found.rungs[1], is_best, cycles)

    def test_energy_decides_between_equals(self):
        kernel = next(ladder.kernels_of(report(launch(cycles=1000))))
        found = made(kernel, {
            32: report(launch(cycles=500, energy=20.0)),
            16: report(launch(cycles=500, energy=10.0)),
        })  # fmt: skip
        self.assertIs(found.best, found.rungs[2])

    def test_table_and_json(self):
        kernel = next(ladder.kernels_of(report(launch(cycles=1000))))
        found = made(kernel, {
            32: report(launch(cycles=500, ctas=5, registers=30)),
            16: "the kernel needs " + "many " * 30,
        })  # fmt: skip
        text = list(view.lines(found))
        self.assertTrue(all(len(line) <= 100 for line in text), text)
        self.assertIn("2.00x", text[3])
        self.assertTrue(text[3].endswith("<--"))
        (shown,) = view.as_json("h100", [found])["kernels"]
        self.assertEqual(shown["launch_bounds"], "__launch_bounds__(64, 5)")
        self.assertEqual((shown["best"], shown["schemes"], shown["best_scheme"]), (1, [], None))


class Schemes(unittest.TestCase):
    LONG = "regmutex:extended-set=8:scheduler=gto"

    def ladder(self, *cycles):
        """With limits of 32 and 16 under Baseline, without and with them under a scheme."""
        kernel = next(ladder.kernels_of(report(launch(cycles=1000))))
        places = ("", 32), ("", 16), ("rfv", 0), ("rfv", 32), ("rfv", 16)
        reports = {
            place: (report(launch(cycles=each, ctas=7)), None) if each else (None, "no " * 60)
            for place, each in zip(places, cycles)
        }
        reports |= {(self.LONG, limit): (None, "refused") for limit in (0, 32, 16)}
        return ladder.ladder_of(kernel, reports, ["rfv", self.LONG])

    def test_best_is_more_than_the_best_limit_gives(self):
        # Places among three rungs under Baseline and three under rfv.
        for cycles, expected in (
            ((900, 950, 800, 700, 750), 4),
            ((900, 950, 800, None, None), 3),
            ((900, 950, 895, 892, 1000), None),  # less than 1% of the limit's 900
            ((900, 950, 890, 880, 880), 4),
            ((None, None, 991, 1000, 1000), None),
            ((None, None, None, None, None), None),
        ):
            found = self.ladder(*cycles)
            place = found.best_scheme and [*found.rungs, *found.schemes].index(found.best_scheme)
            self.assertEqual(place, expected, cycles)

    def test_rows_and_advice(self):
        found = self.ladder(900, 950, 800, 700, None)
        text = list(view.lines(found))
        self.assertTrue(all(len(line) <= 100 for line in text), text)
        arrows = [line for line in text if line.endswith("<--")]
        self.assertEqual(len(arrows), 2)
        self.assertRegex(arrows[0], " 900 +1.11x")
        self.assertRegex(arrows[1], "^rfv +7 +14 +32 +40 +0 +700 +1.43x")
        self.assertIn(self.LONG, text)
        self.assertEqual(
            view.scheme_advice(found),
            "k: under rfv with at most 32 registers, which no GPU has: 1.43x, 1.29x of the best bounds",
        )
        (shown,) = view.as_json("h100", [found])["kernels"]
        self.assertEqual(shown["schemes"][shown["best_scheme"]]["limit"], 32)

    def test_advice_without_a_better_limit(self):
        found = self.ladder(None, None, 500, None, None)
        self.assertTrue(view.scheme_advice(found).endswith("under rfv, which no GPU has: 2.00x"))


class Elements(html.parser.HTMLParser):
    """Which elements a page has, that each is closed, and where its references lead."""

    VOID = ("meta", "link")

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.references, self.text = [], [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))
        self.references += [value for name, value in attributes if name in ("src", "href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text += data

    def count(self, tag):
        return sum(name == tag for name, _ in self.seen)


class Pages(unittest.TestCase):
    def setUp(self):
        kernel = next(ladder.kernels_of(report(launch("_Z1kv<a>", cycles=1000))))
        self.found = [made(kernel, {
            32: report(launch("_Z1kv<a>", cycles=500, ctas=5, registers=30)),
            16: "a < b & c",
        })]  # fmt: skip

    def render(self, difference=""):
        return page.render("k.cu", "h100", self.found, ["k: <better>"], difference)

    def test_is_whole_and_needs_nothing(self):
        text = self.render("-  a<b>\n+  c\n")
        elements = Elements(text)
        self.assertEqual(elements.open, [])
        self.assertEqual(elements.references, ["data:,"])
        self.assertEqual(elements.count("script"), 0)
        self.assertIn("width=device-width", text)
        for each in ("k: <better>", "a<b>", "a < b & c", "__launch_bounds__(64, 5)"):
            self.assertIn(each, elements.text)

    def test_bars_are_as_long_as_their_cycles(self):
        elements = Elements(self.render())
        lengths = [float(each["width"]) for tag, each in elements.seen if tag == "rect"]
        self.assertEqual(len(lengths), 2)
        self.assertAlmostEqual(lengths[1] / lengths[0], 0.5, places=2)

    def test_tables_have_a_row_for_each_rung(self):
        elements = Elements(self.render())
        self.assertEqual(elements.count("tr"), 1 + 3)
        best = [each for tag, each in elements.seen if tag == "tr" and each.get("class") == "best"]
        self.assertEqual(len(best), 1)


SOURCE = """#include "other.cuh"
// __global__ void scale(int *) is below.
template <typename T>
__global__ static void scale(T *Values) {}
extern "C" __global__ __launch_bounds__(f(256), 2) void plain(int *V) {}
namespace a { __global__ void __launch_bounds__(64)
    spread(int *V) {} }
const char *Text = "__global__ void scale(";
"""


class Patches(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.main = self.folder / "main.cu"
        self.main.write_text(SOURCE, encoding="utf-8")
        other = self.folder / "other.cuh"
        other.write_text('__global__ void far(float X);\n#include "main.cu"\n', encoding="utf-8")

    def change(self, **wanted):
        return patch.changed(self.main, wanted)

    def test_bounds_go_between_type_and_name(self):
        texts, missing = self.change(scale="__launch_bounds__(32, 8)")
        self.assertEqual(missing, [])
        self.assertIn("__global__ static void __launch_bounds__(32, 8) scale(T *", texts[self.main])

    def test_bounds_of_before_are_replaced(self):
        texts, _ = self.change(plain="__launch_bounds__(32, 8)", spread="__launch_bounds__(32, 9)")
        (text,) = texts.values()
        self.assertIn('extern "C" __global__ void __launch_bounds__(32, 8) plain(', text)
        self.assertIn("__global__ void __launch_bounds__(32, 9) spread(", text)
        self.assertEqual(text.count("__launch_bounds__"), 2)

    def test_namespaces_and_arguments_of_templates(self):
        texts, missing = patch.changed(self.main, {"a::spread": "B", "scale<float>": "C"})
        self.assertEqual(missing, [])
        (text,) = texts.values()
        self.assertIn("void B spread(", text)
        self.assertIn("void C scale(", text)

    def test_included_files(self):
        texts, _ = self.change(far="__launch_bounds__(32)")
        self.assertEqual([file.name for file in texts], ["other.cuh"])

    def test_what_is_not_there_or_twice(self):
        with self.main.open("a", encoding="utf-8") as file:
            file.write("__global__ void plain(int) {}\n")
        texts, missing = self.change(nowhere="B", plain="B")
        self.assertEqual((texts, missing), ({}, ["nowhere", "plain"]))

    @unittest.skipUnless(shutil.which("patch"), "there is no program 'patch'")
    def test_patch_takes_the_difference(self):
        texts, _ = self.change(scale="__launch_bounds__(32, 8)", far="__launch_bounds__(32)")
        text = patch.difference(texts)
        subprocess.run(["patch", "-p0", "-s", "-d", "/"], input=text, text=True, check=True)
        for file, new in texts.items():
            self.assertEqual(file.read_text(encoding="utf-8"), new)


if __name__ == "__main__":
    unittest.main()
