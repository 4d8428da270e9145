"""Runs a command with standard error on a terminal of its own, and fails unless
a progress line came and went.

on-terminal.py COMMAND ARGUMENT...
"""

import os
import pty
import subprocess
import sys

terminal, other = pty.openpty()
process = subprocess.Popen(sys.argv[1:], stderr=other, stdout=subprocess.DEVNULL)
os.close(other)
shown = b""
while True:
    try:
        chunk = os.read(terminal, 4096)
    except OSError:  # Linux's way to say that nobody writes any more.
        break
    if not chunk:
        break
    shown += chunk
assert process.wait() == 0, shown
lines = shown.decode().split("\r")
assert lines[0] == "" and len(lines) >= 4, lines
for line in lines[1:-2]:
    assert " cycles, " in line and " CTAs, " in line and "instructions/s" in line, line
# Written over with blanks, and the cursor is back at the margin.
assert lines[-2].strip() == "" and len(lines[-2]) >= len(lines[-3].rstrip()), lines
assert lines[-1] == "", lines
