# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The jobs of a sweep on a Slurm cluster whose nodes share the sweep's folder.
Snakemake starts this in that folder, as `submit JOBSCRIPT`, which prints the id of
a job, and as `status ID`, which prints success, failed or running. It takes sbatch,
squeue and scancel; sacct is asked where it works."""

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

from . import in_snakemake
from .toolchain import ToolError, last_line

# The queue is asked for no more often, in seconds.
QUEUE_AGE = 2
# How often, and with how many seconds between, it is asked for what is to be ended.
TRIES, PAUSE = 5, 1
# Which job is which batch: a line each, its id and its name.
IDS = pathlib.Path("log", "slurm-jobs")
QUEUE = pathlib.Path("log", "slurm-queue")
ENDED = {
    "BOOT_FAIL", "CANCELLED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY",
    "PREEMPTED", "REVOKED", "TIMEOUT",
}  # fmt: skip
# The states of a job that still has to be ended; one that is COMPLETING does not.
GOING_ON = {"CONFIGURING", "PENDING", "REQUEUED", "RUNNING", "SUSPENDED"}


def name_of(folder):
    """Of all jobs of a sweep; that of squeue's column, and what finds them."""
    stem = re.sub(r"[^\w.-]", "_", pathlib.Path(folder).name)[:30]
    return f"regshare-{stem}-{hashlib.sha256(str(folder).encode()).hexdigest()[:6]}"


def ask(*words):
    """What one of Slurm's commands prints, or None if it does not work."""
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def queue(name, *more):
    """The states of a sweep's jobs by their ids, those that ended lately too."""
    words = ("--noheader", f"--user={os.getuid()}", f"--name={name}", "--format=%A %T")
    text = ask("squeue", *words, *more)
    return None if text is None else dict(line.split() for line in text.splitlines())


def cancel(name):
    """Ends all jobs of a sweep. The queue is asked again until it has none: a squeue or
    scancel that does not answer would leave jobs that go on, and a job may be new."""
    for _ in range(TRIES):
        found = queue(name)
        going_on = [number for number, state in (found or {}).items() if state in GOING_ON]
        if found is not None and not going_on:
            break
        if going_on:
            ask("scancel", *going_on)
        time.sleep(PAUSE)


def check(folder):
    """Raises ToolError for what keeps Slurm from running a sweep."""
    for command in ("sbatch", "squeue", "scancel"):
        if not shutil.which(command):
            raise ToolError(f"there is no '{command}' here; --slurm needs Slurm")
    # Snakemake hands the paths of its scripts to a shell in such quotes.
    if odd := re.search(r'["$`\\]', str(folder)):
        raise ToolError(f"with --slurm the path of a folder cannot have {odd.group()}")


@contextlib.contextmanager
def jobs_of(folder):
    """For a block in which a sweep's jobs are on the cluster; when it ends, none
    is, nor one of a sweep before that was killed."""
    cancel(name_of(folder))
    try:
        yield
    finally:
        cancel(name_of(folder))


def properties_of(jobscript):
    """What Snakemake says of a job, in a comment of its script."""
    sign = "# properties = "
    lines = pathlib.Path(jobscript).read_text(encoding="utf-8").splitlines()
    return json.loads(next(line for line in lines if line.startswith(sign))[len(sign) :])


def submission(plan, properties):
    """sbatch's words, and the job's name in the sweep."""
    name = pathlib.Path(properties["output"][0]).name
    is_batch = properties["rule"] == "batch"
    threads, resources = properties["threads"], properties["resources"]
    words = [plan["python"], "-B", "-m", "regshare.batch", properties["rule"]]
    words += [f"--jobs={threads}", name] if is_batch else [name]
    return name, [
        "sbatch",
        "--parsable",
        f"--job-name={name_of(plan['folder'])}",
        f"--comment={name}",
        # With a per cent sign as itself.
        f"--output=log/{name.replace('%', '%%')}.log",
        "--open-mode=truncate",
        "--ntasks=1",
        f"--cpus-per-task={threads}",
        f"--mem={resources['mem_mb']}",
        f"--time={resources['runtime']}",
        *plan["sbatch"],
        f"--wrap=PYTHONPATH={shlex.quote(plan['package'])} exec {shlex.join(words)}",
    ]


def submit(jobscript):
    plan = json.loads(pathlib.Path("plan.json").read_text(encoding="utf-8"))
    name, words = submission(plan, properties_of(jobscript))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        why = last_line(done.stderr) or "sbatch fails"
        pathlib.Path("log", f"{name}.log").write_text(f"{why}\n", encoding="utf-8")
        # Snakemake does not call it a job's failure.
        in_snakemake.tell_failed(name)
        return done.returncode
    # A federation adds the cluster's name.
    number = done.stdout.strip().split(";")[0]
    with open(IDS, "a", encoding="utf-8") as file:
        file.write(f"{number} {name}\n")
    print(number)
    return 0


def recent_queue(name, is_known):
    """The queue as it was a few seconds ago at most, for all who ask. Anew if it
    does not have what is asked for. None while Slurm does not answer."""
    with open(QUEUE, "a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        text = file.read()
        age = time.time() - os.fstat(file.fileno()).st_mtime
        states = json.loads(text) if text else {}
        if not text or age > QUEUE_AGE or not is_known(states):
            states = queue(name, "--states=all")
            if states is not None:
                file.truncate(0)
                file.write(json.dumps(states))
        return states


def state_of(number, name):
    """Of a job, as Slurm has it: RUNNING, …; None while it does not answer."""
    states = recent_queue(name, lambda states: number in states)
    if states is None or number in states:
        return states and states[number]
    # The queue forgets what ended some minutes ago.
    text = ask("sacct", "-X", "-n", "-P", f"--jobs={number}", "--format=State")
    return (text or "").split()[0] if (text or "").split() else "FAILED"


def status(number):
    folder = os.getcwd()
    state = state_of(number, name_of(folder))
    if state == "COMPLETED":
        return "success"
    if state not in ENDED:
        return "running"
    if state != "FAILED":
        names = dict(line.split(" ", 1) for line in IDS.read_text().splitlines())
        with open(pathlib.Path("log", f"{names[number]}.log"), "a", encoding="utf-8") as log:
            log.write(f"Slurm has ended job {number}: {state}\n")
    return "failed"


def main(words):
    if words[0] == "submit":
        return submit(words[1])
    print(status(words[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
