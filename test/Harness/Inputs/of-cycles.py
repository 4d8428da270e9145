"""Fails unless each pattern of utils/sanitized.py is that of unit tests.

usage: of-cycles.py UTILS < what ctest --show-only says"""

import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import sanitized  # noqa: E402

tests = re.findall(r"^  Test +#\d+: (.*)$", sys.stdin.read(), re.M)
for pattern in sanitized.OF_CYCLES:
    assert any(re.search(pattern, test) for test in tests), pattern
kept = [test for test in tests if sanitized.has_unit_test(test)]
assert 0 < len(tests) - len(kept) < 40, (len(tests), len(kept))
