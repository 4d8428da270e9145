"""Compiles the programs of the kernel suite and runs each on devices: all have
to verify their own results.

usage: run-suite.py BUILD WORKDIR OPTION RUN... -- COMPILER...

BUILD is the build tree and OPTION an optimisation level (-O0). A RUN is
DEVICE for one without timing, DEVICE:timed for one with. COMPILER is the command
to compile with, which ends in nothing that a source file may not follow. Before
each program comes what $REGSHARE_RUN_WITH says. With SUITE_EVERY=N only each N-th
program is taken, with SUITE_SAMPLE=N only each N-th run, over all programs.
"""

import concurrent.futures
import os
import pathlib
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "utils"))
import suite  # noqa: E402


def run_program(program, run):
    device, _, mode = run.partition(":")
    environment = dict(
        os.environ, REGSHARE_DEVICE=device, REGSHARE_TIMING=str(int(mode == "timed"))
    )
    prefix = shlex.split(os.environ.get("REGSHARE_RUN_WITH", ""))
    return subprocess.run(
        prefix + [str(program)], capture_output=True, text=True, env=environment
    )


def check(build, compiler, option, source, work, runs):
    """Says what went wrong with one program, and how many runs were right."""
    try:
        program = suite.compile_once(build, work, source, [*compiler, option])
    except suite.DoesNotCompile as error:
        return [f"{source.stem}: does not compile:\n{error}"], 0
    problems = []
    for run in runs:
        result = run_program(program, run)
        if result.returncode or result.stdout.split("\n")[-2:] != ["PASSED", ""]:
            said = result.stdout + result.stderr
            problems.append(f"{source.stem} {option} on {run}:\n{said}")
    return problems, len(runs) - len(problems)


def main():
    build, work, option = sys.argv[1:4]
    end = sys.argv.index("--")
    runs, compiler = sys.argv[4:end], sys.argv[end + 1 :]
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    every = int(os.environ.get("SUITE_EVERY", 1))
    sources = sorted((suite.ROOT / "kernels").glob("*/*.cu"))[::every]
    sample = int(os.environ.get("SUITE_SAMPLE", 1))
    of_source = [
        [run for number, run in enumerate(runs, first) if number % sample == 0]
        for first in range(0, len(sources) * len(runs), len(runs))
    ]
    problems, verified = [], 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [
            pool.submit(
                check, pathlib.Path(build), compiler, option, source, work, chosen
            )
            for source, chosen in zip(sources, of_source)
        ]
        for job in jobs:
            found, right = job.result()
            problems += found
            verified += right
    for problem in problems:
        print(problem)
    print(f"{verified} of {sum(map(len, of_source))} runs verify, {len(sources)} programs")
    return 1 if problems else 0


sys.exit(main())
