import csv
import inspect
import math
import types
import unittest

import pandas

from regshare import figures, recipes, results, sweep
from regshare.recipes import common


def paper(**changes):
    recipe = {"title": "Title", "place": "§1", "sweep": "s", "unit": "change"}
    recipe |= {"paper": {"mean": {"a": 1.5}, 2: {"b": 0.9}}, "differs": "Because."}
    recipe = recipes.recipe_of("p-figure-1", recipe | changes)
    headlines = [
        recipes.Headline("gain", "p-figure-1", "mean", "a"),
        recipes.Headline("of what was not measured", "p-figure-2", "mean", "a"),
    ]
    return recipes.Paper("p", "A paper", {}, [recipe], headlines)


def result(**changes):
    table = pandas.DataFrame(
        {"a": [1.25, 1.0], "b": [0.5, math.nan]}, index=["mean", "2"]
    )
    made = paper(**changes)
    return results.Result(made, made.recipes[0], table)


class TextTest(unittest.TestCase):
    def test_units(self):
        cases = (
            (1.032, "change", "+3.2%"), (0.9999, "change", "+0.0%"),
            (0.75, "change", "-25.0%"), (0.125, "share", "12.5%"),
            (1.2345, "ratio", "1.23"), (1234567.0, "number", "1,234,567"),
            (12345.0, "number", "12,345"), (0.5, "number", "0.5"),
            (math.nan, "ratio", ""), (None, "change", ""),
        )  # fmt: skip
        for value, unit, text in cases:
            self.assertEqual(results.text_of(value, unit), text)

    def test_cells_have_the_papers_figure_behind(self):
        self.assertEqual(
            results.cells(result()),
            [
                ["", "a", "b"],
                ["mean", "+25.0% (+50.0%)", "-50.0%"],
                ["2", "+0.0%", "(-10.0%)"],
            ],
        )

    def test_markdown(self):
        self.assertEqual(
            results.markdown(result()).splitlines(),
            [
                "|  | a | b |",
                "| --- | --- | --- |",
                "| mean | +25.0% (+50.0%) | -50.0% |",
                "| 2 | +0.0% | (-10.0%) |",
            ],
        )

    def test_plain_lines_up(self):
        lines = results.plain(result()).splitlines()
        self.assertEqual(lines[1], "mean  +25.0% (+50.0%)    -50.0%")
        self.assertEqual(lines[2], "2               +0.0%  (-10.0%)")

    def test_comma_separated_is_whole(self):
        read = list(csv.reader(results.comma_separated(result()).splitlines()))
        self.assertEqual(read[0], ["row", "column", "measured", "paper"])
        self.assertEqual(read[1], ["mean", "a", "1.25", "1.5"])
        self.assertEqual(read[4], ["2", "b", "", "0.9"])

    def test_page(self):
        text = results.page([result()])
        self.assertIn(
            "| p | gain | +50.0% | +25.0% | [§1](#p-figure-1) |\n", text
        )
        self.assertNotIn("of what was not measured", text)
        self.assertLess(text.index("## A paper"), text.index("### p-figure-1"))
        self.assertTrue(text.endswith("Because.\n"))

    def test_cells_of_the_paper_that_no_table_has(self):
        self.assertEqual(list(result().check()), [])
        missing = result(paper={"mean": {"c": 1}, "3": {"a": 2}})
        self.assertEqual(list(missing.check()), [("mean", "c"), ("3", "a")])


class DrawTest(unittest.TestCase):
    def test_the_paper_is_a_diamond_at_its_bar(self):
        axes = figures.recipe(result()).axes[0]
        bars = {
            (round(bar.get_x() + bar.get_width() / 2, 6), bar.get_y() + bar.get_height())
            for bar in axes.patches
        }
        self.assertEqual(bars, {(-0.2, 1.25), (0.8, 1), (0.2, 0.5), (1.2, 1)})
        self.assertEqual({bar.get_y() for bar in axes.patches}, {1})
        points = {
            (round(x, 6), y)
            for line in axes.lines
            if line.get_marker() == "D"
            for x, y in zip(line.get_xdata(), line.get_ydata())
        }
        self.assertEqual(points, {(-0.2, 1.5), (1.2, 0.9)})
        labels = [text.get_text() for text in axes.get_legend().get_texts()]
        self.assertEqual(sorted(labels), ["a", "b", "paper"])

    def test_a_bar_beyond_the_axis_has_its_figure(self):
        made = result()
        self.assertEqual(len(figures.recipe(made).axes[0].texts), 0)
        made.table.loc["2", "a"] = 6.7
        axes = figures.recipe(made).axes[0]
        self.assertEqual([text.get_text() for text in axes.texts], ["+570%"])
        self.assertEqual(axes.get_ylim()[1], 2)

    def test_bars_of_what_is_no_change_begin_at_zero(self):
        axes = figures.recipe(result(unit="ratio")).axes[0]
        self.assertEqual([bar.get_y() for bar in axes.patches], [0] * 4)
        heights = [bar.get_height() for bar in axes.patches]
        self.assertEqual(heights, [1.25, 1, 0.5, 0])

    def test_lines(self):
        axes = figures.recipe(result(draw="lines")).axes[0]
        lines = [line for line in axes.lines if line.get_marker() == "o"]
        self.assertEqual(list(lines[0].get_ydata()), [1.25, 0.5])
        self.assertEqual([each.get_label() for each in lines], ["mean", "2"])


