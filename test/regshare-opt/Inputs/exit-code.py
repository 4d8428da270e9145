"""Runs a command, which has to end with an exit code."""

import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
if code != int(sys.argv[1]):
    sys.exit(f"ended with {code} instead of {sys.argv[1]}")
