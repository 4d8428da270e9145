"""EXPARS' tables, of frames made by hand. Needs pandas."""

import itertools
import math
import unittest

import pandas

from regshare import recipes, results, sweep
from regshare.recipes import expars

SCHEDULERS = {
    "baseline": ["lrr", "gto", "two-level"],
    "warpman": ["lrr", "gto", "two-level"],
    "expars": ["lrr", "gto", "two-level", "ltlws-lrr", "ltlws-gto"],
    "ideal": ["gto"],
}


def row(program="app", run="baseline", scheduler="gto", **figures):
    """Of a kernel with CTAs of eight warps, of which registers allow four."""
    made = {
        "program": program,
        "kernel": "kernel",
        "device": "gtx480,sms=1",
        "run": run,
        expars.SCHEDULER: scheduler,
        "outcome": "finished",
        "block": "16x16x1",
        "static_shared_bytes": 1024,
        "dynamic_shared_bytes": 512,
        "registers_per_thread": 28,
        "cycles": 1000,
        "occupancy.ctas": 4,
        "occupancy.warps": 32,
        "occupancy.max_warps": 48,
        "occupancy.limited_by": "registers",
        "utilisation.registers": 0.875,
        "utilisation.scratchpad": 0.125,
        "utilisation.overall": 0.67,
        "energy.total": 100.0,
        "energy.parts.issue": 10.0,
        "energy.parts.constant": 60.0,
        "operand_cache.mixed_ctas_per_sm": math.nan,
        "operand_cache.start_reg": math.nan,
    }
    return made | figures


def frame(*rows):
    return pandas.DataFrame(rows)


def other(**figures):
    """Of a kernel that registers do not limit."""
    return row("other", **{"occupancy.limited_by": "registers+warps"} | figures)


class ResidencyTest(unittest.TestCase):
    def test_kernels_that_registers_alone_limit(self):
        table = expars.figure_1(
            frame(row(), row("app2", **{"utilisation.registers": 0.75}), other())
        )
        self.assertEqual(list(table.index), ["app", "app2", "mean"])
        self.assertEqual(table.loc["mean", "register file"], (0.875 + 0.75) / 2)
        self.assertEqual(table.loc["mean", "scratchpad"], 0.125)

    def test_of_a_programs_kernels_too(self):
        with_two = frame(row(), row(kernel="small", **{"occupancy.limited_by": "warps"}))
        self.assertEqual(list(expars.figure_1(with_two).index), ["app", "mean"])

    def test_oracle_fills_one_memory_of_both(self):
        words, slots, max_warps = 32768 + 12288, 8, 48
        for registers, scratchpad, warps in itertools.product(
            (1024, 4608, 5632, 7168, 12288), (0, 128, 2048), (4, 6, 8, 16)
        ):
            one, wanted = registers + scratchpad, 0
            while (
                (wanted + 1) * one <= words
                and (wanted + 1) * warps <= max_warps
                and wanted < slots
            ):
                wanted += 1
            series = (pandas.Series([x]) for x in (4 * one, warps, max_warps))
            got = expars.oracle_ctas(*series, slots)
            self.assertEqual(got[0], wanted, (registers, scratchpad, warps))

    def test_oracle(self):
        # 30,208 bytes each; as a device rounds registers there may be less room.
        rows = [row(), row("app2", **{"registers_per_thread": 62}), other()]
        ctas = expars.figure_2_ctas(frame(*rows))
        self.assertEqual(list(ctas["oracle"]), [5, 2, 3.5])
        self.assertEqual(list(ctas["baseline"]), [4, 4, 4])
        use = expars.figure_2_use(frame(*rows))
        self.assertAlmostEqual(use.loc["app", "oracle"], 5 * 30208 / (131072 + 49152))
        self.assertEqual(use.loc["app", "baseline"], 0.67)

    def test_mixed_ctas(self):
        mixed = {"operand_cache.mixed_ctas_per_sm": 2, "operand_cache.start_reg": 7}
        none = {"operand_cache.mixed_ctas_per_sm": 0, "operand_cache.start_reg": 0}
        rows = [row(), row(run="expars", **mixed)]
        rows += [row("app2"), row("app2", "expars", **none)]
        ctas = expars.figure_12_ctas(frame(*rows))
        self.assertEqual(list(ctas["mixed"]), [2, 0, 1])
        places = expars.figure_11(frame(*rows))
        self.assertEqual(list(places.index), ["app", "mean"])
        self.assertEqual(list(places.loc["app"]), [0.25, 0.75])


