# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Has Snakemake run a sweep: here on all cores, or on a cluster."""

import pathlib
import subprocess
import sys

from . import runs
from .toolchain import ToolError

PACKAGE = pathlib.Path(__file__).resolve().parent
# Of a job on a cluster, unless `threads` and the like say otherwise.
MEMORY_MB = 2000
RUNTIME_MINUTES = 240


def command(tools, path, out, jobs=None, threads=1, more=()):
    """`more`: options of Snakemake's own, for clusters for example. `jobs`: at
    the same time."""
    config = {
        "sweep": pathlib.Path(path).resolve(),
        "binaries": tools.binaries.resolve(),
        "package": PACKAGE.parent,
        "python": sys.executable,
        "threads": threads,
        "memory": MEMORY_MB * threads,
        "runtime": RUNTIME_MINUTES,
    }
    return [
        sys.executable, "-m", "snakemake",
        f"--snakefile={PACKAGE / 'Snakefile'}",
        f"--directory={out}",
        # One that fails keeps none from running; one that was killed is taken up.
        "--keep-going", "--rerun-incomplete",
        "--quiet", "rules",
        *(more if any(is_count(word) for word in more)
          else (f"--cores={jobs or runs.cores()}", *more)),
        "--config", *(f"{key}={value}" for key, value in config.items()),
    ]  # fmt: skip


def is_count(word):
    """Whether an option of Snakemake's says how many jobs to run."""
    return word.split("=")[0] in ("--cores", "--jobs", "-c", "-j")


def run(tools, path, out, **options):
    """Runs what is missing of a sweep. Raises ToolError if a job fails."""
    out = pathlib.Path(out)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ToolError(f"cannot make '{out}': {error.strerror}") from None
    if subprocess.run(command(tools, path, out, **options), check=False).returncode:
        raise ToolError(f"some jobs of {path} failed; their messages are above")
