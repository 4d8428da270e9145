"""Needs pandas and matplotlib."""

import json
import pathlib
import tempfile
import unittest

import samples
from regshare import figures, records
from test_views import runs


class FrameTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def load(self, made, **options):
        path = self.folder / "records.jsonl"
        path.write_text("".join(json.dumps(each) + "\n" for each in made))
        return records.load(path, **options)

    def test_kernels(self):
        frame = self.load(runs())
        self.assertEqual(len(frame), 10)
        self.assertEqual(frame["cycles"].sum(), 2 * (1000100 + 500080))
        self.assertEqual(frame[frame["outcome"] == "refused"]["cycles"].count(), 0)

    def test_totals(self):
        frame = self.load(runs(), totals=True)
        self.assertEqual(len(frame), 6)
        self.assertEqual(frame["cycles"].max(), 1000100)

    def test_against_baseline(self):
        for totals in (False, True):
            frame = self.load(runs(), totals=totals)
            joined = records.against_baseline(frame)
            self.assertEqual(len(joined), len(frame))
            self.assertEqual(list(joined["id"]), list(frame["id"]))
            base = joined[joined["scheme"] == "baseline"]
            self.assertTrue((base["speedup"] == 1).all())
            self.assertTrue((base["added_instructions"] == 0).all())
            self.assertEqual(joined[joined["scheme"] == "rfv"]["speedup"].count(), 0)
            faster = joined[joined["scheme"] == "expars"].iloc[0]
            wanted = 1000100 / 500080 if totals else 100 / 80
            self.assertAlmostEqual(faster["speedup"], wanted)
            self.assertEqual(faster["added_instructions"], 3)
            self.assertEqual(faster["added_statements"], 4)

    def test_sampled_runs_are_compared_with_a_sampled_baseline(self):
        given = {"REGSHARE_SAMPLE": "3"}
        made = [
            samples.record(launches=[samples.launch(cycles=100)]),
            samples.record(launches=[samples.launch(cycles=90)], given=given),
            samples.record("rfv", [samples.launch(cycles=45)], given=given),
            samples.record("ltrf", [samples.launch(cycles=45)], given={"REGSHARE_SAMPLE": "5"}),
        ]
        joined = records.against_baseline(self.load(made)).set_index("label")["speedup"]
        self.assertEqual(joined["baseline"], 1)
        self.assertEqual(joined["baseline sample=3"], 1)
        self.assertEqual(joined["rfv sample=3"], 2)
        self.assertEqual(joined.count(), 3)

    def test_against_a_baseline_that_is_not_there(self):
        refused = samples.record(outcome="refused", why="no")
        frame = self.load([refused, samples.record("rfv")])
        self.assertEqual(records.against_baseline(frame)["speedup"].count(), 0)
        self.assertEqual(len(records.against_baseline(self.load([refused]))), 1)

    def test_against_the_baseline_of_the_same_file_of_a_device(self):
        made = []
        for sha256, cycles in (("a", 100), ("b", 400)):
            for scheme, factor in (("baseline", 1), ("ideal", 0.5)):
                launches = [samples.launch(cycles=int(cycles * factor))]
                each = samples.record(scheme, launches)
                each["configuration"]["device"]["sha256"] = sha256
                each["id"] = records.identity(each["configuration"])
                made.append(each)
        joined = records.against_baseline(self.load(made, totals=True))
        self.assertEqual(list(joined["speedup"]), [1, 2, 1, 2])
        self.assertEqual(list(joined["device_sha256"]), ["a", "a", "b", "b"])
        with self.assertRaisesRegex(ValueError, "'ideal' has several rows of app"):
            figures.speedups(self.load(made, totals=True))

    def test_speedups(self):
        frame = self.load(runs(), totals=True)
        figure = figures.speedups(frame)
        (axes,) = figure.axes
        heights = [[bar.get_height() for bar in group] for group in axes.containers]
        self.assertEqual(heights, [[1000100 / 500080] * 2])
        names = [label.get_text() for label in axes.get_xticklabels()]
        self.assertEqual(names, ["app on gtx480", "app on h100,registers=4096"])
        for suffix in ("svg", "png"):
            figure.savefig(self.folder / f"speedups.{suffix}")
            self.assertGreater((self.folder / f"speedups.{suffix}").stat().st_size, 1000)

    def test_colours_and_legends(self):
        _, axes = figures.new_figure(5, 3)
        colours = {axes.bar([n], [1])[0].get_facecolor() for n in range(20)}
        self.assertEqual(len(colours), 20)
        figure = figures.speedups(self.load(runs(), totals=True))
        figure.savefig(self.folder / "legend.svg")
        (axes,) = figure.axes
        hidden = axes.get_legend().get_window_extent().overlaps(axes.get_window_extent())
        self.assertFalse(hidden, "the legend lies on the bars")

    def test_cpi_stacks(self):
        frame = self.load(runs()[:3])
        figure = figures.cpi_stacks(frame)
        ends = {}
        for group in figure.axes[0].containers:
            for row, bar in enumerate(group):
                ends[row] = ends.get(row, 0) + bar.get_width()
        finished = frame[frame["outcome"] == "finished"]
        for row, cycles in enumerate(finished["cycles"]):
            # Two slots a cycle, 50 instructions.
            self.assertAlmostEqual(ends[row], 2 * cycles / 50)
        shown = {text.get_text() for text in figure.axes[0].get_legend().get_texts()}
        self.assertEqual(shown, {"issued", "load/store unit", "no warp"})

    def test_families(self):
        self.assertEqual(figures.family("dependency"), "arithmetic results")
        self.assertEqual(figures.family("dependency-shared"), "memory results")
        self.assertEqual(figures.family("not known yet"), "other")

    def test_sweep(self):
        made = [
            samples.record("expars", [samples.launch(cycles=c)], given={"REGSHARE_TAU": t})
            for t, c in (("0.9", 70), ("0.1", 100), ("0.5", 80))
        ]
        given = {"REGSHARE_TAU": "1"}
        made.append(samples.record("expars", outcome="refused", why="no", given=given))
        figure = figures.sweep(self.load(made, totals=True), "tau")
        (line,) = figure.axes[0].lines
        self.assertEqual(list(line.get_xdata()), [0.1, 0.5, 0.9])
        self.assertEqual(list(line.get_ydata()), [100, 80, 70])
        with self.assertRaisesRegex(ValueError, "no setting 'size'"):
            figures.sweep(self.load(made, totals=True), "size")

    def test_nothing_to_draw(self):
        frame = self.load([samples.record(outcome="refused", why="no")])
        for draw in (figures.speedups, figures.cpi_stacks):
            with self.assertRaisesRegex(ValueError, "nothing to draw"):
                draw(frame)


if __name__ == "__main__":
    unittest.main()
