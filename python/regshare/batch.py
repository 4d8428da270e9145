# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The jobs of a sweep, which the Snakefile beside this starts, each for a part
that needs nothing of the others: compiling a program, and its runs on a device.
Every run is a record as soon as it is over, so that a job that is killed and
started again only does what is missing."""

import argparse
import os
import pathlib
import shutil
import signal
import sys

from . import records, runs, sweep
from .toolchain import Toolchain, ToolError


class Silent:
    """No progress of single runs: jobs stand side by side."""

    def begin(self, total):
        pass

    def waiting(self, running):
        pass

    def finished(self, record):
        pass

    def end(self):
        pass


def program_named(plan, name):
    return next(p.program for p in plan.points if p.program.name == name)


def compile_program(args, tools, plan):
    program = program_named(plan, args.program)
    executable = sweep.program_file(args.out, program.name)
    executable.parent.mkdir(parents=True, exist_ok=True)
    # A compiler that is stopped leaves nothing that looks like a program.
    half = executable.with_name(f"{executable.name}.part")
    if runs.is_program(program.source):
        shutil.copy(program.source, half)
    else:
        tools.compile(program.source, plan.options, half)
    os.replace(half, executable)


def configurations(args, tools, plan, points):
    program = points[0].program
    executable = sweep.program_file(args.out, program.name)
    source = None if runs.is_program(program.source) else program.source
    common = runs.program_configuration(
        tools, executable, source, plan.options, program.arguments
    )
    common["program"]["name"] = program.name
    devices = {}
    for point in points:
        if point.device not in devices:
            devices[point.device] = runs.device_configuration(tools, point.device)
        device = {"device": devices[point.device]}
        yield common | device | {"scheme": point.scheme, "given": dict(point.given)}


def run_batch(args, tools, plan):
    points = plan.batches()[args.program, args.device]
    path = sweep.record_file(args.out, args.program, args.device)
    path.parent.mkdir(parents=True, exist_ok=True)
    executable = sweep.program_file(args.out, args.program)
    arguments = points[0].program.arguments
    with records.RecordFile(path) as file:
        wanted = list(configurations(args, tools, plan, points))
        pending = runs.still_to_run(file, wanted)
        if not pending:
            return
        runner = runs.Runner(executable, arguments, tools.run_prefix, plan.timeout)
        with runs.pool_of(runner, args.jobs) as pool:
            # What is wrong with the program by itself is told before anything
            # long begins; what a device's changes do to it, runs will show.
            look = runs.look_at(runner, tools, points[0].device, None, ())
            pairs = [(each, look) for each in pending]
            runs.run_all(pool, runner, file, pairs, args.jobs, Silent())


def parse_arguments(words):
    parser = argparse.ArgumentParser(prog="regshare.batch", description=__doc__)
    parser.add_argument("--binaries", required=True, type=pathlib.Path)
    parser.add_argument("--sweep", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--jobs", default=1, type=int)
    parser.add_argument("program")
    parser.add_argument("device", nargs="?", help="without one, compile the program")
    return parser.parse_args(words)


def interrupt(*_):
    raise KeyboardInterrupt


def main(words):
    args = parse_arguments(words)
    signal.signal(signal.SIGTERM, interrupt)
    try:
        tools = Toolchain(args.binaries)
        plan = sweep.read(args.sweep, tools)
        (run_batch if args.device else compile_program)(args, tools, plan)
    except (ToolError, records.RecordError) as error:
        print(f"{args.program}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
