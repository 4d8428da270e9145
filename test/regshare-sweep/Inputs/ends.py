"""Sweeps that are ended in every way: what was finished is not run again, nothing
is left running, and in the end the records are those of one that was left alone.

Usage: ends.py FOLDER PROGRAM"""

import os
import pathlib
import random
import signal
import sys
import time

import sweeps

work = pathlib.Path(sys.argv[1])
seed = random.SystemRandom().randrange(10**6)
print("seed", seed)
chance = random.Random(seed)
SCHEMES = ["baseline", "ltrf", "rfc", "shrf", "rfv", "warpman"]
path = sweeps.write(
    work / "sweep.yaml",
    programs=[{"source": sys.argv[2], "arguments": 1000}],
    devices=["gtx480", "gtx480,registers=8192"],
    runs=[{"scheme": SCHEMES}],
)
RUNS = 2 * len(SCHEMES)
cut, whole = work / "cut", work / "whole"


def all_done(out):
    assert sweeps.count(out) == RUNS, sweeps.lines(out)
    return sweeps.sorted_by_id(sweeps.records(out))


def nothing_runs():
    sweeps.wait_for(lambda: not sweeps.processes(cut), seconds=20)


def kept(before):
    """What was a record is one, and none was made twice."""
    after = sweeps.lines(cut)
    for name, lines in before.items():
        assert after[name][: len(lines)] == lines, name
    ids = [record["id"] for record in sweeps.records(cut)]
    assert len(ids) == len(set(ids)), ids


def snakemake():
    found = sweeps.processes(cut)
    return [pid for pid, words in found if "\0regshare.in_snakemake\0" in words]


# Killed at any time, before its first record too.
for wanted in (0, 1, 3):
    before = sweeps.lines(cut)
    process = sweeps.start(path, cut)
    sweeps.wait_for(lambda: snakemake() and sweeps.count(cut) >= wanted, process)
    time.sleep(chance.uniform(0, 0.4))
    process.kill()
    process.communicate()
    nothing_runs()
    kept(before)
    # As if the machine had stopped within a write, and Snakemake held its lock.
    for file in (cut / "records").glob("*"):
        with open(file, "ab") as opened:
            opened.write(b'{"version":2,"id":"torn')
    locks = cut / ".snakemake" / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    (locks / "0.input.lock").write_text(f"{cut / 'programs'}\n")

# Asked to end: at once, and it says how to go on.
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    before = sweeps.lines(cut)
    process = sweeps.start(path, cut)
    sweeps.wait_for(lambda: sweeps.processes(cut), process)
    if number == signal.SIGINT:
        # Another one in the same folder; this one goes on, after a rest.
        sweeps.wait_for(snakemake, process)
        groups = [os.getpgid(process.pid), os.getpgid(snakemake()[0])]
        for group in groups:
            os.killpg(group, signal.SIGSTOP)
        said = sweeps.run(path, cut, wanted=1)
        assert f"another sweep runs in '{cut}': process {process.pid} on " in said, said
        for group in groups:
            os.killpg(group, signal.SIGCONT)
    time.sleep(chance.uniform(0, 0.4))
    began = time.monotonic()
    os.kill(process.pid, number)
    said = sweeps.finish(process, 130)
    assert "interrupted; the same command goes on from here" in said, said
    assert not sweeps.processes(cut) and time.monotonic() - began < 10
    kept(before)

# Snakemake itself killed: no success.
process = sweeps.start(path, cut)
sweeps.wait_for(snakemake, process)
os.kill(snakemake()[0], signal.SIGKILL)
said = sweeps.finish(process, 1)
assert "Snakemake fails" in said and "snakemake.log" in said, said
assert not sweeps.processes(cut)

before = sweeps.lines(cut)
left = RUNS - sweeps.count(cut)
said = sweeps.run(path, cut)
assert f"[{RUNS - left}/{RUNS}] {left} runs to do" in said, said
kept(before)
sweeps.run(path, whole)
assert all_done(cut) == all_done(whole)
