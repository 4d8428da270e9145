"""Tables of the recipes of register and scratchpad sharing, of frames made by
hand."""

import math
import unittest

import pandas

from regshare import recipes, sweep
from regshare.recipes import sharing

# Of kernels: the limits of 48 KB and of 16 KB.
LIMITS = {
    ("hotspot", "hotspotKernel"): "registers",
    ("mri-q", "otherKernel"): "CTA slots",
    ("mri-q", "qKernel"): "registers+CTA slots",
    ("cfd", "fluxKernel"): "registers",
    ("stencil", "stencilKernel"): "registers",
    ("lbm", "stepKernel"): "shared memory",
}


def row(pair, run, cycles, **more):
    program, kernel = pair
    made = {
        "program": program,
        "kernel": kernel,
        "run": run,
        "outcome": "finished",
        "occupancy.limited_by": LIMITS[pair],
        "occupancy.ctas": 3,
        "cycles": cycles,
    }
    return made | more


def refused(program, run):
    return {"program": program, "run": run, "outcome": "refused"}


def frame_of(cycles, more=()):
    """`cycles`: by kernel, then by run."""
    rows = [row(p, run, c) for p, runs in cycles.items() for run, c in runs.items()]
    return pandas.DataFrame([*rows, *more])


CYCLES = {
    ("cfd", "fluxKernel"): {"lrr": 100, "owf": 80, "gto": 90},
    ("mri-q", "otherKernel"): {"lrr": 10, "owf": 10, "gto": 10},
    ("mri-q", "qKernel"): {"lrr": 100, "owf": 50, "gto": 100},
    ("hotspot", "hotspotKernel"): {"lrr": 120, "owf": 100, "gto": 100},
    ("lbm", "stepKernel"): {"lrr": 100, "owf": 100, "gto": 100},
}


class FasterTest(unittest.TestCase):
    def test_the_papers_kernels_come_first_and_others_only_if_limited(self):
        table = sharing.figure_8c(frame_of(CYCLES))
        self.assertEqual(
            list(table.index),
            [
                "hotspot", "mri-q, qKernel", "cfd",
                "mean where registers limit", "most where registers limit",
            ],
        )  # fmt: skip
        self.assertEqual(list(table["owf"][:3]), [1.2, 2, 1.25])

    def test_means_are_of_what_the_resource_alone_limits(self):
        for figure, against in ((sharing.figure_8c, "lrr"), (sharing.figure_10a, "gto")):
            table = figure(frame_of(CYCLES))
            ratios = [
                CYCLES[pair][against] / CYCLES[pair]["owf"]
                for pair, limit in LIMITS.items()
                if limit == "registers" and pair in CYCLES
            ]
            mean, most = table["owf"].iloc[-2:]
            self.assertAlmostEqual(mean, math.prod(ratios) ** (1 / len(ratios)))
            self.assertEqual(most, max(ratios))

    def test_a_refused_run_is_an_empty_cell_and_in_no_mean(self):
        cycles = CYCLES | {("stencil", "stencilKernel"): {"lrr": 100}}
        table = sharing.figure_8c(frame_of(cycles, [refused("stencil", "owf")]))
        self.assertTrue(math.isnan(table.loc["stencil", "owf"]))
        self.assertAlmostEqual(
            table.loc["mean where registers limit", "owf"], math.sqrt(1.2 * 1.25)
        )

    def test_nothing_is_limited(self):
        mine = {pair: CYCLES[pair] for pair in [("mri-q", "qKernel")]}
        table = sharing.figure_8c(frame_of(mine))
        self.assertEqual(table["owf"].iloc[0], 2)
        self.assertTrue(table["owf"].iloc[1:].isna().all())


class FiguresTest(unittest.TestCase):
    def test_needs(self):
        more = {
            "block": "16x8x2", "registers_per_thread": 40, "utilisation.registers": 0.9,
            "static_shared_bytes": 100, "dynamic_shared_bytes": 20,
        }  # fmt: skip
        hotspot, lbm = ("hotspot", "hotspotKernel"), ("lbm", "stepKernel")
        frame = pandas.DataFrame(
            [row(hotspot, "lrr", 1, **more), row(hotspot, "gto", 1, **more),
             row(lbm, "lrr", 1, **more)]
        )  # fmt: skip
        for table, name, figures in (
            (sharing.table_2, "hotspot", {"threads": 256, "registers": 40}),
            (sharing.table_3, "lbm", {"threads": 256, "bytes": 120}),
        ):
            self.assertEqual(table(frame).to_dict("index"), {name: figures})
        self.assertAlmostEqual(sharing.figure_1b(frame).loc["hotspot", "unused"], 0.1)

    def test_slots(self):
        def slots(issued, operands, mshr, barrier, gate, none):
            return {
                "slots.issued": issued, "slots.operands": operands,
                "slots.mem-mshr": mshr, "slots.barrier": barrier,
                "slots.scheme-gate": gate, "slots.no-warp": none,
            } | {
                f"slots.{name}": 0
                for name in sharing.STALLS if name not in ("operands", "mem-mshr")
            }  # fmt: skip

        hotspot, cfd = ("hotspot", "hotspotKernel"), ("cfd", "fluxKernel")
        frame = pandas.DataFrame(
            [
                row(hotspot, "lrr", 1, **slots(50, 6, 4, 20, 0, 7)),
                row(hotspot, "owf", 1, **slots(50, 3, 2, 10, 5, 9)),
                row(cfd, "lrr", 1, **slots(50, 0, 0, 10, 0, 0)),
                row(cfd, "owf", 1, **slots(50, 1, 0, 4, 1, 0)),
            ]
        )
        table = sharing.figure_9c(frame)
        self.assertEqual(list(table["idle"]), [15 / 20, 0.5, 0.5])
        self.assertEqual(table.loc["hotspot", "stalls"], 0.5)
        self.assertTrue(math.isnan(table.loc["cfd", "stalls"]))
        self.assertEqual(table["stalls"].iloc[-1], 0.5)

    def test_over_how_much_is_shared(self):
        pair = ("hotspot", "hotspotKernel")
        shares = {1: 100, 0.9: 100, 0.7: 80, 0.5: 125, 0.3: 50}
        rows = [row(pair, "lrr", 999), row(pair, "owf", 200, **{"occupancy.ctas": 5})]
        rows += [
            row(pair, "shares", c, **{"at.private-share": t}) for t, c in shares.items()
        ]
        frame = pandas.DataFrame(rows)
        table = sharing.table_5(frame)
        columns = ["10%", "30%", "50%", "70%", "90%"]
        self.assertEqual(list(table.columns), columns)
        self.assertEqual(list(table.loc["hotspot"]), [1, 1.25, 0.8, 2, 0.5])
        table = sharing.table_6(frame)
        self.assertEqual(list(table.columns), ["0%", *columns])
        self.assertEqual(list(table.loc["hotspot"]), [3, 3, 3, 3, 3, 5])