class SpeedTest(unittest.TestCase):
    def rows(self, program, by_series):
        for name, cycles in by_series.items():
            run, scheduler = name.rsplit(" ", 1)
            yield row(program, run, scheduler, cycles=cycles)

    def every(self, program, cycles):
        names = [f"{run} {each}" for run, all_ in SCHEDULERS.items() for each in all_]
        return self.rows(program, dict(zip(names, cycles)))

    def test_against_the_same_scheduler(self):
        first = [100, 200, 300, 110, 190, 310, 80, 220, 290, 50, 250, 70]
        second = [1000, 900, 800, 900, 1000, 700, 500, 600, 800, 500, 300, 1]
        table = expars.figure_13(
            frame(*self.every("a", first), *self.every("b", second), other())
        )
        plain = SCHEDULERS["baseline"]
        wanted = [f"{run} {each}" for run in ("warpman", "expars") for each in plain]
        self.assertEqual(list(table.columns), [*wanted, "ideal gto"])
        self.assertEqual(list(table.index), ["a", "b", "mean"])
        self.assertAlmostEqual(table.loc["a", "ideal gto"], 200 / 70)
        for n, column in enumerate(wanted):
            ratios = [first[n % 3] / first[3 + n], second[n % 3] / second[3 + n]]
            self.assertAlmostEqual(table.loc["a", column], ratios[0])
            self.assertAlmostEqual(table.loc["b", column], ratios[1])
            mean = math.sqrt(math.prod(ratios))
            self.assertAlmostEqual(table.loc["mean", column], mean)

    def test_ltlws_against_the_policy_inside(self):
        table = expars.figure_14(
            frame(*self.every("a", [100, 200, 300, 1, 1, 1, 1, 1, 1, 50, 250, 1]))
        )
        self.assertEqual(list(table.loc["a"]), [100 / 50, 200 / 250])
        self.assertEqual(list(table.columns), ["expars ltlws-lrr", "expars ltlws-gto"])

    def test_a_refused_run_is_in_no_mean(self):
        rows = [*self.every("a", [100] * 6 + [50] * 6)]
        rows += self.every("b", [100] * 6 + [10] * 6)
        for each in rows:
            if each["program"] == "b" and each["run"] == "expars":
                each["outcome"] = "refused"
        table = expars.figure_13(frame(*rows))
        self.assertEqual(table.loc["mean", "expars gto"], 2)
        self.assertTrue(math.isnan(table.loc["b", "expars gto"]))

    def test_a_larger_file(self):
        names = ["baseline gto", "warpman gto"]
        names += [f"{run} with 2 KB more gto" for run in ("baseline", "warpman")]
        rows = self.rows("a", dict(zip(names, [100, 90, 100, 60])))
        self.assertEqual(list(expars.larger_file(frame(*rows)).loc["mean"]), [1, 1.5])

    def test_energy(self):
        rows = list(self.every("a", [100] * 12))
        rows[7] |= {"energy.total": 130.0, "energy.parts.issue": 20.0}
        larger = [f"{run} with 2 KB more gto" for run in ("baseline", "warpman")]
        rows += self.rows("a", dict.fromkeys(larger, 1))
        table = expars.figure_15(frame(*rows))
        self.assertEqual(len(table.columns), 8)
        self.assertAlmostEqual(table.loc["a", "expars gto"], 1.3)
        accounts = expars.energy_accounts(frame(*rows))
        self.assertEqual(len(accounts), 8)
        self.assertAlmostEqual(accounts.loc["expars gto", "as they are"], 1.3)
        self.assertAlmostEqual(
            accounts.loc["expars gto", "instructions tenfold"], (110 + 200) / (90 + 100)
        )
        self.assertAlmostEqual(accounts.loc["expars gto", "no constant part"], 70 / 40)

    def test_short_grids(self):
        rows = [*self.every("a", [100] * 6 + [50] * 6)]
        rows += self.every("b", [100] * 6 + [25] * 6)
        table = expars.short_grids(frame(*rows))
        self.assertEqual(list(table.index), ["warpman", "expars", "ideal"])
        self.assertAlmostEqual(table.loc["expars", "ltlws-gto"], math.sqrt(8))
        self.assertTrue(math.isnan(table.loc["warpman", "ltlws-gto"]))


