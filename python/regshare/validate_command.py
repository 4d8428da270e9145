# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the reference SM with published measurements of a GPU
(docs/validation.md).

tu102: for each row of the measurements a micro-benchmark runs on the described
device, and a line says what the GPU takes, what RegShare does, and how far apart
they are. Rows tagged `input` are what the device's figures were taken from; the others were
predicted. The last line is about these: which share of them is within 10%, and the
largest factor between the two.

gv100: kernels of public programs, which --source has, with ratios of cycles and
counters. The last line is the mean absolute error of cycles, the correlation of
their logarithms, and how many kernels ran.

h200-programs: the same of kernels of our suites on an H200; each --source is where one
of the suites is that are not RegShare's own. --rows are programs: rodinia/cfd.

titanv: micro-benchmarks of Accel-Sim's tuner, which --source has, and the ratio of
what they print. The last line is as that of tu102, of all of them.

h200: the same as tu102 of an H200, with these and more micro-benchmarks. With --on-gpu=FILE
they run on the GPU of this machine, which nvcc compiles for, and FILE has its rows;
with --measured=FILE its rows stand in place of the H200's. --device=h100 has rows of
an H100.

gpu-benches: the same as tu102 of an A100, or, with --device, of an H100 PCIe (h100pcie),
an H200 or a V100 (gv100, with that part's clocks).

gpgpusim: launches of RegShare's own programs, and the ratio of cycles to those of
GPGPU-Sim 4.2. The last line is the mean absolute error, the correlation of
logarithms, and how many launches were timed.
"""

import concurrent.futures
import csv
import dataclasses
import os
import pathlib
import subprocess
import tempfile

from . import command, host, settings
from .toolchain import Toolchain, ToolError, last_line, nearest, parsed
from .validation import gpgpusim, gpu, gpubenches, gv100, h200, h200_programs, table, titanv, tu102

NAME = "regshare-validate"
MEASUREMENTS = ("tu102", "h200", "gpu-benches", "gv100", "h200-programs", "titanv", "gpgpusim")
FOLDER = pathlib.Path(__file__).parent / "validation"


@dataclasses.dataclass
class Row:
    name: str
    variant: str
    hardware: float
    unit: str
    flag: str
    tag: str
    ours: float | None = None

    @property
    def key(self):
        return self.name, self.variant

    @property
    def error(self):
        """Relative to the hardware's."""
        return self.ours / self.hardware - 1

    @property
    def factor(self):
        """At least 1; what is not positive is infinitely far away."""
        if self.ours <= 0:
            return float("inf")
        return max(self.ours / self.hardware, self.hardware / self.ours)

    @property
    def counts(self):
        return self.ours is not None and self.flag == "ok"


def read_rows(path, device=None):
    """Where a table has rows of several devices, those of one."""
    try:
        with open(path, newline="") as file:
            return [
                Row(r["row"], r["variant"], float(r["value"]), r["unit"], r["flag"], r["tag"])
                for r in csv.DictReader(file)
                if r["unit"] and ("device" not in r or r["device"] == device)
            ]
    except OSError as error:
        raise ToolError(f"cannot read '{path}': {error.strerror}") from None
    except (KeyError, TypeError, ValueError):
        raise ToolError(f"{path}: expected the columns {', '.join(gpu.COLUMNS)}") from None


def rows_of(suite):
    return read_rows(FOLDER / suite.ROWS, getattr(suite, "name", None))


class Runner:
    """Runs benchmarks on the device, each program once."""

    def __init__(self, tools, device, folder, kernels):
        self.tools = tools
        self.device = device
        self.ptx = pathlib.Path(folder) / "kernels.ptx"
        self.ask(str(kernels), f"--device={device}", "--emit=ptx", "-o", str(self.ptx))
        facts = self.simulate("barrier", 1, 1, tu102.words()(1), "")
        self.clock_ghz = facts["launches"][0]["timing"]["core_clock_mhz"] / 1000

    def ask(self, *options):
        done = subprocess.run([*self.tools.run_prefix, str(self.tools.opt), *options],
            capture_output=True, text=True, check=False)
        if done.returncode:
            raise ToolError(f"{' '.join(options)}: {last_line(done.stderr)}")
        return done.stdout

    def simulate(self, kernel, ctas, warps, arguments, figures):
        device = ",".join(filter(None, (self.device, figures)))
        text = self.ask(str(self.ptx), "--simulate", f"--kernel={kernel}",
            f"--device={device}", f"--grid={ctas}", f"--block={32 * warps}",
            *(f"--arg={word}" for word in arguments), "--emit=json")
        return parsed(text, "regshare-opt --simulate")

    def cycles(self, benchmark, size):
        report = self.simulate(benchmark.kernel, benchmark.ctas_of(size), benchmark.warps,
            benchmark.words(size), benchmark.figures)
        return report["launches"][0]["timing"]["cycles"]

    def value(self, benchmark):
        cycles = [self.cycles(benchmark, size) for size in benchmark.sizes]
        return benchmark.value(cycles, self.clock_ghz)


def measure(rows, suite, runner, jobs):
    """Gives the rows that have a benchmark what it measures."""
    found = suite.benchmarks()
    if unknown := set(found) - {row.key for row in rows}:
        raise ToolError(f"benchmarks of no row: {sorted(unknown)}")
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        own = {key: b for key, b in found.items() if not isinstance(b, tu102.Difference)}
        values = dict(zip(own, pool.map(runner.value, own.values())))
    for key, b in found.items():
        if isinstance(b, tu102.Difference):
            values[key] = values[b.of] - values[b.less]
    for row in rows:
        row.ours = values.get(row.key, row.ours)


def line_of(row):
    name = f"{row.name} {row.variant}".strip()
    note = row.tag if row.flag == "ok" else f"{row.tag}, {row.flag.lower()}"
    if row.ours is None:
        return f"{name:44} {row.hardware:10.4g} {'-':>10} {'-':>8}  {row.unit:17} {note}"
    return (f"{name:44} {row.hardware:10.4g} {row.ours:10.4g} {100 * row.error:+7.1f}%"
        f"  {row.unit:17} {note}")


def share_within(rows, bound):
    near = sum(row.factor <= 1 + bound for row in rows)
    return 100 * near / len(rows) if rows else 0


def summary(rows):
    predicted = [row for row in rows if row.counts and row.tag == "predicted"]
    inputs = [row for row in rows if row.counts and row.tag == "input"]
    missing = sum(row.ours is None and row.flag == "ok" for row in rows)
    worst = max((row.factor for row in predicted), default=1)
    yield f"{len(inputs)} input rows: {share_within(inputs, 0.05):.1f}% within 5%"
    yield f"{len(predicted)} predicted rows; {missing} rows have no benchmark yet"
    yield f"within10 {share_within(predicted, 0.10):.1f}% worst {worst:.2f}"


def parse_arguments(words):
    parser = command.parser_of(NAME, "|".join(MEASUREMENTS), "", __doc__)
    add = parser.add_argument
    add("suite", help=f"whose measurements: {', '.join(MEASUREMENTS)}")
    add("--device", help="the device, and figures to change (rtx6000; h200; a100; gv100;\n"
        "titanv; gpgpusim-gtx480)")
    add("--source", metavar="FOLDER", action="append", default=[], help="where the programs are: of gv100 and titanv; of gpgpusim if not in the\n"
        "source tree; of h200-programs, one for each suite")
    add("--out", metavar="FOLDER",
        help="where they are built and run (gv100-validation; …)")
    add("--rows", default="", metavar="TEXT", help="only rows whose name begins so")
    add("--on-gpu", metavar="FILE", help="h200: measure on the GPU of this machine, and write its rows")
    add("--measured", metavar="FILE", help="h200: rows that --on-gpu has written, in place of the H200's")
    add("--jobs", type=command.number, default=os.cpu_count() or 1, metavar="N",
        help="programs at the same time (default: one for each processor)")
    args = command.parse(parser, words)
    args.sources, args.source = args.source, args.source[-1] if args.source else None
    return args


def main(binaries, words):
    args = parse_arguments(words)
    command.let_sigterm_interrupt()

    def work():
        if args.suite not in MEASUREMENTS:
            raise ToolError(f"unknown measurements '{args.suite}'"
                f"{nearest(args.suite, MEASUREMENTS)}; known: {', '.join(MEASUREMENTS)}")
        for option, given in (("--on-gpu", args.on_gpu), ("--measured", args.measured)):
            if given and args.suite != "h200":
                raise ToolError(f"{option} is an option of 'h200', not of '{args.suite}'")
        if args.on_gpu:
            return measure_on_gpu(args)
        tools = Toolchain(binaries, args.load)
        settings.tell_doubts(NAME, tools)
        if args.suite == "gv100":
            host.with_modules("yaml")
            return gv100.validate(args, tools)
        if args.suite == "h200-programs":
            host.with_modules("yaml")
            return h200_programs.validate(args, tools)
        if args.suite == "titanv":
            host.with_modules("yaml")
            return titanv.validate(args, tools)
        if args.suite == "gpgpusim":
            host.with_modules("yaml")
            return gpgpusim.validate(args, tools)
        if args.suite == "h200":
            return validate_h200(args, tools)
        if args.suite == "gpu-benches":
            return validate_part(args, tools)
        return validate_rows(args, tools, tu102, args.device or tu102.DEVICE)

    return command.run(NAME, work)


def validate_part(args, tools):
    name, *figures = (args.device or gpubenches.DEVICE).split(",")
    if name not in gpubenches.PARTS:
        raise ToolError(f"gpu-benches has no rows of '{name}'{nearest(name, gpubenches.PARTS)};"
            f" it has some of {', '.join(gpubenches.PARTS)}")
    part = gpubenches.Part(name)
    device = ",".join(filter(None, (name, part.figures, *figures)))
    return validate_rows(args, tools, part, device)


def validate_rows(args, tools, suite, device):
    return compare(args, tools, rows_of(suite), (suite,), device)


def measure_on_gpu(args):
    """Needs none of RegShare's programs, which may be on another machine."""
    for line in gpu.measure(h200.PARTS, FOLDER, tag_of_h200(), args.on_gpu, args.rows):
        print(line)
    return True


def validate_h200(args, tools):
    device = args.device or h200.DEVICE
    rows = read_rows(args.measured or FOLDER / h200.ROWS.get(device.split(",")[0], h200.ROWS[h200.DEVICE]))
    return compare(args, tools, rows, h200.PARTS, device)


def tag_of_h200():
    """Figures are taken from the same rows as those of other parts, and from some more."""
    known = rows_of(tu102)
    for part in ("a100", "h200"):
        known += rows_of(gpubenches.Part(part))
    inputs = {*h200.INPUTS, *(row.key for row in known if row.tag == "input")}
    return lambda key: "input" if key in inputs else "predicted"


def compare(args, tools, rows, suites, device):
    """Runs what the suites have for the rows, and prints both."""
    rows = [row for row in rows if row.name.startswith(args.rows)]
    if not rows:
        raise ToolError(f"no row of {args.suite} begins with '{args.rows}'")
    for suite in suites:
        wanted = Restricted(suite, rows)
        if not wanted.benchmarks():
            continue
        with tempfile.TemporaryDirectory() as folder:
            runner = Runner(tools, device, folder, FOLDER / suite.KERNELS)
            measure(rows, wanted, runner, args.jobs)
    header = f"{'row':44} {'GPU':>10} {'RegShare':>10} {'error':>8}  {'unit':17} tag"
    table.show(header, rows, line_of, summary)
    return True


class Restricted:
    """A suite with the benchmarks of some rows, and those that these are derived
    from."""

    def __init__(self, suite, rows):
        self.suite = suite
        self.keys = {row.key for row in rows}

    def benchmarks(self):
        return {
            key: b
            for key, b in self.suite.benchmarks().items()
            if key in self.keys
            and (not isinstance(b, tu102.Difference) or {b.of, b.less} <= self.keys)
        }
