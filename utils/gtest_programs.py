"""Runs the tests of GoogleTest programs as ctest lists them, many of a program in one
process: most tests take less time than a process does to begin."""

import collections
import concurrent.futures
import pathlib
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

MOST = 20  # tests of a process; the cores have something to share then
LONGEST = 1500  # seconds that a process has, as ctest's tests do
FILTER = "--gtest_filter="

# What became of a test: `outcome` is passed, failed or skipped, `text` what it said.
Case = collections.namedtuple("Case", "name seconds outcome text")
# Tests of one process, by their names in the program; `prefix` goes before those.
Batch = collections.namedtuple("Batch", "program arguments environment folder prefix tests")


def properties_of(test):
    return {each["name"]: each["value"] for each in test.get("properties", [])}


def divide(listing):
    """Batches of the tests that are GoogleTest's, those that take long first and each
    by itself; and the names of the other tests."""
    alike, slow, others = collections.defaultdict(list), [], []
    for test in listing:
        command = test.get("command", [])
        if len(command) < 2 or not command[1].startswith(FILTER):
            others.append(test["name"])
            continue
        known = properties_of(test)
        name = command[1].removeprefix(FILTER)
        # ctest may put something before and after it: a prefix, the value of a parameter.
        before, found, _ = test["name"].partition(name)
        kind = (command[0], tuple(command[2:]), tuple(known.get("ENVIRONMENT", [])),
            known.get("WORKING_DIRECTORY", "."), before if found else "")
        if "slow" in known.get("LABELS", []):
            slow.append(Batch(*kind, [name]))
        else:
            alike[kind].append(name)
    batches = [Batch(*kind, names[first : first + MOST])
        for kind, names in alike.items() for first in range(0, len(names), MOST)]
    return slow + sorted(batches, key=lambda batch: -len(batch.tests)), others


def read_cases(path, prefix):
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        if case.get("status") != "run":
            continue
        name = f"{prefix}{case.get('classname')}.{case.get('name')}"
        failures = [failure.text or "" for failure in case.findall("failure")]
        skipped = case.find("skipped")
        outcome, text = "passed", ""
        if failures:
            outcome, text = "failed", "\n".join(failures)
        elif skipped is not None:
            outcome, text = "skipped", skipped.get("message", "")
        yield Case(name, float(case.get("time", 0)), outcome, text)


def run_process(batch, environment):
    """The cases, or nothing but what it said if it came to no end of its own."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.xml"
        given = dict(pair.split("=", 1) for pair in batch.environment)
        command = [batch.program, FILTER + ":".join(batch.tests), *batch.arguments,
            f"--gtest_output=xml:{report}"]
        try:
            done = subprocess.run(command, cwd=batch.folder, env={**environment, **given},
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LONGEST,
                check=False)
            said = done.stdout.decode(errors="replace")
        except (OSError, subprocess.TimeoutExpired) as error:
            return [], str(error)
        if done.returncode not in (0, 1) or not report.is_file():
            return [], f"{said}ended with status {done.returncode}"
        return list(read_cases(report, batch.prefix)), said


def run_batch(batch, environment):
    cases, said = run_process(batch, environment)
    if len(cases) == len(batch.tests):
        return cases
    if len(batch.tests) == 1:
        return [Case(batch.prefix + batch.tests[0], 0.0, "failed", said)]
    # One of them ends the process: which, and whether the others are right.
    return [case for name in batch.tests
        for case in run_batch(batch._replace(tests=[name]), environment)]


def run(batches, environment, jobs):
    """The cases of all."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return [case for cases in pool.map(lambda batch: run_batch(batch, environment), batches)
            for case in cases]
