# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures tables and figures of the papers' evaluations again, and shows what
the papers have beside what comes out.

Names are of recipes (--list), or of papers, for all of theirs. The folder of
--out gets a folder with records for each sweep that they need, and a folder for
each recipe with its table (table.md, table.csv) and figure (figure.svg). What
has a record already is not run again, so an interrupted command goes on where it
stopped. On a Slurm cluster --slurm has Slurm run the jobs; for others, options
after -- are Snakemake's own.
"""

import dataclasses
import json
import lzma
import pathlib
import sys
import textwrap

from . import command, figures, host, recipes, records, results, sweep
from . import settings, sweep_command, workflow
from .toolchain import Toolchain, ToolError

NAME = "regshare-reproduce"


def parse_arguments(words):
    parser = command.parser_of(NAME, "NAME...", "options of Snakemake", __doc__)
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="of a recipe or a paper")
    add("--all", action="store_true", help="all recipes")
    add("--list", action="store_true", help="what recipes there are")
    add("--out", default="reproduced", metavar="FOLDER", help="default: reproduced")
    sweep_command.add_options(parser)
    add("--small", action="store_true",
        help="the programs' own small inputs: whether it works, in a minute")
    add("--records", metavar="FILE",
        help="take records from here (.jsonl or .jsonl.xz), run nothing")
    add("--save", metavar="FILE", help="write all records there, for --records")
    add("--page", metavar="FILE", help="write one page with all, in Markdown")
    args = command.parse(parser, words)
    if not (args.names or args.all or args.list):
        parser.error("give the names of recipes, or --all, or --list")
    return args


def list_recipes(every):
    for paper in every:
        print(f"{paper.name}: {paper.title}")
        width = max(len(recipe.name) for recipe in paper.recipes)
        for recipe in paper.recipes:
            print(f"  {recipe.name:{width}}  {recipe.title} ({recipe.place})")


def read_lines(path):
    """The complete lines of a file of records, compressed or not."""
    opener = lzma.open if path.endswith(".xz") else open
    try:
        with opener(path, "rb") as file:
            return records.complete_lines(file.read())
    except OSError as error:
        raise ToolError(f"cannot read '{path}': {error.strerror}") from None
    except (lzma.LZMAError, EOFError) as error:
        raise ToolError(f"cannot read '{path}': {error}") from None


def read_saved(path):
    return list(records.parse(read_lines(path), path))


def save(path, lines):
    text = "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in lines)
    data = text.encode()
    if path.endswith(".xz"):
        data = lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)
    pathlib.Path(path).write_bytes(data)


class Source:
    """Where the records of sweeps come from: a file, or runs. Of a sweep only those
    that `chosen` recipes need, pairs of a paper and its recipe."""

    def __init__(self, args, tools, chosen):
        self.args, self.tools, self.chosen = args, tools, chosen
        self.saved = read_saved(args.records) if args.records else None
        self.used = {}

    def folder(self, paper, name):
        return pathlib.Path(self.args.out) / f"{paper.name}-sweep-{name}"

    def plan(self, paper, name):
        plan = paper.expanded(name, self.tools, self.args.small)
        users = [each for of, each in self.chosen if (of.name, each.sweep) == (paper.name, name)]
        points = [point for point in plan.points if any(each.takes(point) for each in users)]
        return dataclasses.replace(plan, points=points)

    def records(self, paper, name):
        """Of a sweep, with its plan."""
        if (paper.name, name) not in self.used:
            plan = self.plan(paper, name)
            lines = self.saved
            if lines is None:
                lines = self.run(paper, name, plan)
            found = list(sweep.found_in(plan, lines))
            missing = len(plan.points) - len(found)
            if missing:
                raise ToolError(
                    f"{missing} of {len(plan.points)} runs of {paper.name}'s "
                    f"sweep {name} have no record"
                )
            self.used[paper.name, name] = plan, [record for _, record in found]
        return self.used[paper.name, name]

    def frame(self, paper, recipe):
        """What the recipe's table is made of."""
        plan, lines = self.records(paper, recipe.sweep)
        mine = [point for point in plan.points if recipe.takes(point)]
        plan = dataclasses.replace(plan, points=mine)
        return sweep.frame_of(plan, lines, totals=recipe.of == "programs")

    def run(self, paper, name, plan):
        import yaml

        folder = self.folder(paper, name)
        folder.mkdir(parents=True, exist_ok=True)
        sheet = paper.sheet(name, self.args.small)
        path = folder / "sweep.yaml"
        path.write_text(yaml.safe_dump(sheet, sort_keys=False, allow_unicode=True))
        print(f"{paper.name}'s sweep {name}, {path}:", file=sys.stderr)
        options = sweep_command.options_of(self.args)
        return list(workflow.run(self.tools, plan, folder, options).values())


def result_of(source, paper, recipe):
    table = paper.table(recipe, source.frame(paper, recipe))
    result = results.Result(paper, recipe, table)
    missing = [] if source.args.small else list(result.check())
    assert not missing, f"{recipe.name}: the paper has cells that the table has not: {missing}"
    return result


def write_result(args, result):
    folder = pathlib.Path(args.out) / result.recipe.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "table.md").write_text(results.described(result) + "\n")
    (folder / "table.csv").write_text(results.comma_separated(result))
    if result.recipe.draw != "none":
        figures.recipe(result).savefig(folder / "figure.svg")
    print(f"\n{result.recipe.name}: {result.recipe.title} ({result.recipe.place})\n")
    print(results.plain(result))
    if result.recipe.differs:
        print("\n" + "\n".join(textwrap.wrap(result.recipe.differs, 100)))
    brackets = "in brackets: the paper; " if result.recipe.paper else ""
    print(f"\n{brackets}the table is in {folder}")


def reproduce(args, tools):
    every = recipes.papers()
    if args.list:
        list_recipes(every)
        return True
    names = [paper.name for paper in every] if args.all else args.names
    chosen = recipes.find(names, every)
    if not args.records:
        settings.tell_doubts(NAME, tools)
    source = Source(args, tools, chosen)
    made = []
    for paper, recipe in chosen:
        made.append(result_of(source, paper, recipe))
        write_result(args, made[-1])
    if args.save:
        lines = [each for _, found in source.used.values() for each in found]
        save(args.save, records.latest(lines))
    if args.page:
        pathlib.Path(args.page).write_text(results.page(made), encoding="utf-8")
    return True


def main(binaries, words):
    args = parse_arguments(words)
    needed = ["yaml"]
    needed += [] if args.list else ["pandas", "matplotlib"]
    needed += [] if args.list or args.records else ["snakemake"]
    host.with_modules(*needed)
    return command.run(NAME, lambda: reproduce(args, Toolchain(binaries, args.load)))
