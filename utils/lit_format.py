"""Which lit tests run in the sanitizer build.

A test runs there for what sanitizers find in our C++. So not:

- one of scripts, in a folder of OF_SCRIPTS: what it runs in other processes, other
  tests run with sanitizers;
- one that is slow (`LABELS: slow`): it runs more programs, of which
  Runtime/suite-sanitized.test runs one. Where random tests run at length
  (utils/check --long-fuzz), slow ones do run.

A test that is named by its own path always runs."""

import os
import pathlib

import lit.formats
import tree

OF_SCRIPTS = {"Docs", "Harness", "Python", "regshare-compare", "regshare-reproduce",
    "regshare-suite", "regshare-sweep", "regshare-tune", "regshare-validate"}


class Sanitized(lit.formats.ShTest):
    def getTestsInDirectory(self, suite, path_in_suite, *others):
        if path_in_suite and path_in_suite[0] in OF_SCRIPTS:
            return
        at_length = "REGSHARE_FUZZ_ITERATIONS" in os.environ
        for test in super().getTestsInDirectory(suite, path_in_suite, *others):
            path = pathlib.Path(test.getSourcePath())
            if at_length or "slow" not in tree.lit_labels("/".join(test.path_in_suite), path):
                yield test
