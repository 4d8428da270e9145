"""Needs pandas."""

import math
import unittest

import pandas
from regshare.recipes import ltrf

LATENCIES = (1, 2, 4)


def row(program, scheme, run, cycles, latency=None, design=None, **figures):
    return {
        "program": program,
        "scheme": scheme,
        "run": run,
        "outcome": "finished",
        "at.regfile.latency": math.nan if latency is None else latency,
        "at.regfile.design": math.nan if design is None else design,
        "cycles": cycles,
    } | figures


def refused(program, scheme, run, **at):
    return row(program, scheme, run, math.nan, **at) | {"outcome": "refused"}


def cost(program, scheme, latency):
    """Cycles that tell all of their arguments apart."""
    base = {"a": 1000, "b": 3000}[program]
    slope = {"baseline": 0.2, "rfc": 0.1, "shrf": 0.09}.get(scheme, 0.01)
    return base * (1 + slope * (latency - 1) + 0.02 * (scheme != "baseline"))


def files():
    """The sweep `files` with two programs, each as one row."""
    rows = []
    for program in ("a", "b"):
        rows.append(row(program, "baseline", "own file", cost(program, "baseline", 1.5)))
        rows.append(row(program, "ideal", "own file", 0.8 * cost(program, "ideal", 1)))
        for scheme in ("baseline", "rfc", "ltrf", "ltrf-plus"):
            for design in (6, 7):
                cycles = cost(program, scheme, design)
                rows.append(row(program, scheme, "design", cycles, design=design))
        for scheme in ("baseline", *ltrf.CACHED):
            for latency in LATENCIES:
                cycles = cost(program, scheme, latency)
                rows.append(row(program, scheme, "latency", cycles, latency))
    return rows


def with_refused(program, scheme, key, value):
    """The same, but that one run was refused."""
    wanted = program, scheme, value
    return [
        refused(program, scheme, key, **{key: value})
        if (each["program"], each["scheme"], each[f"at.regfile.{key}"]) == wanted
        else each
        for each in files()
    ]


def frame(rows):
    return pandas.DataFrame(rows)


class LatencyTest(unittest.TestCase):
    def test_ipc_on_designs(self):
        table = ltrf.figure_9(frame(files()))
        self.assertEqual(list(table.index), ["a", "b", "mean", "least", "most"])
        self.assertEqual(len(table.columns), 10)
        by_ideal = table["ltrf-plus 7"] / table["ideal"]
        for program in ("a", "b"):
            self.assertAlmostEqual(
                table.loc[program, "ltrf-plus 7 by ideal"], by_ideal[program]
            )
        for program in ("a", "b"):
            base = cost(program, "baseline", 1)
            value = base / cost(program, "rfc", 7)
            self.assertAlmostEqual(table.loc[program, "rfc 7"], value)
            value = base / (0.8 * cost(program, "ideal", 1))
            self.assertAlmostEqual(table.loc[program, "ideal"], value)
        column = table["ltrf 6"]
        self.assertAlmostEqual(column["mean"] ** 2, column["a"] * column["b"])
        self.assertEqual(column["most"], max(column["a"], column["b"]))

    def test_means_leave_out_what_was_refused(self):
        table = ltrf.figure_9(frame(with_refused("b", "ltrf", "design", 7)))
        self.assertTrue(math.isnan(table.loc["b", "ltrf 7"]))
        self.assertAlmostEqual(table.loc["mean", "rfc 6"], table.loc["a", "rfc 6"])

    def test_over_latency(self):
        table = ltrf.figure_14(frame(files()))
        self.assertEqual(list(table.columns), ["1x", "2x", "4x"])
        self.assertAlmostEqual(table.loc["baseline", "1x"], 1)
        self.assertAlmostEqual(table.loc["baseline", "4x"], 1 / 1.6)
        self.assertAlmostEqual(table.loc["shrf", "2x"], 1 / 1.11)

    def test_tolerated(self):
        curve = [(1, 0.98), (2, 0.9), (4, 0.8)]
        self.assertEqual(ltrf.tolerated(curve, 0.99), 1)
        self.assertAlmostEqual(ltrf.tolerated(curve, 0.94), 1.5)
        self.assertAlmostEqual(ltrf.tolerated(curve, 0.85), 3)
        self.assertEqual(ltrf.tolerated(curve, 0.8), 4)

    def test_tolerated_is_where_a_fine_walk_ends(self):
        curve = [(1, 1.0), (1.5, 0.99), (2, 1.01), (3, 0.93), (8, 0.5)]

        def at(x):
            for (left, high), (right, low) in zip(curve, curve[1:]):
                if left <= x <= right:
                    return high + (low - high) * (x - left) / (right - left)

        for least in (0.995, 0.95, 0.9, 0.6, 0.4):
            x = 1
            while x < 8 and at(x) >= least:
                x += 1 / 4096
            self.assertAlmostEqual(ltrf.tolerated(curve, least), x, delta=1e-3)

    def test_both_tolerances(self):
        made = frame(files())
        table = ltrf.tolerance(made)
        # 1/(1 + 0.02) of Baseline's IPC is less than 99%.
        self.assertEqual(table.loc["1%, of Baseline's", "rfc"], 1)
        self.assertGreater(table.loc["1%", "rfc"], 1)
        self.assertEqual(table.loc["10%", "ltrf"], 4)
        self.assertEqual(
            table.loc["5%", "baseline"], table.loc["5%, of Baseline's", "baseline"]
        )
        by_program = ltrf.figure_11(made)
        self.assertEqual(by_program.loc["mean", "rfc"], table.loc["5%", "rfc"])

    def test_a_curve_with_a_gap_tolerates_nothing_known(self):
        table = ltrf.figure_11(frame(with_refused("a", "rfc", "latency", 2)))
        self.assertTrue(math.isnan(table.loc["a", "rfc"]))
        self.assertAlmostEqual(table.loc["mean", "rfc"], table.loc["b", "rfc"])


