# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Has Snakemake run what is missing of a sweep: here on all cores, or on a
cluster. The sweep's folder has
    records/    of the runs, a file for each program and device
    programs/   the executables: NAME-DIGEST, of what each is compiled from
    log/        of each job, and of Snakemake
    plan.json   the jobs, all that is to be known of them (batch.py)
    done/       a file for each job of this start that is over
"""

import contextlib
import dataclasses
import fcntl
import hashlib
import importlib.metadata
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

from . import batch, records, runs, slurm, sweep
from .command import interrupt
from .progress import Line
from .toolchain import ToolError, file_hash

PACKAGE = pathlib.Path(__file__).resolve().parent
SNAKEMAKE = "7"
# Of a job on a cluster for each thread, and of a job.
MEMORY_MB = 2000
RUNTIME_MINUTES = 240
# Jobs at the same time that a cluster gets.
CLUSTER_JOBS = 100
# How long what is ended may take before it is killed, in seconds.
PATIENCE = 2
# What a program is taken to include lies beside it, or in common/.
INCLUDED = (".cu", ".cuh", ".h", ".hpp", ".inc")


@dataclasses.dataclass(frozen=True)
class Options:
    jobs: int | None = None  # at the same time
    threads: int | None = None  # of each job
    sbatch: list | None = None  # options of sbatch, where Slurm runs the jobs
    more: tuple = ()  # options of Snakemake's own

    @property
    def is_local(self):
        return self.sbatch is None and not self.more


# What is to be done.


def around(source):
    folders = (source.parent, source.parent.parent / "common")
    beside = (file for folder in folders if folder.is_dir() for file in folder.iterdir())
    return sorted(f for f in beside if f.suffix in INCLUDED and f.is_file())


def program_file(tools, plan, program):
    """`hotspot-3f2c…`: another name if anything changes that it is made from."""
    digest = hashlib.sha256(json.dumps([plan.options, str(program.source)]).encode())
    digest.update(tools.compiler_hash.encode() + tools.fingerprint().encode())
    try:
        for file in (program.source, *around(program.source)):
            digest.update(file_hash(file).encode())
    except OSError as error:
        raise ToolError(f"cannot read '{error.filename}': {error.strerror}") from None
    return f"{program.name}-{digest.hexdigest()[:16]}"


def plan_of(tools, plan, out):
    """All jobs of a sweep, as plan.json has them."""
    programs = dict.fromkeys(point.program for point in plan.points)
    files = {program: program_file(tools, plan, program) for program in programs}
    return {
        "folder": str(out.resolve()),
        "binaries": str(tools.binaries.resolve()),
        "python": sys.executable,
        "package": str(PACKAGE.parent),
        "options": list(plan.options),
        "beside": str(sweep.folder_of(plan.path)),
        "timeout": plan.timeout,
        "programs": {
            file: {
                "name": program.name,
                "source": str(program.source),
                "arguments": list(program.arguments),
            }
            for program, file in files.items()
        },
        "batches": {
            f"{name}@{sweep.safe(device)}": {
                "program": files[points[0].program],
                "device": device,
                "records": str(sweep.record_file(".", name, device)),
                "points": [(p.device, p.scheme, dict(p.given)) for p in points],
            }
            for (name, device), points in plan.batches().items()
        },
    }


def found_of(tools, plan, jobs, out):
    """The sweep's points that have a record of this very program and toolchain,
    each with it."""
    found = {}
    for points, each in zip(plan.batches().values(), jobs["batches"].values()):
        file = out / each["records"]
        if not file.exists() or not (out / "programs" / each["program"]).exists():
            continue
        by_id = {record["id"]: record for record in records.read(file)}
        for point, configuration in zip(points, batch.configurations(tools, jobs, each)):
            if record := by_id.get(records.identity(configuration)):
                found[point] = record
    return found


def is_over(record):
    """What failed is tried again."""
    return record is not None and record["outcome"] != "failed"


def pending_of(plan, jobs, found):
    """The jobs that have anything to do."""
    names = zip(plan.batches().values(), jobs["batches"])
    return [n for points, n in names if not all(is_over(found.get(p)) for p in points)]


# Its folder.


@contextlib.contextmanager
def held(out):
    """The folder, for one sweep at a time. Yields the lock's descriptor: who
    inherits it holds the folder as well."""
    with open(out / ".lock", "a+", encoding="utf-8") as file:
        # Of a sweep that was killed some process may live for a moment.
        end = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if not isinstance(error, BlockingIOError):
                    raise ToolError(f"cannot lock '{out}': {error.strerror}") from None
                if time.monotonic() > end:
                    file.seek(0)
                    who = file.read().strip() or "unknown"
                    raise ToolError(
                        f"another sweep runs in '{out}': process {who}"
                    ) from None
            time.sleep(0.05)
        file.truncate(0)
        file.write(f"{os.getpid()} on {os.uname().nodename}")
        file.flush()
        yield file.fileno()


def prepare(out, jobs, pending, options):
    """The folder for a start of Snakemake: what it knows of earlier ones does not
    count, records do."""
    for name in ("done", "log", ".snakemake/incomplete", ".snakemake/locks"):
        shutil.rmtree(out / name, ignore_errors=True)
    for name in ("done", "log", "programs", "records"):
        (out / name).mkdir(exist_ok=True)
    cores = options.jobs or runs.cores()
    # Where there are fewer jobs than cores, jobs have several runs at a time.
    fill = -(-cores // len(pending)) if options.is_local else 1
    threads = options.threads or fill
    jobs = jobs | {
        "batches": {name: jobs["batches"][name] for name in pending},
        "threads": threads,
        "memory": MEMORY_MB * threads,
        "runtime": RUNTIME_MINUTES,
        "sbatch": options.sbatch,
    }
    text = json.dumps(jobs, indent=1)
    (out / "plan.json").write_text(text + "\n", encoding="utf-8")


# Snakemake.


def check_version(version):
    """Raises ToolError for a Snakemake whose options are others."""
    if version.split(".")[0] != SNAKEMAKE:
        raise ToolError(
            f"this is Snakemake {version}, and sweeps need one of version {SNAKEMAKE}: "
            f"the package snakemake, or pip install 'snakemake=={SNAKEMAKE}.*'"
        )


def is_count(word):
    """Whether an option of Snakemake's says how many jobs to run."""
    name = word.split("=")[0]
    return name in ("--cores", "--jobs", "--profile") or name[:2] in ("-c", "-j")


