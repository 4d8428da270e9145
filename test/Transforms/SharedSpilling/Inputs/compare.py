"""Checks that a report has what ptxas says of a kernel: compare.py LOG REPORT."""

import json
import re
import sys

log, report = (open(path, encoding="utf-8").read() for path in sys.argv[1:])
said = log.split("Compiling entry function 'spills'")[1]
shared = int(re.search(r"Used .* (\d+) bytes smem", said)[1])
stores = int(re.search(r"(\d+) bytes spill stores", said)[1])
kernels = json.loads(report)["kernels"]
(kernel,) = [each for each in kernels if each["name"] == "spills"]
assert shared > 0, said
assert kernel["ptxas"]["shared_bytes"] == shared, (kernel["ptxas"], said)
assert kernel["ptxas"]["spill_store_bytes"] == stores, (kernel["ptxas"], said)
others = [each for each in kernels if each is not kernel]
assert len(others) == 2 and not any("shared_bytes" in each["ptxas"] for each in others)
