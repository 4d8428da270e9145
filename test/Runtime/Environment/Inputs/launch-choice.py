"""launch-choice.py WARM COLD: which launches of two reports have cycles, and what they read
from the DRAM."""

import json
import sys


def timed(path):
    with open(path, encoding="utf-8") as file:
        launches = json.load(file)["launches"]
    return {n: r["stats"] for n, r in enumerate(launches, 1) if r.get("stats")}


warm, cold = (timed(path) for path in sys.argv[1:])
print("launches with cycles:", "; ".join(" ".join(map(str, r)) for r in (warm, cold)))
reads = [[s["memory"]["dram_reads"] for s in r.values()] for r in (warm, cold)]
print("warm: the second timed launch reads", "less" if reads[0][1] < reads[0][0] else reads[0],
      "from the DRAM")
print("cold: both read", "the same" if len(set(reads[1])) == 1 and reads[1][0] else reads[1])