class SizesTest(unittest.TestCase):
    def test_lines(self):
        rows = []
        runs = ("8 registers", "latency", "32 registers", "4 warps", "16 warps")
        for program, base in (("a", 100), ("b", 400)):
            rows.append(row(program, "baseline", "latency", base, 1))
            rows.append(row(program, "baseline", "latency", 7 * base, 8))
            for number, run in enumerate(runs):
                # What only one of them has is left out.
                for latency in (1, 3, 8) if run == "latency" else (1, 8):
                    cycles = base * (2 + number) * latency
                    rows.append(row(program, "ltrf", run, cycles, latency))
        table = ltrf.figure_12(frame(rows))
        self.assertEqual(list(table.index), ["8 registers", "16 registers", "32 registers"])
        self.assertEqual(list(table.columns), ["1x", "8x"])
        self.assertAlmostEqual(table.loc["32 registers", "8x"], 1 / 32)
        table = ltrf.figure_13(frame(rows))
        self.assertAlmostEqual(table.loc["8 warps", "1x"], 1 / 3)
        self.assertAlmostEqual(table.loc["8 warps by 4", "8x"], 5 / 3)


class CountersTest(unittest.TestCase):
    def with_counters(self):
        """Counters from a number that differs from row to row."""
        rows = files()
        for number, each in enumerate(rows, 1):
            each["register_file.bank_reads"] = 100
            each["register_file.bank_writes"] = 50
            each["energy.parts.registers"] = 10.0 * number
            each["energy.parts.register cache"] = 1.0 * number**2
            if each["scheme"] not in ("baseline", "ideal"):
                each["register_cache.cache_reads"] = number
                each["register_cache.main_accesses"] = 0 if number == 20 else number
        return rows

    def find(self, rows, program, scheme, **wanted):
        (found,) = [
            each
            for each in rows
            if (each["program"], each["scheme"]) == (program, scheme)
            and all(each[f"at.regfile.{key}"] == value for key, value in wanted.items())
        ]
        return found

    def test_hit_rates(self):
        rows = self.with_counters()
        table = ltrf.figure_4(frame(rows))
        for program in ("a", "b"):
            reads = self.find(rows, program, "shrf", latency=1)["register_cache.cache_reads"]
            self.assertAlmostEqual(table.loc[program, "shrf"], reads / 100)
        column = table["rfc"]
        self.assertAlmostEqual(column["mean"], (column["a"] + column["b"]) / 2)
        self.assertEqual(column["least"], min(column["a"], column["b"]))
        self.assertLess(column["least"], column["most"])

    def test_accesses_may_be_none(self):
        rows = self.with_counters()
        self.find(rows, "a", "rfc", latency=1)["register_cache.main_accesses"] = 0
        left = self.find(rows, "b", "rfc", latency=1)["register_cache.main_accesses"]
        table = ltrf.accesses(frame(rows))
        self.assertEqual(table.loc["a", "rfc"], math.inf)
        self.assertAlmostEqual(table.loc["b", "rfc"], 150 / left)
        self.assertAlmostEqual(table.loc["mean", "rfc"], 150 / (left / 2))

    def test_power(self):
        rows = self.with_counters()
        table = ltrf.figure_10(frame(rows))
        mine = self.find(rows, "b", "ltrf", latency=1)
        (base,) = [
            each
            for each in rows
            if (each["program"], each["scheme"], each["run"]) == ("b", "baseline", "own file")
        ]

        def power(each):
            energy = each["energy.parts.registers"] + each["energy.parts.register cache"]
            return energy / each["cycles"]

        self.assertAlmostEqual(table.loc["b", "ltrf 1"], power(mine) / power(base))


