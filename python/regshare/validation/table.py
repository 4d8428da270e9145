# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What validations by whole programs have in common."""

import concurrent.futures
import math
import statistics
import sys

from .. import runs
from ..progress import Line


def run_all(calls, jobs):
    """`calls`: pairs of a name for the progress and of what to call, in any order."""
    line, done = Line(sys.stderr), 0
    with runs.pool_of_runners(jobs) as pool:
        futures = {pool.submit(call): name for name, call in calls}
        for future in concurrent.futures.as_completed(futures):
            future.result()
            done += 1
            line.show(f"[{done}/{len(futures)}] {futures[future]}")
    line.end()


def show(header, rows, line_of, summary):
    """A line for each row, then what `summary` says of them all."""
    for text in (header, *map(line_of, rows), *summary(rows)):
        print(text)


def correlation(xs, ys):
    """Pearson's, of the logarithms."""
    if len(xs) < 2:
        return 1.0
    return statistics.correlation([math.log(x) for x in xs], [math.log(y) for y in ys])