def where(options):
    """Snakemake's options for the place where jobs run."""
    if options.sbatch is not None:
        mine = f"{shlex.quote(sys.executable)} -B -m regshare.slurm"
        return [
            f"--jobs={options.jobs or CLUSTER_JOBS}",
            f"--cluster={mine} submit".replace("{", "{{").replace("}", "}}"),
            f"--cluster-status={mine} status",
            # Of a file server, until what a node has written is seen here.
            "--latency-wait=60",
            *options.more,
        ]
    if any(map(is_count, options.more)):
        return list(options.more)
    return [f"--cores={options.jobs or runs.cores()}", *options.more]


def command(out, options):
    return [
        # -P: what is in the user's folder by names of Python's modules is none.
        sys.executable, "-B", "-P", "-m", "regshare.in_snakemake",
        f"--snakefile={PACKAGE / 'Snakefile'}",
        f"--directory={out}",
        f"--log-handler-script={PACKAGE / 'in_snakemake.py'}",
        # A job that fails keeps none from running. What is there and what is not
        # was found out before; one sweep at a time is seen to as well.
        "--keep-going", "--rerun-triggers=mtime", "--drop-metadata", "--nolock",
        "--scheduler=greedy", "--nocolor",
        *where(options),
    ]  # fmt: skip


@contextlib.contextmanager
def started(out, options, lock):
    """Snakemake in a group of its own, so that all of it can be ended at once. It
    ends itself with its group where this process is killed, which closes the pipe
    (in_snakemake.py)."""
    reader, writer = os.pipe()
    # Snakemake may be there by the user's own path.
    paths = [str(PACKAGE.parent), os.environ.get("PYTHONPATH")]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "REGSHARE_PARENT": str(reader),
    }
    with open(out / "log" / "snakemake.log", "wb") as log:
        process = subprocess.Popen(
            command(out, options),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=environment,
            pass_fds=(lock, reader),
            start_new_session=True,
        )
    os.close(reader)
    try:
        yield process
    finally:
        with undisturbed():
            end_group(process)
        os.close(writer)