class KernelTest(unittest.TestCase):
    def test_sensitive_programs(self):
        """c has a kernel that gets more warps; its other one does not."""
        rows = []

        def add(program, kernel, cycles, warps):
            keys = {"kernel": kernel}
            runs = (("baseline", "own file", {}), ("ideal", "own file", {}),
                    ("baseline", "design", {"design": 6}))  # fmt: skip
            for (scheme, run, at), spent, fit in zip(runs, cycles, warps):
                more = keys | {"occupancy.warps": fit}
                rows.append(row(program, scheme, run, spent, **at, **more))

        add("b", "k", (100, 100, 125), (48, 48, 48))
        add("c", "k", (300, 100, 400), (24, 48, 48))
        add("c", "l", (100, 100, 100), (48, 48, 48))
        table = ltrf.figure_3(frame(rows))
        self.assertEqual(
            list(table.index),
            ["c", "b", "sensitive, mean", "sensitive, least", "sensitive, most",
             "insensitive, mean"],
        )  # fmt: skip
        self.assertAlmostEqual(table.loc["c", "ideal"], 400 / 200)
        self.assertAlmostEqual(table.loc["c", "design 6"], 400 / 500)
        self.assertAlmostEqual(table.loc["sensitive, mean", "ideal"], 2)
        self.assertAlmostEqual(table.loc["insensitive, mean", "design 6"], 0.8)

    def test_registers_needed(self):
        rows = []
        for device, warps in (("gtx480,sms=1", 48), ("ltrf-maxwell,sms=3", 64)):
            for program, kernel, registers in (("a", "k", 10), ("a", "l", 40), ("b", "k", 20)):
                made = row(program, "baseline", "baseline", 1, kernel=kernel, device=device)
                made |= {"registers_per_thread": registers, "occupancy.max_warps": warps}
                rows += [made, made | {"scheme": "ltrf", "registers_per_thread": 99}]
        table = ltrf.table_1(frame(rows))
        # Bytes by hand: registers, four bytes, 32 lanes, warps.
        self.assertEqual(table.loc["gtx480 (128 KB)", "most"], 40 * 4 * 32 * 48 / 1024)
        self.assertEqual(
            table.loc["ltrf-maxwell (256 KB)", "average"], (40 + 20) / 2 * 4 * 32 * 64 / 1024
        )

    def test_the_papers_own_registers_give_its_table_1(self):
        """54 and 188 registers a thread: §2.1 with Fermi's and Maxwell's warps."""
        rows = [
            row("a", "baseline", "baseline", 1, kernel="k", device=device)
            | {"registers_per_thread": registers, "occupancy.max_warps": warps}
            for device, warps, registers in (("gtx480", 48, 54), ("ltrf-maxwell", 64, 188))
        ]
        table = ltrf.table_1(frame(rows))
        self.assertEqual(list(table["most"]), [324, 1504])

    def intervals(self):
        rows = []
        for program, kernel, real, optimal in (
            ("a", "k", (4, 40), (2, 40)),
            ("a", "l", (6, 20), (3, 20)),
            ("b", "k", (1, 100), (1, 100)),
        ):
            for scheme, code in (("baseline", 50), ("ltrf", 55), ("ltrf-strand", 60)):
                made = row(program, scheme, scheme, 1, kernel=kernel)
                made["device"] = "ltrf-maxwell,sms=3"
                made["code.instructions"] = code
                for kind, (runs, issued) in (("intervals", real), ("optimal_intervals", optimal)):
                    known = scheme != "baseline"
                    made[f"register_cache.{kind}.runs"] = runs if known else math.nan
                    made[f"register_cache.{kind}.instructions"] = issued if known else math.nan
                rows += [made, made | {"device": "gtx480", "code.instructions": 1}]
        return rows

    def test_lengths(self):
        table = ltrf.table_4(frame(self.intervals()))
        self.assertAlmostEqual(table.loc["ltrf", "average"], (60 / 10 + 100) / 2)
        self.assertAlmostEqual(table.loc["ltrf", "geometric mean"], math.sqrt(600))
        self.assertAlmostEqual(table.loc["optimal", "least"], 60 / 5)
        self.assertAlmostEqual(table.loc["ltrf by optimal", "average"], 53 / 56)
        shares = table.loc["ltrf by optimal, by program"]
        self.assertAlmostEqual(shares["average"], (6 / 12 + 1) / 2)

    def test_code(self):
        """b grows by 5 vectors of two instructions' size, or of three."""
        table = ltrf.code_size(frame(self.intervals()))
        self.assertAlmostEqual(table.loc["b", "vector"], 60 / 50)
        self.assertAlmostEqual(table.loc["b", "instruction"], 65 / 50)
        self.assertAlmostEqual(table.loc["a", "vector"], 120 / 100)


if __name__ == "__main__":
    unittest.main()
