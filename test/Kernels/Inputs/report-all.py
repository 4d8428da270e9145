"""Runs the report on every third program of the suite and looks at what it says."""

import pathlib
import re
import subprocess
import sys

tool, kernels = sys.argv[1:]
programs = sorted(pathlib.Path(kernels).glob("*/*.cu"))[::3]
assert len(programs) >= 8, programs
for program in programs:
    done = subprocess.run(
        [tool, program, "--device=gtx480", "--emit=report"],
        capture_output=True, text=True)
    assert done.returncode == 0, (program, done.stderr)
    kernels_in_source = len(re.findall(r"__global__", program.read_text()))
    reports = re.findall(r"^kernel .*\n.*\n  registers +(\d+) per thread",
                         done.stdout, re.M)
    assert len(reports) == kernels_in_source, (program, done.stdout)
    assert done.stdout.count("occupancy   gtx480") == len(reports), program
    assert all(0 < int(count) <= 63 for count in reports), (program, reports)
    assert "<--" in done.stdout, (program, "no peak is marked")
