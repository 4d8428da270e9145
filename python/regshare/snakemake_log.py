# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Snakemake loads for workflow.py: it adds the outputs of jobs that fail to
log/failed, and ends Snakemake with its jobs where the command that has started it
is no more."""

import os
import pathlib
import signal
import threading


def tell_failed(output):
    with open(pathlib.Path("log", "failed"), "a", encoding="utf-8") as file:
        file.write(f"{output}\n")


def log_handler(msg):
    if msg["level"] == "job_error":
        tell_failed(msg["output"][0])


def end_with_parent(descriptor):
    # Nothing is ever written there: this returns when the other end is closed.
    os.read(descriptor, 1)
    os.killpg(0, signal.SIGKILL)


if "REGSHARE_PARENT" in os.environ:
    threading.Thread(
        target=end_with_parent, args=[int(os.environ.pop("REGSHARE_PARENT"))], daemon=True
    ).start()
