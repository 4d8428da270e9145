"""Runs a program, sends it a signal, and looks at its end and its report.

usage: interrupt.py SIGNAL[+SIGNAL] STATUS REPORT COMMAND...

STATUS is what a shell would show: 128 and the signal's number where that ended
the program. With two signals the report is a pipe that nobody reads, so that
the first one's report is never written.
"""

import json
import os
import signal
import subprocess
import sys
import time

names, wanted, report = sys.argv[1].split("+"), int(sys.argv[2]), sys.argv[3]
if os.path.exists(report):
    os.remove(report)
if len(names) == 2:
    os.mkfifo(report)
    # The program opens it once at its start, to see that it can.
    reader = os.open(report, os.O_RDONLY | os.O_NONBLOCK)


def as_from_a_terminal():
    # Background jobs of a shell ignore it, and so would the program.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


program = subprocess.Popen(
    sys.argv[4:],
    stdout=subprocess.PIPE,
    text=True,
    env={**os.environ, "REGSHARE_REPORT": report},
    preexec_fn=as_from_a_terminal,
)
first = program.stdout.readline()
assert first == "ready\n", f"the program said {first!r}"
case = sys.argv[-1]
if len(names) == 2:
    os.close(reader)
for name in names if case != "child" else []:
    time.sleep(0.5)  # Until the launch has begun, or the program waits.
    program.send_signal(getattr(signal, "SIG" + name))
status = program.wait(timeout=100)
status = 128 - status if status < 0 else status
assert status == wanted, f"the program ended with {status}, not {wanted}"

if len(names) == 2 or not report.endswith(".json"):
    sys.exit()
with open(report) as file:
    found = json.load(file)
ended = "SIG" + names[0] if wanted > 128 else None
assert found["ended_by"] == ended, found["ended_by"]
launches = found["launches"]
assert launches[0]["finished"] and launches[0]["ctas"] == 1, launches[0]
assert len(launches) == (2 if case == "launch" else 1), len(launches)
if case == "launch":
    last = launches[1]
    assert not last["finished"] and last["error"] == "cudaSuccess", last
    assert last["ctas"] == 0 and last["warp_instructions"] > 1000, last
    if found["timing"]:
        assert last["stats"]["cycles"] > 1000, last["stats"]["cycles"]
