# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Studies of why a paper's gain is not there: its kernels with registers as we count
them, and with as many CTAs as they had with the registers of the paper's compiler."""

import dataclasses

from .. import records
from . import measured
from .measured import BASE, BOUND, changed, geomean, markdown, ratio


@dataclasses.dataclass(frozen=True)
class Case:
    """What a kernel is run on."""

    device: str
    figures: dict  # of its part, by their keys
    registers: str = "ours"  # or "paper": the register file holds as many CTAs as the paper's

    @property
    def part(self):
        return changed(self.device, self.figures)


@dataclasses.dataclass(frozen=True)
class Named:
    """A kernel that a paper names."""

    kernel: object  # limits.Kernel, with registers as we count them
    registers: int  # of a thread, that the paper says
    gain: float | None  # speed-up that the paper says, where its text or tables do


@dataclasses.dataclass(frozen=True)
class Paper:
    title: str
    scheme: str
    named: tuple
    base: dict  # figures of the device that Baseline has in the paper
    own: dict  # the same under the scheme

    def schemes(self):
        """All that its kernels run under, with the figures that go with it."""
        return {BASE: self.base, BOUND: self.base, self.scheme: self.own}


@dataclasses.dataclass(frozen=True)
class PaperStudy:
    name: str
    title: str
    code: str  # form of the code: ptx or native
    unit: int  # a thread's registers are rounded up to multiples of it
    file: int  # registers of an SM of the papers
    cases: dict  # Case by name
    papers: tuple
    text: dict  # of the page
    kernels: tuple  # limits.Kernel

    @property
    def parts(self):
        """The devices that it is measured on, with the figures of their parts."""
        return {case.device: case.figures for case in self.cases.values()}

    def rounded(self, registers):
        return -(-registers // self.unit) * self.unit

    def device(self, case, named, figures):
        """What a kernel is run on. To have as many CTAs as with the registers that the
        paper says, the register file is larger or smaller by the ratio of both."""
        if case.registers == "paper":
            ours, theirs = (self.rounded(x) for x in (named.kernel.registers, named.registers))
            figures = {"registers": self.file * ours // theirs} | figures
        return changed(case.part, figures)

    def places(self, devices, suites):
        """As places_of() of places.py."""
        found = {}
        for paper in self.papers:
            for named in paper.named:
                place = named.kernel.program, named.kernel.input
                for case in self.cases.values():
                    if case.device not in devices:
                        continue
                    on = found.setdefault(named.kernel.suite, {}).setdefault(place, {})
                    for scheme, figures in paper.schemes().items():
                        variants = on.setdefault(self.device(case, named, figures), [])
                        variants += [(scheme, 0)] if (scheme, 0) not in variants else []
        return found

    def page(self, found):
        return "\n".join(each.rstrip("\n") + "\n" for each in page_parts(self, found))


def made_of(name, sheet, kernels):
    """A study of its YAML and its kernels."""
    by_name = {f"{each.suite}/{each.program}, {each.kernel}": each for each in kernels}
    papers = tuple(
        Paper(paper["title"], paper["scheme"], tuple(
            Named(by_name[kernel], each["registers"], each.get("gain"))
            for kernel, each in paper["kernels"].items()
        ), paper.get("base", {}), paper.get("own", {}))
        for paper in sheet["papers"]
    )  # fmt: skip
    cases = {case: Case(**each) for case, each in sheet["cases"].items()}
    return PaperStudy(**sheet | {"name": name, "cases": cases, "papers": papers, "kernels": kernels})


class Measured:
    """Figures of a study's records by device, kernel and scheme."""

    def __init__(self, study, found):
        self.study, self.cells = study, {}
        kernels = {(x.suite, x.program, x.input, x.kernel): x for x in study.kernels}
        for record in found:
            made = record["configuration"]
            where = made["suite"], made["program"]["name"], made["input"]
            for name, each in record["kernels"].items():
                if (*where, name) in kernels and record["outcome"] == "verified":
                    device = records.device_name(made)
                    self.cells[device, (*where, name), made["scheme"]] = measured.figures_of(each)

    def get(self, case, paper, named, scheme):
        x = named.kernel
        device = self.study.device(case, named, paper.schemes()[scheme])
        return self.cells.get((device, (x.suite, x.program, x.input, x.kernel), scheme))

    def gain(self, case, paper, named, scheme):
        base, mine = (self.get(case, paper, named, each) for each in (BASE, scheme))
        return base.cycles / mine.cycles if base and mine else None


def row_of(table, paper, named):
    study = table.study
    cells = [
        f"{named.kernel.suite}/{named.kernel.program}",
        f"{named.kernel.registers}, {named.registers}",
    ]
    for case in study.cases.values():
        base = table.get(case, paper, named, BASE)
        bound, mine = (table.gain(case, paper, named, x) for x in (BOUND, paper.scheme))
        cells += [base.warps if base else "", ratio(bound), ratio(mine)]
    return [*cells, ratio(named.gain)]


def means_of(table, paper):
    """Geometric means of the kernels that were measured in all cases."""
    cells = ["mean", ""]
    for case in table.study.cases.values():
        cells.append("")
        for scheme in (BOUND, paper.scheme):
            gains = (table.gain(case, paper, each, scheme) for each in paper.named)
            cells.append(ratio(geomean(each for each in gains if each)))
    return [*cells, ""]


def page_parts(study, found):
    table = Measured(study, found)
    yield f"# {study.title}\n"
    yield study.text["begin"]
    for paper in study.papers:
        yield f"## {paper.title}\n"
        heading = ["kernel", "registers: ours, paper"]
        for case in study.cases:
            heading += [f"{case}: warps", "bound", paper.scheme]
        rows = [row_of(table, paper, each) for each in paper.named]
        yield markdown([*heading, "paper"], [*rows, means_of(table, paper)])
        yield study.text.get(paper.scheme, "")
