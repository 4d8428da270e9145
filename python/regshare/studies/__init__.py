# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Studies: which schemes help which kernels of several suites on which GPUs
(docs/suites.md).

NAME.yaml beside this says on what parts of which devices a study runs what, and
what follows from it. NAME.csv lists its kernels (suite/limits.py), and is there
before anything is measured. One with `papers` asks why a paper's gain is not there
(papers.py).
"""

import dataclasses
import pathlib

from ..suite import limits
from ..toolchain import ToolError, nearest
from . import page, papers, places
from .measured import changed

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass(frozen=True)
class Study:
    name: str
    title: str
    code: str  # form of the code: ptx or native
    schemes: tuple
    parts: dict  # by a device's name: figures of its part, by their keys
    sample_parts: dict  # the same of the smaller part that samples run on
    shaken: dict  # the same that differ by next to nothing: what cycles change by chance
    wide: dict  # the same of the part with more active warps, for `wide_schemes`
    wide_schemes: tuple
    waves: float  # the fewest, of the CTAs that the part could hold, that count
    samples: tuple  # inputs by whose runs schemes are chosen, of which a program has one
    text: dict  # of the page, by the section that it stands in
    kernels: tuple  # limits.Kernel
    # By a device's name: registers that a thread may have at most, under `limited`.
    limits: dict = dataclasses.field(default_factory=dict)
    limited: tuple = ()

    def device(self, name):
        """The part of a device, as commands take it: `gv100,sms=5`."""
        return changed(name, self.parts[name])

    def sample_device(self, name):
        return changed(name, self.sample_parts[name])

    def shaken_device(self, name):
        """The part with another figure or two, for Baseline alone."""
        return changed(self.device(name), self.shaken[name])

    def wide_device(self, name):
        """The part with more active warps under the two-level scheduler."""
        return changed(self.device(name), self.wide)

    def limits_of(self, kernel):
        """Those that take registers from a kernel."""
        return [x for x in self.limits.get(kernel.device, ()) if x < kernel.registers]

    def limited_on(self, device):
        """All pairs of a scheme and a limit."""
        limits = self.limits.get(device, ())
        return [(scheme, limit) for scheme in self.limited for limit in limits]

    def kernels_on(self, device):
        return [each for each in self.kernels if each.device == device]

    def waves_of(self, kernel):
        """How often a grid fills the part with CTAs, if registers limited none."""
        return kernel.grid_ctas / (self.parts[kernel.device]["sms"] * kernel.other_ctas)

    def counts(self, kernel):
        """Whether means have it."""
        return self.waves_of(kernel) >= self.waves

    def places(self, devices, suites):
        return places.places_of(self, devices, suites)

    def page(self, found):
        """In Markdown, of records of regshare-suite."""
        return page.page(self, found)


def names():
    return [path.stem for path in sorted(HERE.glob("*.yaml"))]


def read(name):
    """The study of that name. Raises ToolError if there is none."""
    import yaml

    if name not in names():
        near, there = nearest(name, names()), ", ".join(names())
        raise ToolError(f"unknown study '{name}'{near}; there are: {there}")
    sheet = yaml.safe_load((HERE / f"{name}.yaml").read_text(encoding="utf-8"))
    kernels = tuple(limits.read(HERE / f"{name}.csv"))
    if "papers" in sheet:
        return papers.made_of(name, sheet, kernels)
    return Study(name=name, kernels=kernels, **sheet)
