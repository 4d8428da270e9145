# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recipes: tables and figures of the papers' evaluations, measured again
(docs/evaluation.md).

PAPER.yaml beside this says what is run and what the paper has, PAPER.py makes a
recipe's table of what was measured: the recipe `ltrf-figure-9` is the function
figure_9 of ltrf.py, which gets a frame (sweep.frame_of) and gives a pandas frame
whose index and columns name what `paper` has figures of.
"""

import dataclasses
import importlib
import pathlib

from .. import sweep
from ..toolchain import ToolError

HERE = pathlib.Path(__file__).resolve().parent
UNITS = ("change", "share", "ratio", "number")
DRAWINGS = ("bars", "lines", "none")
# What a small sweep has instead: the programs' own inputs tell that a recipe
# works, and nothing of the schemes.
SMALL = {"inputs": "own", "part": 8}


@dataclasses.dataclass
class Recipe:
    name: str
    title: str
    place: str  # in the paper
    sweep: str  # one of its paper's
    unit: str  # of the cells: see UNITS
    of: str  # what frames have a row for: "kernels" or "programs"
    draw: str
    paper: dict  # the paper's own figures: by row, then by column
    differs: str  # where and why ours do
    # Of the sweep's runs, if not all: names of `runs`, `schemes` or `programs`, or
    # values of what runs vary.
    needs: dict

    def takes(self, point):
        """Whether its table needs this run (a sweep.Point)."""
        has = {
            "runs": point.run,
            "schemes": point.scheme,
            "programs": point.program.name,
        } | dict(point.at)
        wanted = ((has[key], few) for key, few in self.needs.items() if key in has)
        return all(str(value) in few for value, few in wanted)


@dataclasses.dataclass
class Headline:
    text: str
    recipe: str
    row: str
    column: str


@dataclasses.dataclass
class Paper:
    name: str
    title: str
    sweeps: dict
    recipes: list
    headlines: list

    def sheet(self, name, is_small=False):
        return small(self.sweeps[name]) if is_small else self.sweeps[name]

    def expanded(self, name, tools, is_small=False):
        sheet = self.sheet(name, is_small)
        return sweep.expand(f"{self.name}.yaml, {name}", sheet, tools)

    def table(self, recipe, frame):
        return function_of(self, recipe)(frame)


def small(sheet):
    """A sweep with SMALL, for every program."""
    programs = sheet.get("programs", "all")
    if isinstance(programs, list):
        programs = [
            each["name"] if isinstance(each, dict) and "inputs" in each else each
            for each in programs
        ]
    return sheet | SMALL | {"programs": programs}


def function_of(paper, recipe):
    module = importlib.import_module(f".{paper.name}", __package__)
    return getattr(module, recipe.name.removeprefix(f"{paper.name}-").replace("-", "_"))


def recipe_of(name, entry):
    missing = {"of": "kernels", "draw": "bars", "paper": {}, "differs": "", "needs": {}}
    recipe = Recipe(name=name, **missing | entry)
    recipe.needs = {key: set(map(str, few)) for key, few in recipe.needs.items()}
    assert recipe.unit in UNITS and recipe.draw in DRAWINGS, name
    recipe.paper = {str(row): each for row, each in recipe.paper.items()}
    return recipe


def paper_of(path):
    import yaml

    sheet = yaml.safe_load(path.read_text(encoding="utf-8"))
    recipes = [recipe_of(name, entry) for name, entry in sheet["recipes"].items()]
    headlines = [Headline(**entry) for entry in sheet["headlines"]]
    return Paper(path.stem, sheet["title"], sheet["sweeps"], recipes, headlines)


def papers():
    return [paper_of(path) for path in sorted(HERE.glob("*.yaml"))]


def find(names, every):
    """Pairs of a paper and its recipe. Raises ToolError for an unknown name; the
    name of a paper stands for all of its recipes."""
    pairs = [(paper, recipe) for paper in every for recipe in paper.recipes]
    found = []
    for name in names:
        mine = [each for each in pairs if name in (each[0].name, each[1].name)]
        if not mine:
            raise ToolError(f"unknown recipe '{name}'; --list has all")
        found += [each for each in mine if each not in found]
    return found
