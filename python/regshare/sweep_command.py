# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a sweep: programs x devices x systems x settings, as a YAML file says them
(docs/evaluation.md).

The folder of --out gets records of all runs, records/*.jsonl. What has a record
already is not run again: an interrupted sweep, one on a machine that crashed, or
one with more in its file than before goes on where it was. Options behind -- are
Snakemake's own: for a Slurm cluster, -- --slurm --jobs=100.
"""

import argparse
import collections
import pathlib
import sys

from . import host, records, sweep, workflow
from .toolchain import Toolchain, ToolError


def parse_arguments(words):
    own, more = words, []
    if "--" in words:
        cut = words.index("--")
        own, more = words[:cut], words[cut + 1 :]
    parser = argparse.ArgumentParser(
        prog="regshare-sweep",
        usage="regshare-sweep [options] sweep.yaml [-- options of Snakemake]",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("sweep", metavar="sweep.yaml")
    add("--out", metavar="FOLDER", help="default: the file's name without .yaml")
    add("--jobs", type=int, metavar="N",
        help="jobs at the same time (default: one for each processor)")
    add("--threads", type=int, default=1, metavar="N",
        help="runs at the same time in a job, for nodes with many cores (1)")
    add("--list", action="store_true", help="print the runs, run nothing")
    args = parser.parse_args(own)
    args.more = more
    return args


def words_of(point):
    given = [f"{records.setting_word(name)}={value}" for name, value in point.given]
    program = " ".join([point.program.name, *point.program.arguments])
    return f"{program}: {point.device}: {' '.join([point.scheme, *given])}"


def summary(plan, folder):
    """How the runs ended; whether none is missing and none failed."""
    found = dict(sweep.found_in(plan, records.read(*sweep.files_of(plan, folder))))
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
    if args.list:
        print("\n".join(map(words_of, plan.points)))
        return True
    folder = pathlib.Path(args.out or pathlib.Path(args.sweep).stem)
    options = dict(jobs=args.jobs, threads=args.threads, more=args.more)
    try:
        workflow.run(tools, args.sweep, folder, **options)
    except ToolError as error:
        print(f"regshare-sweep: {error}", file=sys.stderr)
        summary(plan, folder)
        return False
    return summary(plan, folder)


def main(binaries, words):
    args = parse_arguments(words)
    host.with_modules("yaml", *(() if args.list else ("snakemake",)))
    try:
        return 0 if sweep_all(args, Toolchain(binaries)) else 1
    except (ToolError, records.RecordError) as error:
        print(f"regshare-sweep: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(
            "regshare-sweep: interrupted; the same command goes on from here",
            file=sys.stderr,
        )
        return 130
