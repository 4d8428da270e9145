# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the report of a sampled run with that of the whole one."""

import json
import pathlib
import sys

whole, sampled = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])
sizes = [
    # How often warps look for what they wait for is up to time.
    [
        (x["kernel"], x["ctas"], x["warp_instructions"])
        for x in report["launches"]
        if not x["name"].startswith("wait")
    ]
    for report in (whole, sampled)
]
waits = [x for x in sampled["launches"] if x["name"].startswith("wait")]
others = [x for x in sampled["launches"] if not x["name"].startswith("wait")]
estimates = [x["estimate"]["cycles"] for x in sampled["launches"] if "estimate" in x]
wholly = [x["stats"]["cycles"] for x in sampled["launches"] if "estimate" not in x]
parts = [x for x in sampled["launches"] if "estimate" in x and "stats" in x]
timed = sum(wholly) + sum(x["stats"]["cycles"] for x in parts)
cycles = sum(x["stats"]["cycles"] for x in whole["launches"])
sums = sampled["sampling"]

assert whole["sampling"] is None
if sizes[0] != sizes[1]:
    print("these differ:", *(pair for pair in zip(*sizes) if pair[0] != pair[1]))
else:
    print("the same launches with the same warp instructions:", len(sizes[0]))
print("every launch of wait was timed:", all("stats" in x for x in waits))
few = sum("stats" in x for x in others)
print("timed less than half of the other launches:", few < len(others) / 2)
known = all("stats" in x or "estimate" in x for x in sampled["launches"])
print("every launch has stats or an estimate:", known)
in_part = [
    x["name"].startswith("many") and x["stats"]["warp_instructions"] < x["warp_instructions"]
    for x in parts
]
print("launches with both are of many and timed in part:", bool(parts) and all(in_part))
print(
    "the sums are those of the launches:",
    sums["timed_cycles"] == timed
    and sums["timed"] == len(wholly)
    and sums["timed_in_part"] == len(parts)
    and sums["launches"] == len(wholly) + len(estimates)
    and sums["estimate"]["cycles"] == sum(wholly) + sum(estimates),
)
error = abs(sums["estimate"]["cycles"] / cycles - 1)
print("cycles within 5% of the whole:", error <= 0.05, f"({100 * error:.2f}%)")