def frame():
    rows = [
        ("p", "k", "base", 100, "registers"), ("p", "k", "x", 50, "registers"),
        ("p", "l", "base", 80, "warp slots"), ("p", "l", "x", 160, "warp slots"),
        ("q", "m", "base", 30, "registers+CTA slots"), ("q", "m", "x", None, None),
    ]  # fmt: skip
    names = ["program", "kernel", "run", "cycles", "occupancy.limited_by"]
    made = pandas.DataFrame(rows, columns=names)
    return made.assign(
        outcome=["refused" if c != c else "finished" for c in made["cycles"]]
    )


class CommonTest(unittest.TestCase):
    def test_rows_are_named_by_program_and_kernel(self):
        table = common.by(frame(), "cycles")
        self.assertEqual(list(table.index), ["p, k", "p, l", "q"])
        self.assertEqual(list(table.columns), ["base", "x"])
        self.assertEqual(table.loc["p, l", "x"], 160)
        self.assertTrue(math.isnan(table.loc["q", "x"]))

    def test_a_part_keeps_the_names_of_the_whole(self):
        whole = common.named(frame())
        part = whole[whole["kernel"] != "l"]
        self.assertEqual(list(common.by(part, "cycles").index), ["p, k", "q"])

    def test_programs_as_rows(self):
        totals = frame().drop(columns="kernel").drop_duplicates(["program", "run"])
        self.assertEqual(list(common.by(totals, "cycles").index), ["p", "q"])

    def test_means_are_of_rows_that_have_all(self):
        table = common.speedups(frame(), "base")
        self.assertEqual(list(table["x"][:2]), [2, 0.5])
        self.assertAlmostEqual(table.loc["mean", "x"], 1)

    def test_geomean(self):
        self.assertAlmostEqual(common.geomean([1, 8, math.nan]), math.sqrt(8))
        self.assertTrue(math.isnan(common.geomean([])))

    def test_what_something_alone_limits(self):
        kept = common.limited_by(frame(), "registers", "base")
        self.assertEqual(list(kept["kernel"]), ["k", "k"])


class PapersTest(unittest.TestCase):
    def test_recipes_have_functions_and_sweeps(self):
        for each in recipes.papers():
            names = {recipe.name for recipe in each.recipes}
            self.assertEqual(len(names), len(each.recipes))
            for recipe in each.recipes:
                self.assertIn(recipe.sweep, each.sweeps, recipe.name)
                self.assertIn(recipe.of, ("kernels", "programs"), recipe.name)
                self.assertTrue(recipe.name.startswith(f"{each.name}-"))
                # Is there, and takes a frame.
                function = recipes.function_of(each, recipe)
                self.assertEqual(len(inspect.signature(function).parameters), 1)
            for headline in each.headlines:
                self.assertIn(headline.recipe, names)
                mine = next(r for r in each.recipes if r.name == headline.recipe)
                # Where the paper's claim is no figure, the text says it.
                if "(paper:" not in headline.text:
                    self.assertIn(headline.column, mine.paper[headline.row])

    def test_takes(self):
        def point(run, *at):
            program = types.SimpleNamespace(name="nn")
            return types.SimpleNamespace(run=run, scheme="rfc", program=program, at=at)

        needs = {"runs": ["a", "b"], "schemes": ["rfc"], "registers": ["x1", 2]}
        mine = paper(needs=needs).recipes[0]
        self.assertTrue(mine.takes(point("a")))
        self.assertTrue(mine.takes(point("b", ("registers", "x1"))))
        self.assertTrue(mine.takes(point("b", ("registers", 2), ("tau", 1))))
        self.assertFalse(mine.takes(point("c")))
        self.assertFalse(mine.takes(point("a", ("registers", "x2"))))
        self.assertFalse(paper(needs={"schemes": ["rfv"]}).recipes[0].takes(point("a")))
        self.assertFalse(paper(needs={"programs": ["bfs"]}).recipes[0].takes(point("a")))

    def test_what_is_needed_is_in_the_sweep(self):
        for made in recipes.papers():
            for recipe in made.recipes:
                sheet = made.sweeps[recipe.sweep]
                has = {"runs": set(), "schemes": set()}
                for run in sheet["runs"]:
                    schemes = sweep.listed(run["scheme"])
                    has["schemes"].update(schemes)
                    has["runs"].update([run["name"]] if "name" in run else schemes)
                    for key, values in (run.get("device") or {}).items():
                        values = map(str, sweep.listed(values))
                        has.setdefault(key, set()).update(values)
                for key, few in recipe.needs.items():
                    if key == "programs":
                        has[key] = set(sweep.suite_inputs())
                    self.assertLessEqual(few, has[key], (recipe.name, key))

    def test_find(self):
        every = recipes.papers()
        first = every[0]
        found = recipes.find([first.name, first.recipes[0].name], every)
        self.assertEqual([r for _, r in found], first.recipes)
        with self.assertRaisesRegex(recipes.ToolError, "unknown recipe 'x'"):
            recipes.find(["x"], every)


if __name__ == "__main__":
    unittest.main()
