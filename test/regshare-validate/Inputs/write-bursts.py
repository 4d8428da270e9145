"""Whether the second report has twice the first one's bursts of writes, but for lines
of which less than 64 bytes were written."""

import json
import sys


def writes(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["launches"][0]["stats"]["memory"]["dram_writes"]


fewer, more = map(writes, sys.argv[1:])
assert 1.8 * fewer < more <= 2 * fewer, (fewer, more)
