"""Runs programs of the kernel suite without timing under schemes whose code has
statements that take no issue slot, and no other instructions than the code that
it is compared with: each launch has to execute as many warp and thread
instructions. Says how many kernels had statements, which are what could change
where lanes meet.

usage: same-instructions.py utils build level every"""

import pathlib
import sys
import tempfile

sys.path.insert(0, sys.argv[1])
import suite  # noqa: E402

BUILD, LEVEL, EVERY = pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
# By the scheme whose instructions they have.
SAME = {
    "baseline": ("ideal", "rfv", "rfc", "shrf", "expars", "warpman"),
    "ltrf": ("ltrf-plus",),
}


def launches_of(executable, scheme):
    """For each launch, what the kernel's code has and what was executed."""
    outcome = suite.run(executable, SCHEME=scheme, TIMING=0)
    if outcome.report is None:
        sys.exit(f"{executable.name}, {scheme}: {outcome.problem or outcome.refused}")
    return [
        {
            "kernel": launch["name"],
            "instructions": launch["code"]["instructions"],
            "warp_instructions": launch["warp_instructions"],
            "thread_instructions": launch["thread_instructions"],
        }
        | {"statements": launch["code"]["statements"]}
        for launch in outcome.report["launches"]
    ]


def compare(executable):
    """The kernels that have statements; with how many launches."""
    stated, launches = set(), 0
    for reference, schemes in SAME.items():
        want = launches_of(executable, reference)
        for scheme in schemes:
            got = launches_of(executable, scheme)
            assert len(got) == len(want), (executable.name, scheme)
            for one, other in zip(want, got):
                if other["statements"]:
                    stated.add((scheme, one["kernel"]))
                one, other = dict(one), dict(other)
                del one["statements"], other["statements"]
                assert one == other, (executable.name, LEVEL, scheme, one, other)
            launches += len(got)
    return stated, launches


programs = suite.programs()[::EVERY]
kernels, total = 0, 0
with tempfile.TemporaryDirectory() as folder:
    for program in programs:
        executable = suite.compile_program(
            BUILD, pathlib.Path(folder), program, LEVEL
        )
        stated, launches = compare(executable)
        kernels, total = kernels + len(stated), total + launches
assert kernels, "no kernel has a statement"
print(f"{len(programs)} programs, {total} launches: as many instructions in all;")
print(f"{kernels} times a kernel's code had statements")
