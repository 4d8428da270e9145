# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of one program on devices under schemes: what is to be run, running it
on all cores, and a record of each that is there as soon as the run is over."""

import collections
import concurrent.futures
import contextlib
import copy
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import time
import weakref

from . import measure, records
from .toolchain import ToolError, file_hash, last_line

# Settings that no result depends on, or that say where results go.
NO_RESULT = ("REGSHARE_REPORT", "REGSHARE_TRACE", "REGSHARE_KEEP_PTX")
NO_RESULT += ("REGSHARE_THREADS", "REGSHARE_CONFIG_PATH")
# What GPUs let programs do wrong is told, and no error.
LENIENT = {"REGSHARE_LENIENT": "1"}
# What a run itself sets; not for users to give.
OWN = ("REGSHARE_DEVICE", "REGSHARE_SCHEME", "REGSHARE_TIMING", *NO_RESULT)

MAX_NOTES = 10
ELF = b"\x7fELF"

# Kinds of errors (docs/records.md) by which a scheme or a device does not take a
# program; it would be so another time.
REFUSED = ("bad-input", "does-not-fit", "not-for-device", "not-for-scheme")
NO_KERNEL = "the program launched no kernel"

# How a run ended, as a record says it: the outcome, why, and the kind of error.
# The last two are None if it finished.
Verdict = collections.namedtuple("Verdict", "outcome why kind")

# `rc` is that of the program, or None if it was stopped after too long.
Ended = collections.namedtuple("Ended", "rc stdout stderr report seconds")


def cores():
    return len(os.sched_getaffinity(0))


def clean_environment():
    """The user's, without what steers programs on the reference SM: a run is
    what its record says. Where devices are, and schemes from outside, is no part of
    that."""
    kept = ("REGSHARE_CONFIG_PATH", "REGSHARE_LOAD")
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("REGSHARE_") or name in kept
    }


def messages(stderr):
    """What the runtime said of itself."""
    sign = "regshare: "
    return [x.removeprefix(sign) for x in stderr.splitlines() if x.startswith(sign)]


def first_line(text):
    return text.split("\n", 1)[0]


def how_it_ended(ended):
    """In a line, of a program that says nothing else."""
    text = last_line(ended.stderr) or last_line(ended.stdout)
    how = f"signal {-ended.rc}" if ended.rc < 0 else f"exit code {ended.rc}"
    return f"{how}: {text}" if text else how


def judge_without_report(ended):
    """Where none could be written, or the program ended before it was. Were it
    refused, it would never be tried again."""
    said = [x for x in messages(ended.stderr) if not x.startswith("warning: ")]
    if said:
        return Verdict("failed", said[-1], "other")
    why = how_it_ended(ended) if ended.rc else NO_KERNEL
    return Verdict("failed", why, "other")


def judge(ended):
    """How a run ended, by the kinds of errors in the runtime's report."""
    if ended.rc is None:
        return Verdict("failed", f"no end after {ended.seconds:.0f} s", "limit")
    if not ended.report:
        return judge_without_report(ended)
    launches, errors = ended.report["launches"], ended.report["errors"]
    kinds = [x["error_kind"] for x in launches if x["error"] != "cudaSuccess"]
    found = [x for x in errors if x["kind"] in (kinds[:1] or REFUSED)]
    if not found and not launches:
        found = errors
    if found:
        kind, why = found[0]["kind"], first_line(found[0]["message"])
        is_refused = kind in REFUSED or not launches
        return Verdict("refused" if is_refused else "failed", why, kind)
    if ended.rc:
        return Verdict("failed", how_it_ended(ended), "other")
    if not launches:
        return Verdict("failed", NO_KERNEL, "other")
    return Verdict("finished", None, None)


def notes(ended, why):
    """What the runtime said besides why, each once and not without end: that a
    kernel cannot have a set of registers, or which CUDA call it has refused."""
    said = dict.fromkeys(line for line in messages(ended.stderr) if line != why)
    return list(said)[:MAX_NOTES]


