# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The micro-benchmarks that Accel-Sim's tuner ran on a TITAN V (titanv.csv): its
programs, unmodified, on the device titanv, which is gv100 with another clock and
less memory. What they print is compared."""

import csv
import dataclasses
import functools
import pathlib
import re
import subprocess

from .. import runs
from ..suite import work
from ..toolchain import ToolError, last_line
from . import table

DEVICE = "titanv"
ARCHITECTURE = "sm_70"
ROWS = pathlib.Path(__file__).with_name("titanv.csv")
INSIDE = pathlib.Path("util/tuner/GPU_Microbenchmark")
URL = "https://github.com/accel-sim/accel-sim-framework"
COMMIT = "2260456"


@dataclasses.dataclass
class Row:
    program: str  # its folder
    label: str  # what it prints before its value
    hardware: float
    unit: str
    ours: float | None = None
    why: str = ""

    @property
    def ratio(self):
        return self.ours / self.hardware


def read_rows():
    with open(ROWS, newline="", encoding="utf-8") as file:
        return [
            Row(r["program"], r["label"], float(r["value"]), r["unit"])
            for r in csv.DictReader(file)
        ]


def folder_of(source):
    """Where the programs are. Raises ToolError with where to get them."""
    get = f"to get it: git clone {URL} && git -C accel-sim-framework checkout {COMMIT}"
    if not source:
        raise ToolError(f"--source=FOLDER says where accel-sim-framework is; {get}")
    for folder in (pathlib.Path(source) / INSIDE, pathlib.Path(source)):
        if (folder / "ubench").is_dir():
            return folder.resolve()
    raise ToolError(f"'{source}' is not accel-sim-framework: it has no '{INSIDE}'; {get}")


def printed(text, label):
    """The number after a label at the begin of a line, or None."""
    found = re.search(rf"^{re.escape(label)} *= *([0-9.]+(?:e[-+]?\d+)?)", text, re.MULTILINE)
    return float(found[1]) if found else None


class Programs:
    def __init__(self, tools, device, source, out):
        self.tools, self.device = tools, device
        self.source, self.out = folder_of(source), pathlib.Path(out).absolute()
        self.out.mkdir(parents=True, exist_ok=True)

    def build(self, folder):
        """The executable of the only .cu file of a folder."""
        sources = sorted((self.source / "ubench" / folder).glob("*.cu"))
        if not sources:
            raise work.NotBuilt(f"'{self.source}' has no program 'ubench/{folder}'")
        executable = self.out / folder.replace("/", "-").lower()
        done = subprocess.run([*self.tools.compiler, "-O3", "-w",
            f"--cuda-gpu-arch={ARCHITECTURE}", sources[0].name, "-o", str(executable)],
            cwd=sources[0].parent, capture_output=True, text=True, check=False)
        if done.returncode:
            raise work.NotBuilt(work.first_error(done.stderr))
        return executable

    def run(self, row):
        try:
            executable = self.build(row.program)
        except work.NotBuilt as error:
            row.why = f"not built: {error}"
            return
        environment = runs.clean_environment() | {
            # l1_bw_64f reads beyond its array.
            "REGSHARE_DEVICE": self.device, "REGSHARE_TIMING": "1", "REGSHARE_LENIENT": "1"}
        done = subprocess.run([*self.tools.run_prefix, str(executable)], cwd=self.out,
            env=environment, capture_output=True, text=True, check=False)
        row.ours = printed(done.stdout, row.label)
        if row.ours is None:
            row.why = f"failed: {last_line(done.stderr) or 'it printed no value'}"


def measure(rows, programs, jobs):
    calls = [(row.program, functools.partial(programs.run, row)) for row in rows]
    table.run_all(calls, jobs)


HEADER = f"{'program':28} {'GPU':>10} {'RegShare':>10} {'ratio':>6}  unit"


def line_of(row):
    if row.ours is None:
        return f"{row.program:28} {row.hardware:10.4g} {'-':>10} {'-':>6}  {row.unit}  {row.why}"
    return (f"{row.program:28} {row.hardware:10.4g} {row.ours:10.4g} {row.ratio:6.2f}"
        f"  {row.unit}")


def summary(rows):
    factors = [max(row.ratio, 1 / row.ratio) for row in rows if row.ours]
    near = sum(factor <= 1.1 for factor in factors)
    share = 100 * near / len(factors) if factors else 0
    yield f"within10 {share:.1f}% worst {max(factors, default=1):.2f} rows {len(factors)}"


def validate(args, tools):
    """Prints the table; the last line is about the rows that have a value."""
    rows = [row for row in read_rows() if row.program.startswith(args.rows)]
    if not rows:
        raise ToolError(f"no program of titanv begins with '{args.rows}'")
    programs = Programs(tools, args.device or DEVICE, args.source,
        args.out or "titanv-validation")
    measure(rows, programs, args.jobs)
    table.show(HEADER, rows, line_of, summary)
    return any(row.ours is not None for row in rows)
