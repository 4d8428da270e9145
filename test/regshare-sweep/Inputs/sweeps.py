"""What the tests of sweeps share: starting them, and looking at what they leave."""

import json
import os
import pathlib
import re
import signal
import subprocess
import time

# Who is started in the background, or by nohup, may have them ignored, and its
# children too.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def start(sheet, out, *options):
    """In its own session, as a user's would be."""
    return subprocess.Popen(
        ["regshare-sweep", str(sheet), f"--out={out}", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def finish(process, wanted=0):
    """What it said; it has to end with this exit code."""
    said, _ = process.communicate(timeout=300)
    assert process.returncode == wanted, (process.returncode, said)
    assert "Traceback" not in said, said
    return said


def run(sheet, out, *options, wanted=0):
    return finish(start(sheet, out, *options), wanted)


def write(path, **sheet):
    """JSON is YAML."""
    path.write_text(json.dumps(sheet))
    return path


def lines(out):
    """Those of all records that are complete, by their file's name."""
    found = {}
    for path in sorted(pathlib.Path(out, "records").glob("*.jsonl")):
        data = path.read_bytes()
        found[path.name] = data[: data.rfind(b"\n") + 1].splitlines()
    return found


def count(out):
    return sum(map(len, lines(out).values()))


def records(out):
    return [json.loads(line) for each in lines(out).values() for line in each]


def what_counts(record):
    """What is the same on every day."""
    return {key: value for key, value in record.items() if key != "wall_seconds"}


def sorted_by_id(all_records):
    return sorted(map(what_counts, all_records), key=lambda record: record["id"])


def processes(folder):
    """Those that work in a folder: Snakemake, jobs and programs."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(entry / "cwd") == str(pathlib.Path(folder).resolve()):
                found.append((int(entry.name), (entry / "cmdline").read_bytes().decode()))
        except OSError:
            pass
    return found


def wait_for(condition, process=None, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "this takes too long"
        assert process is None or process.poll() is None, process.communicate()
        time.sleep(0.02)


def is_progress(said, total):
    """Every run is told of once, and numbers only grow."""
    numbers = [int(n) for n in re.findall(rf"^\[(\d+)/{total}\] .* on .*: ", said, re.M)]
    return numbers == sorted(set(numbers)) and numbers[-1:] == [total]