class Output(threading.Thread):
    """Reads what a program prints; of much it keeps the first and the last."""

    KEPT = 1 << 18
    # What a process that has outlived the program may still have to say, in seconds.
    PATIENCE = 1

    def __init__(self, stream, kept=KEPT):
        super().__init__(daemon=True)
        self.stream, self.kept = stream, kept
        self.first, self.last = bytearray(), bytearray()
        self.start()

    def run(self):
        with self.stream:
            while data := os.read(self.stream.fileno(), 1 << 16):
                room = self.kept - len(self.first)
                self.first += data[:room]
                self.last += data[room:]
                if len(self.last) > 4 * self.kept:
                    del self.last[: -self.kept]

    def text(self):
        self.join(self.PATIENCE)
        text = bytes(self.first + self.last).decode(errors="replace")
        return text.replace("\r\n", "\n")


RUNNERS = weakref.WeakSet()  # all that there are


class Runner:
    """Runs a program, and knows what runs, so that all of it can be ended."""

    none_starts = False  # new ones are stopped already

    def __init__(
        self, executable, arguments, prefix=(), timeout=None, folder=None, kept=Output.KEPT
    ):
        """`folder`: where it runs, if not here; `kept`: bytes of what it prints that are
        kept from the first on, and about as many of the last."""
        self.command = [*prefix, str(pathlib.Path(executable).resolve()), *arguments]
        self.timeout = timeout
        self.folder, self.kept = folder, kept
        self.lock = threading.Lock()
        self.live = set()
        self.stopping = Runner.none_starts
        RUNNERS.add(self)

    def run(self, **settings):
        """`settings`: REGSHARE_ variables with that prefix."""
        with tempfile.TemporaryDirectory(prefix="regshare-") as folder:
            report = pathlib.Path(folder) / "report.json"
            environment = clean_environment() | settings
            environment["REGSHARE_REPORT"] = str(report)
            begin = time.monotonic()
            rc, stdout, stderr = self.execute(environment)
            seconds = time.monotonic() - begin
            try:
                found = json.loads(report.read_text())
            except (OSError, ValueError):
                found = None
            return Ended(rc, stdout, stderr, found, seconds)

    def execute(self, environment):
        with self.lock:
            if self.stopping:
                raise concurrent.futures.CancelledError
            try:
                process = subprocess.Popen(
                    self.command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=environment,
                    cwd=self.folder,
                )
            except OSError as error:
                why = error.strerror
                raise ToolError(f"cannot start '{self.command[0]}': {why}") from None
            self.live.add(process)
        # Not until nobody has the pipes: a child may live on.
        stdout, stderr = Output(process.stdout, self.kept), Output(process.stderr)
        try:
            try:
                rc = process.wait(self.timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                rc = None
        finally:
            with self.lock:
                self.live.discard(process)
        if self.stopping:
            raise concurrent.futures.CancelledError
        return rc, stdout.text(), stderr.text()

    def stop(self):
        """Ends what runs; whoever waits for it gets CancelledError."""
        with self.lock:
            self.stopping = True
            for process in self.live:
                process.kill()


def device_configuration(tools, device):
    name, *changes = device.split(",")
    return {
        "name": name,
        "changes": changes,
        "sha256": file_hash(tools.device_file(name)),
    }


def environment_of(configuration):
    """The variables that make a run of this configuration."""
    return {
        **configuration["given"],
        "REGSHARE_DEVICE": records.device_name(configuration),
        "REGSHARE_SCHEME": configuration["scheme"],
    }


def settings_in_effect(report):
    """The settings that a result depends on; a report has all."""
    return {k: v for k, v in report["settings"].items() if k not in NO_RESULT}


class Device:
    """What has to be known of a program on a device before it is run there."""

    def __init__(self, settings, profiles, note):
        self.settings, self.profiles, self.note = settings, profiles, note


def look_at(runner, tools, device, source, options, given):
    """Executes the program without timing, which is quick, so that what it does
    wrong by itself is told before anything long is begun; and has the compiler
    report on its kernels. `given`: the variables that all runs have."""
    ended = runner.run(REGSHARE_DEVICE=device, REGSHARE_TIMING="0", **given)
    outcome, why, _ = judge(ended)
    if outcome == "failed":
        raise ToolError(f"the program fails on {device} under baseline: {why}")
    if outcome == "refused" and not ended.report["launches"]:
        raise ToolError(why)
    profiles, note = {}, None
    if source:
        try:
            profiles = tools.profiles(source, options, device)
        except ToolError as error:
            note = f"no live-register profile for {device}: {error}"
    settings = settings_in_effect(ended.report) | {"REGSHARE_TIMING": "1"}
    return Device(settings, profiles, note)


def run_one(runner, configuration, device, threads):
    """The record of one run."""
    configuration = copy.deepcopy(configuration)
    environment = environment_of(configuration)
    ended = runner.run(**environment, REGSHARE_THREADS=str(threads))
    outcome, why, kind = judge(ended)
    figures = {"total": None, "kernels": []}
    if outcome == "finished":
        figures = measure.figures(ended.report, device.profiles)
    configuration["settings"] = (
        settings_in_effect(ended.report)
        if ended.report
        else device.settings | environment
    )
    return {
        "version": records.VERSION,
        "id": records.identity(configuration),
        "configuration": configuration,
        "outcome": outcome,
        "why": why,
        "error_kind": kind,
        "notes": notes(ended, why),
        "wall_seconds": round(ended.seconds, 3),
        **figures,
    }


@contextlib.contextmanager
def pool_of_runners(jobs):
    """Threads that make runners of their own and wait for them. Whatever ends the
    block, nothing is left running."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            Runner.none_starts = True
            for runner in list(RUNNERS):
                runner.stop()
            pool.shutdown()
            Runner.none_starts = False
            raise


@contextlib.contextmanager
def pool_of(runner, jobs):
    """Threads for runs. Whatever ends the block, nothing is left running."""
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    try:
        yield pool
    finally:
        runner.stop()
        pool.shutdown(cancel_futures=True)


def look_at_all(pool, runner, tools, names, source, options, given):
    """What has to be known of a program on each device, by the devices' names."""
    looks = {
        name: pool.submit(look_at, runner, tools, name, source, options, given)
        for name in names
    }
    return {name: look.result() for name, look in looks.items()}


def run_all(pool, runner, file, pending, jobs, progress):
    """Runs what is pending, pairs of a configuration and its Device, and adds a
    record of each run to the file as soon as it is over."""
    threads = max(1, jobs // max(1, len(pending)))
    left = {pool.submit(run_one, runner, *each, threads) for each in pending}
    progress.begin(len(left))
    while left:
        done, left = concurrent.futures.wait(
            left, timeout=1, return_when=concurrent.futures.FIRST_COMPLETED
        )
        progress.waiting(min(jobs, len(left)))
        for future in done:
            record = future.result()
            file.add(record)
            progress.finished(record)
    progress.end()


def still_to_run(file, wanted):
    """Configurations without a record. What failed may do so no more; what was
    refused will be again."""
    found = [file.find(records.identity(each)) for each in wanted]
    return [
        each
        for each, record in zip(wanted, found)
        if not record or record["outcome"] == "failed"
    ]


def program_configuration(tools, executable, source, options, arguments):
    """What the configurations of all runs of a program have. `source` is None
    if the program came compiled."""
    return {
        "regshare": tools.version(),
        "toolchain": tools.fingerprint(),
        "program": {
            "name": (source or executable).stem,
            "source": str(source) if source else None,
            "sha256": file_hash(executable),
        },
        "compiler_options": list(options) if source else [],
        "arguments": list(arguments),
        "settings": {},
    }


def is_program(path):
    """Whether a file is compiled already."""
    try:
        with open(path, "rb") as file:
            return file.read(4) == ELF
    except OSError as error:
        raise ToolError(f"cannot read '{path}': {error.strerror}") from None
