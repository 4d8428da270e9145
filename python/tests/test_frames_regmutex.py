"""RegMutex's tables, of frames made by hand."""

import math
import unittest

import pandas

from regshare.recipes import regmutex

SCHEMES = ("baseline", "published", "regmutex", "regmutex-paired", "rfv", "owf")


def row(program, kernel, run, file, cycles, **more):
    made = {"program": program, "kernel": kernel, "run": run, "at.registers": file}
    made |= {"cycles": cycles, "outcome": "finished", "registers_per_thread": 20}
    made |= {"occupancy.warps": 24, "occupancy.max_warps": 48}
    made |= {"occupancy.average_warps": 23.5, "occupancy.limited_by": "registers"}
    made |= {"storage_bits": 0}
    return made | more


def split(base, extended, attempts=0, successes=0, **more):
    sharing = {"attempts": attempts, "successes": successes, "units_per_sm": 9}
    return {
        "split.base": base, "split.extended": extended, **more,
        **{f"sharing.{name}": value for name, value in sharing.items()},
    }  # fmt: skip


def schemes():
    """Kernels that registers limit on the whole file (mri-q's large one), on half of
    it alone (bfs, tpacf), and never (mri-q's small one, which something else limits
    as well)."""
    cycles = {
        ("mri-q", "small"): (10, 12), ("mri-q", "large"): (100, 120),
        ("bfs", "k"): (50, 80), ("tpacf", "k"): (200, 250),
    }  # fmt: skip
    limits = {
        ("mri-q", "small"): ("registers+CTA slots",) * 2,
        ("mri-q", "large"): ("registers",) * 2,
        ("bfs", "k"): ("warps", "registers"), ("tpacf", "k"): ("threads", "registers"),
    }  # fmt: skip
    made = []
    for (program, kernel), both in cycles.items():
        for number, file in enumerate(("x1", "x0.5")):
            for place, run in enumerate(SCHEMES):
                limit = limits[program, kernel][number] if run == "baseline" else "warps"
                taken = both[number] * (20 - place) // 20
                figures = {"occupancy.limited_by": limit}
                if kernel == "small":
                    figures["registers_per_thread"] = 19
                if run == "regmutex" and kernel == "large":
                    figures |= split(14, 6, 40, 30, **{"occupancy.warps": 36})
                if run == "published" and program == "tpacf" and file == "x0.5":
                    figures |= split(12, 8)
                made.append(row(program, kernel, run, file, taken, **figures))
        made.append(row(program, kernel, "ideal", "x1", both[0] // 2))
    return pandas.DataFrame(made)


class SelectionTest(unittest.TestCase):
    def test_the_kernel_with_most_registers_stands_for_its_program(self):
        frame = regmutex.of_paper(schemes(), ["mri-q", "bfs"])
        self.assertEqual(set(frame["what"]), {"mri-q", "bfs"})
        self.assertEqual(set(frame["kernel"]), {"large", "k"})

    def test_most_registers_are_those_of_baseline(self):
        frame = schemes()
        other = (frame["kernel"] == "small") & (frame["run"] != "baseline")
        frame.loc[other, "registers_per_thread"] = 60
        self.assertEqual(set(regmutex.of_paper(frame, ["mri-q"])["kernel"]), {"large"})

    def test_limited_on_whole_and_on_half(self):
        frame = schemes()
        whole = set(regmutex.limited_on_whole(frame)["what"])
        half = set(regmutex.limited_on_half(frame)["what"])
        self.assertEqual(whole, {"mri-q, large"})
        self.assertEqual(half, {"bfs", "tpacf"})


class CyclesTest(unittest.TestCase):
    def test_against_baseline_on_the_whole_file(self):
        frame = regmutex.limited_on_half(schemes())
        table = regmutex.cycles(frame, "x0.5", ["baseline", "rfv"])
        self.assertEqual(table.loc["bfs", "baseline"], 80 / 50)
        self.assertEqual(table.loc["bfs", "rfv"], 64 / 50)
        self.assertEqual(table.loc["tpacf", "rfv"], 200 / 200)

    def test_means(self):
        table = regmutex.half(schemes())
        for column in table.columns:
            product = table[column]["bfs"] * table[column]["tpacf"]
            self.assertAlmostEqual(table[column]["mean"] ** 2, product)

    def test_best(self):
        table = regmutex.summed_up(pandas.DataFrame({"a": [0.9, 1.6], "b": [1, 0.5]}))
        self.assertEqual(list(table.loc["best"]), [0.9, 0.5])
        self.assertAlmostEqual(table["a"]["mean"], math.sqrt(0.9 * 1.6))

    def test_refused_runs_leave_a_gap_and_no_mean(self):
        frame = schemes()
        gone = (frame["program"] == "bfs") & (frame["run"] == "rfv")
        frame.loc[gone, "outcome"] = "refused"
        frame.loc[gone, ["cycles", "kernel"]] = None
        table = regmutex.half(frame)
        self.assertTrue(math.isnan(table["rfv"]["bfs"]))
        self.assertEqual(table["rfv"]["mean"], table["rfv"]["tpacf"])
        self.assertAlmostEqual(table["owf"]["mean"], table["owf"]["tpacf"])

    def test_the_papers_programs_are_in_its_order(self):
        table = regmutex.figure_7(schemes())
        self.assertEqual(list(table.index), [*regmutex.ON_WHOLE, "mean", "best"])
        self.assertEqual(table["regmutex"]["mri-q"], 0.9)
        self.assertEqual(table["regmutex"]["bfs"], 0.9)
        self.assertTrue(math.isnan(table["regmutex"]["sad"]))
        self.assertEqual(regmutex.figure_9b(schemes())["baseline"]["tpacf"], 1.25)


class SplitTest(unittest.TestCase):
    def test_table_1(self):
        table = regmutex.table_1(schemes())
        self.assertEqual(list(table.index), regmutex.ON_WHOLE + regmutex.ON_HALF)
        self.assertEqual(list(table.loc["mri-q"]), [20, 20, 14])
        self.assertEqual(list(table.loc["tpacf"]), [20, 12, 20])
        self.assertEqual(list(table.loc["bfs"]), [20, 20, 20])

    def test_occupancy(self):
        table = regmutex.figure_7_occupancy(schemes())
        self.assertEqual(list(table.loc["mri-q"]), [0.5, 0.75, 0.5])

    def test_splits(self):
        table = regmutex.limited_splits(schemes())
        self.assertEqual(list(table.index), ["mri-q, large"])
        self.assertEqual(list(table.iloc[0]), [20, 24, 14, 6, 9, 36, 24, 23.5])
        none = regmutex.half_splits(schemes())
        self.assertEqual(none["base"].count(), 0)
        self.assertEqual(list(none["warps"]), [24, 24])

    def test_success(self):
        table = regmutex.figure_13(schemes())
        self.assertEqual(list(table.index), ["mri-q, large"])
        self.assertEqual(table["regmutex"]["mri-q, large"], 0.75)
        self.assertEqual(list(table.columns), ["regmutex", "regmutex-paired"])

    def test_without_any_split(self):
        frame = schemes().drop(columns=regmutex.OF_SPLITS)
        table = regmutex.table_1(frame)
        self.assertEqual(list(table.loc["mri-q"]), [20, 20, 20])
        self.assertTrue(regmutex.figure_13(frame).empty)
        self.assertEqual(regmutex.limited_splits(frame)["extended"].count(), 0)

    def test_storage(self):
        frame = schemes()
        for run, bits in (("regmutex", 384), ("regmutex-paired", 24), ("rfv", 31264)):
            # Only of kernels that a scheme does something for.
            mine = (frame["run"] == run) & (frame["kernel"] == "large")
            frame.loc[mine, "storage_bits"] = bits
        table = regmutex.storage(frame)
        self.assertEqual(list(table.loc["bits"]), [384, 24, 31264])
        self.assertAlmostEqual(table["regmutex"]["times less than RFV"], 31264 / 384)


def sizes():
    made = []
    for kernel, cycles in (("a", 100), ("b", 200)):
        place = ("p", kernel)
        made.append(row(*place, "baseline", None, cycles))
        for es in (10, 2):
            got = split(20 - es, es, 50, 5 * es) if (kernel, es) != ("b", 10) else {}
            warps = {"occupancy.warps": 24 + es}
            made.append(row(*place, "size", None, cycles + es, **got | warps, **{"at.es": es}))
        made.append(row(*place, "chosen", None, cycles - 1))
    made.append(row("p", "c", "baseline", None, 7, **{"occupancy.limited_by": "warps"}))
    return pandas.DataFrame(made)


class SizeTest(unittest.TestCase):
    def test_cycles(self):
        table = regmutex.figure_10(sizes())
        self.assertEqual(list(table.index), ["p, a", "p, b"])
        self.assertEqual(list(table.columns), ["2", "10", "chosen"])
        self.assertEqual(list(table.loc["p, a"]), [1.02, 1.1, 0.99])
        # It cannot have this size and ran as it is.
        self.assertTrue(math.isnan(table["10"]["p, b"]))

    def test_occupancy(self):
        table = regmutex.figure_11a(sizes())
        self.assertEqual(list(table.columns), ["baseline", "2", "10", "chosen"])
        self.assertEqual(list(table.loc["p, a"]), [0.5, 26 / 48, 34 / 48, 0.5])

    def test_success(self):
        table = regmutex.figure_11b(sizes())
        self.assertEqual(list(table.loc["p, a"])[:2], [0.2, 1])
        self.assertTrue(math.isnan(table["chosen"]["p, a"]))


if __name__ == "__main__":
    unittest.main()
