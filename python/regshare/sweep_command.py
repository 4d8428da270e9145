# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a sweep: programs x devices x schemes x settings, as a YAML file says them
(docs/evaluation.md).

The folder of --out gets records of all runs, records/*.jsonl. What has a record
already is not run again: an interrupted sweep, one on a machine that crashed, or
one with more in its file than before goes on where it was. On a Slurm cluster
--slurm has Slurm run the jobs; for others, options after -- are Snakemake's own.
"""

import collections
import pathlib
import shlex
import statistics

from . import command, host, records, settings, sweep, workflow
from .toolchain import Toolchain, ToolError

NAME = "regshare-sweep"
MOST_LINES = 60  # of the table at the end


def parse_arguments(words):
    parser = command.parser_of(NAME, "sweep.yaml", "options of Snakemake", __doc__)
    add = parser.add_argument
    add("sweep", metavar="sweep.yaml")
    add("--out", metavar="FOLDER", help="default: the file's name without .yaml")
    add_options(parser)
    add("--list", action="store_true", help="print the runs, run nothing")
    return command.parse(parser, words)


def add_options(parser):
    """Those that say where and how jobs run."""
    add = parser.add_argument
    add("--jobs", type=command.number, metavar="N",
        help="runs at the same time (default: one for each processor); with --slurm, "
        "jobs (default: 100)")
    add("--threads", type=command.number, metavar="N",
        help="runs at the same time in a job on a cluster, a processor each (1)")
    add("--slurm", action="store_true",
        help="run the jobs on the Slurm cluster that this machine belongs to")
    add("--sbatch", metavar="TEXT", type=command.words,
        help="options of sbatch for each job, as in "
        "--sbatch='--partition=long --account=lab --time=24:00:00'; means --slurm")


def options_of(args):
    return workflow.Options(
        jobs=args.jobs,
        threads=args.threads,
        sbatch=args.sbatch or ([] if args.slurm else None),
        more=tuple(args.after),
    )


def words_of(point):
    given = [f"{records.setting_word(name)}={value}" for name, value in point.given]
    program = shlex.join([point.program.name, *point.program.arguments])
    return f"{program}: {point.device}: {' '.join([point.scheme, *given])}"


def speedups(lines):
    """By device and label, what each finished run is against Baseline for the same
    program and arguments, by cycles; nothing where there is no Baseline."""
    cycles = {}
    for record in lines:
        if record["outcome"] == "finished":
            made = record["configuration"]
            program = made["program"]["sha256"], *made["arguments"], *made["compiler_options"]
            at = records.device_name(made), records.label(made)
            cycles[at, program] = record["total"]["cycles"]
    found = collections.defaultdict(list)
    for ((device, label), program), each in cycles.items():
        base = cycles.get(((device, "baseline"), program))
        if label != "baseline" and base and each:
            found[device, label].append(base / each)
    return found


def speedup_table(lines):
    """A line for each device and scheme with its settings."""
    found = speedups(lines)
    names = {key: f"{key[0]}, {key[1]}" for key in found}
    width = max(map(len, names.values()), default=0)
    if found:
        yield f"{'cycles against baseline':{width}} {'runs':>6} {'mean':>7} {'worst':>7} {'best':>7}"
    for key in sorted(found)[:MOST_LINES]:
        ratios = found[key]
        three = statistics.geometric_mean(ratios), min(ratios), max(ratios)
        cells = " ".join(f"{ratio:6.2f}x" for ratio in three)
        yield f"{names[key]:{width}} {len(ratios):6} {cells}"
    if len(found) > MOST_LINES:
        yield f"and {len(found) - MOST_LINES} more, which the records have"


def summary(plan, folder, found):
    """How the runs ended, and what schemes gain; whether none is missing and none
    failed."""
    for line in speedup_table(found.values()):
        print(line)
    outcomes = collections.Counter(record["outcome"] for record in found.values())
    for point, record in found.items():
        if record["outcome"] == "failed":
            print(f"failed: {words_of(point)}: {record['why']}")
    refused = (r["why"] for r in found.values() if r["outcome"] == "refused")
    for why, count in collections.Counter(refused).most_common(5):
        print(f"refused, {count} runs: {why}")
    missing = len(plan.points) - len(found)
    print(
        f"{folder}/records: {outcomes['finished']} of {len(plan.points)} runs finished, "
        f"{outcomes['refused']} refused, {outcomes['failed']} failed, {missing} missing"
    )
    return not missing and not outcomes["failed"]


def sweep_all(args, tools):
    plan = sweep.read(args.sweep, tools)
    settings.tell_doubts(NAME, tools, [(each.scheme, dict(each.given)) for each in plan.points])
    if args.list:
        print("\n".join(map(words_of, plan.points)))
        return True
    folder = pathlib.Path(args.out or pathlib.Path(args.sweep).stem)
    if not args.out and folder.is_file():
        raise ToolError(f"'{folder}' is a file: give --out, the folder of the records")
    return summary(plan, folder, workflow.run(tools, plan, folder, options_of(args)))


def main(binaries, words):
    args = parse_arguments(words)
    host.with_modules("yaml", *(() if args.list else ("snakemake",)))
    return command.run(NAME, lambda: sweep_all(args, Toolchain(binaries, args.load)))
