#!/usr/bin/env python3
"""Slurm, as far as sweeps need it: sbatch, squeue, scancel and sacct, by the name
that this is called by. A job is a process in the background, its state a file of
the folder FAKE_SLURM. All jobs run at once."""

import os
import pathlib
import signal
import subprocess
import sys
import time

command = pathlib.Path(sys.argv[0]).name
words = sys.argv[1:]
folder = pathlib.Path(os.environ["FAKE_SLURM"])
options = dict(word.partition("=")[::2] for word in words if word.startswith("-"))
with open(folder / "calls", "a", encoding="utf-8") as file:
    file.write(" ".join([command, *words]).replace("\n", " ") + "\n")


def state_of(job):
    # A file that is being written is empty for a moment.
    return (job / "state").read_text().strip() or "PENDING"


def jobs():
    return sorted((folder / "jobs").iterdir(), key=lambda job: int(job.name))


def run(job):
    """In the background: the job itself."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    output = options["--output"].replace("%j", job.name).replace("%%", "%")
    with open(output, "wb") as log:
        process = subprocess.Popen(
            ["/bin/sh", "-c", options["--wrap"]],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
    (job / "state").write_text("RUNNING")
    # scancel waits for this file, and reads it at once.
    (job / "group.new").write_text(str(process.pid))
    (job / "group.new").rename(job / "group")
    rc = process.wait()
    if state_of(job) == "RUNNING":
        (job / "state").write_text("FAILED" if rc else "COMPLETED")


def enqueue(asked):
    """The job that a folder describes gets the first free number."""
    number = len(list((folder / "jobs").iterdir())) + 1
    while True:
        try:
            return asked.rename(folder / "jobs" / str(number))
        except OSError:
            number += 1


def sbatch():
    wrong = [w for w in words if not w.startswith("--")]
    if wrong or "--wrap" not in options or "--parsable" not in options:
        sys.exit(f"sbatch: error: {words}")
    if options.get("--partition") == "none":
        sys.exit("sbatch: error: invalid partition specified: none")
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    asked = folder / f"asked-{os.getpid()}"
    asked.mkdir()
    (asked / "name").write_text(options["--job-name"])
    (asked / "state").write_text("PENDING")
    reader, writer = os.pipe()
    if os.fork() == 0:
        # Who asks may be killed with all of its group. A job that can be seen is
        # then in a session of its own, and begins.
        os.setsid()
        job = enqueue(asked)
        os.write(writer, job.name.encode())
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(null, descriptor)
        os.close(writer)
        run(job)
        os._exit(0)
    os.close(writer)
    print(f"{os.read(reader, 20).decode()};cluster")


def squeue():
    """As the real one, `--states=all` or those that have not ended."""
    assert options["--format"] == "%A %T" and options["--user"] == str(os.getuid())
    for job in jobs():
        state = state_of(job)
        is_shown = "--states" in options or state in ("PENDING", "RUNNING")
        forgotten = (job / "forgotten").exists()
        if is_shown and not forgotten and (job / "name").read_text() == options["--name"]:
            print(job.name, state)


def scancel():
    for job in (folder / "jobs" / number for number in words):
        if state_of(job) not in ("PENDING", "RUNNING"):
            continue
        while not (job / "group").exists():
            time.sleep(0.01)
        (job / "state").write_text("CANCELLED")
        try:
            os.killpg(int((job / "group").read_text()), signal.SIGKILL)
        except ProcessLookupError:
            pass


def sacct():
    [number] = [word.split("=")[1] for word in words if word.startswith("--jobs=")]
    state = state_of(folder / "jobs" / number)
    print("CANCELLED by 0" if state == "CANCELLED" else state)


{"sbatch": sbatch, "squeue": squeue, "scancel": scancel, "sacct": sacct}[command]()
