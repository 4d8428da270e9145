"""nvcc-ptx.py NVCC OUT SCHEMES PROGRAM...: what kernels of nvcc's PTX write, executed as
it is, with the registers of each scheme (a,b,...), and as native code with each.

A kernel is given buffers for its pointers and small numbers otherwise; one with other
parameters is left out. Some of them fault on such arguments, and then must in all forms.
"""

import itertools
import pathlib
import re
import subprocess
import sys

NVCC, OUT, SCHEMES, PROGRAMS = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
ENTRY = re.compile(r"\.entry (\w+)\(([^)]*)\)")
PARAMETER = re.compile(r"\.param (?:\.align \d+ )?\.(\w+) \w+(\[\d+\])?")
BUFFER = "buf:u32*16384=iota"


def arguments(parameters):
    """Options for a kernel's parameters, or None."""
    options = []
    for number, (kind, is_array) in enumerate(PARAMETER.findall(parameters)):
        if is_array:
            return None
        if kind in ("u64", "b64"):
            options += [f"--arg={BUFFER}", f"--print-arg={number}:4096"]
        else:
            options.append("--arg=1.5" if kind[0] == "f" else "--arg=16")
    return options


def written(file, kernel, options):
    """The buffers after a run, or that it fails."""
    command = ["regshare-opt", str(file), "--simulate", "--functional", f"--kernel={kernel}",
        "--grid=2,2", "--block=16,4", "--device=gtx480", *options, "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{command} ended with {done.returncode}: {done.stderr}")
    lines = [x for x in done.stdout.splitlines() if x.startswith(("argument", "["))]
    return "fault" if done.returncode else "\n".join(lines)


kernels = same = faults = 0
for program in map(pathlib.Path, PROGRAMS):
    file = OUT / f"{program.stem}.ptx"
    subprocess.run([NVCC, "-ptx", "-arch=sm_75", str(program), "-o", str(file)], check=True)
    for kernel, parameters in ENTRY.findall(file.read_text()):
        options = arguments(parameters)
        if options is None:
            continue
        expected = written(file, kernel, options)
        kernels += 1
        faults += expected == "fault"
        for scheme, code in itertools.product(SCHEMES.split(","), ("ptx", "native")):
            chosen = [f"--scheme={scheme}", f"--code={code}"]
            if written(file, kernel, [*options, *chosen]) == expected:
                same += 1
            else:
                print(f"{file.name}: {kernel} writes something else: {' '.join(chosen)}")
print(f"kernels {kernels}, of which {faults} fault; equal runs {same}")
