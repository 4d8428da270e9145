"""A sweep whose jobs Slurm runs, or what stands for it: jobs that are lost, sweeps
that are ended, and the records against those of a sweep on this machine.

Usage: cluster.py FOLDER PROGRAM [fake-slurm.py]"""

import os
import pathlib
import signal
import subprocess
import sys

import sweeps

from regshare import slurm

# Snakemake asks for the state of jobs every ten seconds; then every second.
os.environ["CI"] = "true"
work = pathlib.Path(sys.argv[1]).resolve()
if is_fake := len(sys.argv) > 3:
    (work / "bin").mkdir()
    (work / "slurm" / "jobs").mkdir(parents=True)
    for name in ("sbatch", "squeue", "scancel", "sacct"):
        (work / "bin" / name).symlink_to(sys.argv[3])
    os.environ["PATH"] = f"{work / 'bin'}:{os.environ['PATH']}"
    os.environ["FAKE_SLURM"] = str(work / "slurm")
SCHEMES = ["baseline", "ltrf", "rfc", "shrf"]


def written(name, argument):
    return sweeps.write(
        work / name,
        programs=[{"source": sys.argv[2], "arguments": argument}],
        devices=["gtx480", "gtx480,registers=8192"],
        runs=[{"scheme": SCHEMES}],
    )


# Its runs take a file each.
(permits := work / "permits").mkdir()
path, endless = written("sweep.yaml", str(permits)), written("endless.yaml", 1_000_000)
RUNS = 2 * len(SCHEMES)
out, here = work / "it's; {a} cluster", work / "here"


def jobs():
    """Of the sweep's last start: names by id."""
    file = out / "log" / "slurm-jobs"
    lines = file.read_text().splitlines() if file.exists() else ()
    return dict(line.split() for line in lines)


def in_queue():
    words = ["squeue", "--noheader", f"--user={os.getuid()}", "--format=%A %T"]
    names = [f"--name={slurm.name_of(out)}"]
    done = subprocess.run([*words, *names], check=True, capture_output=True, text=True)
    return dict(line.split() for line in done.stdout.splitlines())


def nothing_is_queued():
    sweeps.wait_for(lambda: not in_queue(), seconds=60)


def first_record():
    """Lets one run after the other go on until there is a record."""
    if sweeps.count(out):
        return True
    if not list(permits.iterdir()):
        (permits / "one").touch()
    return False


def start(*options, sheet=path):
    return sweeps.start(sheet, out, "--slurm", *options)


# A job that is cancelled: the others go on, and it says which.
process = start("--jobs=2")
sweeps.wait_for(first_record, process)
running = [number for number in in_queue() if "@" in jobs().get(number, "")]
subprocess.run(["scancel", running[0]], check=True)
(permits / "all").touch()
said = sweeps.finish(process, 1)
assert f"Slurm has ended job {running[0]}: CANCELLED" in said, said
assert f"{jobs()[running[0]]}: " in said and " missing" in said, said
nothing_is_queued()
before = sweeps.lines(out)
assert RUNS / 2 <= sweeps.count(out) < RUNS, before

# What Slurm does not take: its own words.
if is_fake:
    said = sweeps.run(path, out, "--sbatch=--partition=none", wanted=1)
    assert "sbatch: error: invalid partition specified: none" in said, said
    assert sweeps.lines(out) == before

# A command that is killed leaves jobs, which the next one ends; and one that is
# asked to end ends its jobs.
process = start(sheet=endless)
sweeps.wait_for(in_queue, process)
process.kill()
process.communicate()
left = in_queue()
process = start(sheet=endless)
sweeps.wait_for(lambda: set(in_queue()) - set(left), process)
assert not set(in_queue()) & set(left), (in_queue(), left)
os.kill(process.pid, signal.SIGINT)
assert "interrupted" in sweeps.finish(process, 130)
nothing_is_queued()

# To the end, on options of the user's.
said = sweeps.finish(start("--sbatch=--time=10 --nice", "--threads=2"))
assert f"{RUNS} of {RUNS} runs finished, 0 refused, 0 failed, 0 missing" in said, said
nothing_is_queued()
after = sweeps.lines(out)
assert all(after[name][: len(lines)] == lines for name, lines in before.items())
assert sweeps.count(out) == RUNS
if is_fake:
    submitted = [c for c in (work / "slurm" / "calls").read_text().splitlines() if "sbatch" in c]
    assert "--cpus-per-task=2 --mem=4000 --time=240 --time=10 --nice --wrap=" in submitted[-1]
sweeps.run(path, here)
assert sweeps.sorted_by_id(sweeps.records(out)) == sweeps.sorted_by_id(sweeps.records(here))