def unlimited(changes=None):
    """All five runs of both kinds of a few programs, each 100 cycles unless
    `changes` has others, by program and run."""
    rows = []
    for kind in ("registers", "scratchpad"):
        for program, limits in (
            ("bfs", ("threads+warps", "CTA slots")),
            ("hotspot", ("CTA slots", "registers+warps")),
            ("nw", ("shared memory", "CTA slots")),
        ):
            for run in ("lrr", "gto", "lrr-opt", "gto-opt", "owf"):
                name = f"{kind} {run}"
                cycles = (changes or {}).get((program, name), 100)
                for kernel, limit in zip(("expandKernel", "l"), limits):
                    rows.append(
                        {
                            "program": program, "kernel": kernel, "run": name,
                            "outcome": "finished", "cycles": cycles,
                            "occupancy.limited_by": limit,
                        }
                    )  # fmt: skip
    return pandas.DataFrame(rows)


class UnlimitedTest(unittest.TestCase):
    COLUMN = "exactly Baseline's cycles"

    def test_programs_in_which_a_kernel_shares_are_not_counted(self):
        changes = {("hotspot", "registers lrr-opt"): 1, ("nw", "scratchpad gto-opt"): 1}
        table = sharing.unlimited(unlimited(changes))[self.COLUMN]
        # bfs and nw, bfs and hotspot, of two kernels each.
        names = ["registers, LRR", "registers, GTO", "scratchpad, LRR", "scratchpad, GTO"]
        self.assertEqual(list(table.index), [*(f"{n}: 4 of 4" for n in names), "all"])
        self.assertTrue((table == 1).all())

    def test_a_single_cycle_counts(self):
        table = sharing.unlimited(unlimited({("nw", "registers gto-opt"): 101}))
        self.assertEqual(table.loc["registers, GTO: 2 of 4", self.COLUMN], 0.5)
        self.assertEqual(table.loc["all", self.COLUMN], 14 / 16)

    def test_set_3(self):
        changes = {("bfs", "registers owf"): 80, ("bfs", "registers lrr-opt"): 50}
        table = sharing.figure_12a(unlimited(changes))
        self.assertEqual(list(table.index), ["bfs, expandKernel"])
        self.assertEqual(list(table.iloc[0]), [2, 1, 1.25])
        self.assertEqual(list(sharing.figure_12b(unlimited(changes)).iloc[0]), [1, 1, 1])


class SheetTest(unittest.TestCase):
    def test_small_runs_have_every_programs_own_inputs(self):
        (paper,) = (each for each in recipes.papers() if each.name == "sharing")
        for name, whole in paper.sweeps.items():
            sheet = paper.sheet(name, is_small=True)
            self.assertEqual(sheet["inputs"], "own")
            for entry in sweep.programs_of("here", sheet):
                self.assertEqual(entry.arguments, ())
            self.assertEqual(paper.sheet(name), whole)

    def test_programs_with_inputs_of_their_own(self):
        sheet = {"programs": ["nw", {"name": "mum", "inputs": "eighth"}], "inputs": "own"}
        nw, mum = sweep.programs_of("here", sheet)
        self.assertEqual((nw.name, nw.arguments), ("nw", ()))
        self.assertEqual((mum.name, mum.arguments), ("mum", ("4000", "5000")))
        for wrong, why in (
            ({"name": "mum", "inputs": "half"}, "unknown inputs 'half'"),
            ({"name": "mum", "inputs": "own", "arguments": "1"}, "by its 'name' alone"),
            ({"name": "mum"}, "needs 'source'"),
        ):
            with self.assertRaisesRegex(sweep.ToolError, why):
                sweep.programs_of("here", {"programs": [wrong]})


if __name__ == "__main__":
    unittest.main()
