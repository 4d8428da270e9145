# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The jobs of a sweep, which the Snakefile beside this starts in the sweep's
folder, each for a part that needs nothing of the others: compiling a program, and
its runs on a device. Every run is a record as soon as it is over, so that a job
that is killed and started again only does what is missing."""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import sys

from . import command, records, runs
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


def compile_program(args, tools, plan):
    """To programs/NAME-DIGEST; those of other digests are no more of use."""
    program = plan["programs"][args.what]
    source = pathlib.Path(program["source"])
    executable = pathlib.Path("programs", args.what)
    # A compiler that is stopped leaves nothing that looks like a program.
    half = executable.with_name(f".{args.what}")
    if runs.is_program(source):
        shutil.copy(source, half)
    else:
        tools.compile(source, plan["options"], half.absolute(), plan["beside"])
    os.replace(half, executable)
    older = re.compile(rf"\.?{re.escape(program['name'])}-[0-9a-f]{{16}}")
    for file in executable.parent.iterdir():
        if older.fullmatch(file.name) and file != executable:
            file.unlink()
    return True


def configurations(tools, plan, batch):
    """Of the runs of a batch, in its order; the program is compiled."""
    program = plan["programs"][batch["program"]]
    source = pathlib.Path(program["source"])
    executable = pathlib.Path(plan["folder"], "programs", batch["program"])
    common = runs.program_configuration(
        tools,
        executable,
        None if runs.is_program(source) else source,
        plan["options"],
        program["arguments"],
    )
    common["program"]["name"] = program["name"]
    devices = {}
    for device, scheme, given in batch["points"]:
        if device not in devices:
            devices[device] = runs.device_configuration(tools, device)
        yield common | {"device": devices[device], "scheme": scheme, "given": given}


def run_batch(args, tools, plan):
    """Whether no run failed."""
    batch = plan["batches"][args.what]
    program = plan["programs"][batch["program"]]
    executable = pathlib.Path("programs", batch["program"])
    # A job whose sweep was killed may still be at it, on another node too.
    with records.RecordFile(batch["records"], wait=True) as file:
        wanted = list(configurations(tools, plan, batch))
        pending = runs.still_to_run(file, wanted)
        if pending:
            runner = runs.Runner(
                executable, program["arguments"], tools.run_prefix, plan["timeout"]
            )
            with runs.pool_of(runner, args.jobs) as pool:
                # What is wrong with the program by itself is told before anything
                # long begins; what a device's changes do to it, runs will show.
                device, _, given = batch["points"][0]
                given = {k: given[k] for k in runs.LENIENT if k in given}
                look = runs.look_at(runner, tools, device, None, (), given)
                pairs = [(each, look) for each in pending]
                runs.run_all(pool, runner, file, pairs, args.jobs, Silent())
        outcomes = {file.find(records.identity(each))["outcome"] for each in wanted}
    if "failed" in outcomes:
        return False
    pathlib.Path("done", args.what).touch()
    return True


def parse_arguments(words):
    parser = argparse.ArgumentParser(prog="regshare.batch", description=__doc__)
    parser.add_argument("kind", choices=("program", "batch"))
    parser.add_argument("--jobs", default=1, type=int)
    parser.add_argument("what", help="in plan.json of this folder")
    return parser.parse_args(words)


def main(words):
    args = parse_arguments(words)
    signal.signal(signal.SIGTERM, command.interrupt)
    signal.signal(signal.SIGINT, command.interrupt)
    try:
        plan = json.loads(pathlib.Path("plan.json").read_text(encoding="utf-8"))
        work = run_batch if args.kind == "batch" else compile_program
        return 0 if work(args, Toolchain(plan["binaries"]), plan) else 1
    except (ToolError, records.RecordError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
