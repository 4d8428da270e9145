"""Ends a comparison by signals while it works, and goes on with it.

Usage: interrupt.py FOLDER PROGRAM"""

import os
import pathlib
import signal
import subprocess
import sys
import time

from regshare import records

work, program = pathlib.Path(sys.argv[1]), sys.argv[2]
SCHEMES = "ideal,regmutex,rfv,ltrf,rfc,shrf,warpman"
RUNS = 8


def start(out):
    words = ["regshare-compare", program, f"--out={out}", f"--schemes={SCHEMES}"]
    return subprocess.Popen(
        [*words, "--jobs=1", "--", "60"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


# Who is started in the background may have it ignored, and its children too.
signal.signal(signal.SIGINT, signal.default_int_handler)


def lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def end_after(count, out, number):
    """Sends a signal when there are so many records; the exit code."""
    process = start(out)
    while lines(out / "records.jsonl") < count:
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)
    os.kill(process.pid, number)
    _, said = process.communicate()
    return process.returncode, said.decode()


def what_counts(record):
    return {key: value for key, value in record.items() if key != "wall_seconds"}


path = work / "cut" / "records.jsonl"
code, said = end_after(2, work / "cut", signal.SIGKILL)
assert code == -signal.SIGKILL, (code, said)
found = lines(path)
assert 2 <= found < RUNS, found

# As if the machine had stopped within a write.
with open(path, "ab") as file:
    file.write(b'{"version":1,"id":"torn')

for number in (signal.SIGINT, signal.SIGTERM):
    before = records.read(path)
    code, said = end_after(len(before) + 1, work / "cut", number)
    assert code == 130, (code, said)
    assert "interrupted; the same command goes on from here" in said, said
    assert "Traceback" not in said, said
    after = records.read(path)
    assert after[: len(before)] == before and len(before) < len(after) < RUNS

left = RUNS - lines(path)
process = start(work / "cut")
table, said = process.communicate()
assert process.returncode == 0, said
assert f"[{left}/{left}]" in said.decode(), said
assert lines(path) == RUNS, path.read_text()

process = start(work / "whole")
whole, _ = process.communicate()
assert whole == table.replace(b"/cut/", b"/whole/"), (whole, table)
one, other = (
    sorted(map(what_counts, records.read(work / name / "records.jsonl")), key=lambda r: r["id"])
    for name in ("cut", "whole")
)
assert one == other
