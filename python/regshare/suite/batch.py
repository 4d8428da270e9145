# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs many programs of a suite at the same time."""

import concurrent.futures
import json
import pathlib
import sys

from .. import records
from ..progress import Line
from . import work

FORM = json.loads(
    (pathlib.Path(__file__).parent / "record.schema.json").read_text(encoding="utf-8")
)


class Progress:
    def __init__(self, total):
        self.line, self.total, self.done = Line(sys.stderr), total, 0

    def finished(self, text):
        self.done += 1
        self.line.show(f"[{self.done}/{self.total}] {text}")


def build_all(pool, place, programs, name):
    """The executables by the programs' names, for the input of that name, and why
    there are none of others."""
    progress = Progress(len(programs))
    futures = {
        pool.submit(place.build, each, each.inputs.get(name)): each for each in programs
    }
    built, refused = {}, {}
    for future in concurrent.futures.as_completed(futures):
        program = futures[future]
        try:
            built[program.name] = future.result()
            progress.finished(f"{program.full_name}: built")
        except work.NotBuilt as error:
            refused[program.name] = str(error)
            progress.finished(f"{program.full_name}: not built: {error}")
    progress.line.end()
    return built, refused


class Runs:
    """Runs of built programs, and the file of their records."""

    def __init__(self, place, file, timeout):
        self.place, self.file, self.timeout = place, file, timeout
        self.live = []

    def stop(self):
        for runner in self.live:
            runner.stop()

    def known(self, run, executable):
        """The record of an earlier run with the same outcome as a new one."""
        what = work.configuration(self.place, run, executable)
        record = self.file.find(records.identity(what))
        return record if record and record["outcome"] != "failed" else None

    def run_all(self, pool, wanted, built):
        """A record of each run, in their order. `built`: their executables."""
        found = [self.known(*pair) for pair in zip(wanted, built)]
        progress = Progress(found.count(None))
        futures = {
            pool.submit(work.record_of, self.place, run, built[n], self.timeout,
                self.live): n
            for n, run in enumerate(wanted)
            if not found[n]
        }
        for future in concurrent.futures.as_completed(futures):
            n = futures[future]
            record = found[n] = future.result()
            self.file.add(record)
            run, why = wanted[n], f": {record['why']}" if record["why"] else ""
            text = f"{run.program.full_name}: {run.device}, {run.scheme}"
            progress.finished(f"{text}: {record['outcome']}{why}")
        progress.line.end()
        return found


def run(place, wanted, built, pool, timeout):
    """A record of each run, in their order; `built` has the executables. Whatever ends
    this, nothing is left running; what was over has its record in the workplace."""
    with records.RecordFile(place.out / "records.jsonl", form=FORM) as file:
        all_runs = Runs(place, file, timeout)
        try:
            return all_runs.run_all(pool, wanted, built)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            all_runs.stop()
            raise