def is_alive(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def end_group(process):
    """Ends what Snakemake has started, and returns when nothing of it is left."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        process.poll()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        end = time.monotonic() + PATIENCE
        while is_alive(process.pid) and time.monotonic() < end:
            process.poll()
            time.sleep(0.02)
    process.wait()


@contextlib.contextmanager
def interruptible():
    """What asks this process to end is a KeyboardInterrupt, as Ctrl-C is."""
    numbers = (signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    for number, handler in before.items():
        # nohup.
        if handler != signal.SIG_IGN:
            signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def undisturbed():
    """Whoever presses Ctrl-C twice still leaves nothing behind."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# What the user sees of it.


def name_of(point):
    """`hotspot on gtx480: expars tau=0.5`."""
    is_named = point.run != point.scheme
    words = [f"{point.run} ({point.scheme})" if is_named else point.scheme]
    words += [f"{key}={value}" for key, value in point.at]
    return f"{point.program.name} on {point.base}: {' '.join(words)}"


def ending(record):
    if record["total"]:
        text = f"{record['total']['cycles']:,} cycles"
    else:
        text = f"{record['outcome']}: {record['why']}"
    return f"{text} ({record['wall_seconds']:.1f} s)"


class Watch:
    """Tells of the records that jobs add to their files, and of jobs that fail."""

    def __init__(self, plan, jobs, out, found, line):
        self.out, self.jobs, self.line = out, jobs, line
        self.points = {point.key(): point for point in plan.points}
        self.done, self.total = sum(map(is_over, found.values())), len(self.points)
        files = (out / each["records"] for each in jobs["batches"].values())
        self.read = {file: self.new_lines(file, 0)[1] for file in files}
        self.failed_read = self.failures = 0
        self.began, self.latest = time.monotonic(), ""
        self.line.show(f"[{self.done}/{self.total}] {self.total - self.done} runs to do")

    def new_lines(self, file, start):
        """Those that are complete, and where they end."""
        if not file.exists() or file.stat().st_size <= start:
            return [], start
        with open(file, "rb") as opened:
            opened.seek(start)
            data = opened.read()
        end = data.rfind(b"\n") + 1
        return data[:end].decode(errors="replace").splitlines(), start + end

    def poll(self):
        for file, start in self.read.items():
            lines, self.read[file] = self.new_lines(file, start)
            for text in lines:
                self.finished(json.loads(text))
        failed, self.failed_read = self.new_lines(
            self.out / "log" / "failed", self.failed_read
        )
        for output in failed:
            self.failed(pathlib.Path(output).name)
        seconds = time.monotonic() - self.began
        at = f"[{self.done}/{self.total}]"
        self.line.show_passing(f"{at} {seconds:.0f} s{self.latest}")

    def finished(self, record):
        point = self.points.get(sweep.record_key(record))
        if point:
            self.done += 1
            self.latest = f", latest: {name_of(point)}: {ending(record)}"
            at = f"[{self.done}/{self.total}] {name_of(point)}"
            text = f"{at}: {ending(record)}"
            show = self.line.say if record["outcome"] == "failed" else self.line.show
            show(text)

    def failed(self, name):
        """A job; where runs failed and nothing else, those were told of."""
        self.failures += 1
        log = self.out / "log" / f"{name}.log"
        text = log.read_text(errors="replace").rstrip() if log.exists() else ""
        if name in self.jobs["programs"]:
            self.line.say(text or f"{name}: this job was ended")
        elif text:
            self.line.say(f"{name}: {text}")


def tail(path, count=15):
    lines = path.read_text(errors="replace").splitlines()
    return "\n".join(lines[-count:])


def follow(process, watch, line, out):
    """Until Snakemake ends. Raises ToolError if it fails and no job has."""
    try:
        while process.poll() is None:
            watch.poll()
            time.sleep(0.2)
        watch.poll()
    finally:
        line.end()
    if process.returncode and not watch.failures:
        log = out / "log" / "snakemake.log"
        raise ToolError(f"Snakemake fails ({process.returncode}); {log} ends with:\n{tail(log)}")


def run(tools, plan, out, options, stream=sys.stderr):
    """Runs what is missing of a sweep. Its points that have a record, each with
    it. Raises ToolError for what keeps it from running at all, KeyboardInterrupt
    when all of it was ended."""
    out = pathlib.Path(out)
    check_version(importlib.metadata.version("snakemake"))
    if options.sbatch is not None:
        slurm.check(out.resolve())
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ToolError(f"cannot make '{out}': {error.strerror}") from None
    line = Line(stream)
    with held(out) as lock, interruptible():
        jobs = plan_of(tools, plan, out)
        found = found_of(tools, plan, jobs, out)
        pending = pending_of(plan, jobs, found)
        if not pending:
            return found
        prepare(out, jobs, pending, options)
        watch = Watch(plan, jobs, out, found, line)
        is_on_slurm = options.sbatch is not None
        with slurm.jobs_of(jobs["folder"]) if is_on_slurm else contextlib.nullcontext():
            with started(out, options, lock) as process:
                follow(process, watch, line, out)
        return found_of(tools, plan, jobs, out)
