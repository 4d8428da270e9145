"""Which tests run in the sanitizer build: those that sanitizers find something in, which
is our C++. So not

- lit tests of scripts, in a folder of OF_SCRIPTS: what they run in other processes,
  other tests run with sanitizers;
- lit tests that are slow (`LABELS: slow`): they run more programs, of which
  Runtime/Suite/suite-sanitized.test runs one;
- unit tests of OF_CYCLES: they measure a figure over many cycles or instructions, of
  which the first run all the code there is.

Where random tests run at length (utils/check --long-fuzz), only the first are left out.
A lit test that is named by its own path always runs.

Where utils/check tests both builds, the optimised one has what the sanitizer build
leaves out: these tests, those of ONLY_OPTIMISED, and lit tests that do less with
sanitizers or nothing (`%if !asan`, `UNSUPPORTED: asan`)."""

import os
import re
import sys

import tree

OF_SCRIPTS = {"Docs", "Harness", "Python", "regshare-compare", "regshare-reproduce",
    "regshare-suite", "regshare-sweep", "regshare-tune", "regshare-validate"}

OF_CYCLES = [
    r"^TimingResidency\.EqualsTheCalculator$",  # as many CTAs as fit, 80 times
    r"^TimingBandwidth\.Streaming$",
    r"/Bandwidth\.RandomSectorsAreBoundByActivations/",
    r"/Bandwidth\.CopyingLosesTheTurnarounds/",
    r"/WholeLatencyTest\.PointerChase/hopper\b",  # other devices have the same code
    # SameMemoryAsWithoutTiming runs its kernel on each device under each scheduler, and
    # TimingSchemesTest and TimingCachedSets simulate every cycle.
    r"/MachineTest\.SameAsWhenEveryCycleIsSimulated/",
    # sampling.cu times a part of a grid with sanitizers.
    r"^PartOfGrid\.TheFirstCtasAreTimedAndTheOthersExecuted$",
    r"^PartOfGrid\.WavesBeginWhenTheirFirstCtaIsHandedOut$",
    r"/LivelockTest\.WhatEndsIsNone/Functional\b",  # 2,000,000 rounds; Timed has fewer
]


# What the sanitizer build has not.
ONLY_OPTIMISED = [
    r"^(portable|v3)\.",  # REGSHARE_SIM_LEVELS
    r"^(Fuzz|Mutation)\.",  # change stacks
]


def at_length():
    return "REGSHARE_FUZZ_ITERATIONS" in os.environ


def is_sanitized(build):
    cache = build / "CMakeCache.txt"
    return cache.is_file() and bool(
        re.search(r"^REGSHARE_SANITIZE:\w+=\S", cache.read_text(encoding="utf-8"), re.M))


def has_lit_test(name, path):
    if name.split("/")[0] in OF_SCRIPTS:
        return False
    return at_length() or "slow" not in tree.lit_labels(name, path)


def has_unit_test(name):
    return at_length() or not any(re.search(each, name) for each in OF_CYCLES)


def optimised_lit_test(name, path):
    """Whether the sanitizer build does not run all of it."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return not has_lit_test(name, path) or bool(re.search(r"\basan\b", text))


def optimised_unit_tests(names):
    """Those of `names` that the sanitizer build does not run."""
    patterns = OF_CYCLES + ONLY_OPTIMISED
    for each in patterns:
        if not any(re.search(each, name) for name in names):
            sys.exit(f"run-tests: no unit test's name matches '{each}': its program is not "
                "built (PLAIN in unittests/), or utils/sanitized.py has an old name")
    return {name for name in names if any(re.search(each, name) for each in patterns)}