class CapacityTest(unittest.TestCase):
    def test_table_3(self):
        rows = frame(
            row("leukocyte", block="175x1x1", kernel="gicovKernel")
            | {"registers_per_thread": 19},
            row("leukocyte", kernel="dilateKernel"),
            row("lbm", device="ltrf-maxwell,sms=1"),
            row("lbm", run="expars"),
            row("lbm", block="128x1x1", registers_per_thread=42),
        )
        table = expars.table_3(rows)
        self.assertEqual(list(table.loc["leukocyte"]), [4, 6, 1536, 192 * 19])
        self.assertEqual(list(table.loc["lbm"]), [4, 4, 1536, 128 * 42])
        self.assertTrue(table.loc["sgemm"].isna().all())

    def test_required_memory(self):
        """Against filling an SM whose memories have no end."""
        for machine, slots in expars.CTA_SLOTS.items():
            cases = ((4, 8, 48), (3, 6, 64), (8, 1, 48), (2, 16, 64))
            for ctas, warps, max_warps in cases:
                register_share, resident, taken = 0.9 / ctas, 0, 0.0
                while resident < slots and (resident + 1) * warps <= max_warps:
                    resident += 1
                    taken += register_share
                figures = {
                    "device": f"{machine},sms=1",
                    "occupancy.ctas": ctas,
                    "occupancy.warps": ctas * warps,
                    "occupancy.max_warps": max_warps,
                    "utilisation.registers": 0.9,
                }
                (got,) = expars.required(frame(row(**figures)), "registers")
                self.assertAlmostEqual(got, taken)

    def test_table_4(self):
        maxwell = {"device": "ltrf-maxwell,sms=1", "occupancy.max_warps": 64}
        rows = [row("bfs"), row("cfd", **{"occupancy.limited_by": "warps"}), row("lbm")]
        rows += [each | maxwell for each in rows] + [row("monteCarlo")]
        rows.append(row("bfs", "expars", **{"utilisation.registers": 1.0}))
        rows[0]["utilisation.registers"] = 1.0
        table = expars.table_4(frame(*rows))
        self.assertAlmostEqual(
            table.loc["Rodinia, all", "registers Fermi"], (6 / 4 + 6 / 4 * 0.875) / 2
        )
        sensitive = table.loc["Rodinia, register-sensitive"]
        self.assertAlmostEqual(sensitive["registers Fermi"], 1.5)
        self.assertAlmostEqual(table.loc["Parboil, all", "registers Maxwell"], 2 * 0.875)
        self.assertAlmostEqual(table.loc["Parboil, all", "scratchpad Fermi"], 1.5 * 0.125)

    def test_maxwell(self):
        here = {"device": "ltrf-maxwell,sms=1"}
        rows = [
            row("cfd", **here), row("cfd", "expars", **here | {"occupancy.ctas": 6}),
            row("lbm", **here), row("lbm", "expars", **here | {"occupancy.ctas": 5}),
            row("sgemm", **here), row("sgemm", "expars", **here | {"occupancy.ctas": 7}),
            row("hotspot"), row("hotspot", "expars"), row("monteCarlo", **here),
        ]  # fmt: skip
        table = expars.figure_16(frame(*rows))
        self.assertEqual(
            list(table.index), ["cfd", "mean, Rodinia", "lbm", "sgemm", "mean, Parboil"]
        )
        self.assertEqual(list(table["expars"]), [1.5, 1.5, 1.25, 1.75, 1.5])
        use = expars.figure_17(frame(*rows))
        self.assertEqual(list(use.columns), ["baseline", "expars"])


class SheetTest(unittest.TestCase):
    """Of frames with every run of the sheet's sweeps."""

    def frame(self, sheet):
        rows = []
        mixed = {expars.MIXED: 1, "operand_cache.start_reg": 8}
        for program, machine, run in itertools.product(
            sheet["programs"], sweep.listed(sheet["devices"]), sheet["runs"]
        ):
            here = {
                "kernel": expars.TABLE_3.get(program) or "kernel",
                "device": f"{machine},sms=1",
            }
            schedulers = run.get("device", {}).get("timing.core.scheduler", ["gto"])
            for scheme, scheduler in itertools.product(
                sweep.listed(run["scheme"]), schedulers
            ):
                figures = here | (mixed if scheme == "expars" else {})
                name = run.get("name", scheme)
                rows.append(row(program, name, scheduler, **figures))
        return frame(*rows)

    def test_every_figure_of_the_paper_has_its_cell(self):
        paper = next(each for each in recipes.papers() if each.name == "expars")
        frames = {name: self.frame(sheet) for name, sheet in paper.sweeps.items()}
        for recipe in paper.recipes:
            table = paper.table(recipe, frames[recipe.sweep])
            result = results.Result(paper, recipe, table)
            self.assertEqual(list(result.check()), [], recipe.name)
            for headline in paper.headlines:
                if headline.recipe == recipe.name:
                    place = headline.row, headline.column
                    # Where the paper's claim is no figure, the text says it.
                    if "(paper:" not in headline.text:
                        self.assertIsNotNone(result.paper_figure(*place))
                    self.assertGreater(result.measured(*place), 0)


if __name__ == "__main__":
    unittest.main()
