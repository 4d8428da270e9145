"""Prints the values of a report that are variables, from its JSON."""

import json
import sys

for kernel in json.load(sys.stdin)["kernels"]:
    for value in kernel["peak"]["values"]:
        lines = [str(place["line"]) for place in value["definitions"]]
        for name in value["names"]:
            if name["whole"]:
                print(f"{name['variable']}: {value['compute_again']}"
                      + (f" {value['cause']}" if "cause" in value else "")
                      + (f", defined at line {', '.join(lines)}" if lines else ""))
