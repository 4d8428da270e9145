# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What RegShare runs and measures, for Python and notebooks.

    import regshare

    program = regshare.Program("hotspot.cu")
    records = [program.run(256, 4, scheme=name) for name in ("baseline", "ideal")]
    frame = regshare.against_baseline(regshare.frame(records))
    regshare.figures.speedups(frame)

Programs, records and the commands need nothing but Python itself; frames need
pandas, and figures matplotlib.
"""

import importlib

from .installed.version import VERSION as __version__

# What is imported when it is asked for: commands start with less, and an old
# Python can tell that it is one.
OFFERED = {
    "Program": "notebook",
    "run": "notebook",
    "against_baseline": "records",
    "frame": "records",
    "load": "records",
    "read": "records",
}
MODULES = ("figures", "records")

__all__ = ["__version__", *OFFERED, *MODULES]


def __getattr__(name):
    if name in MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name in OFFERED:
        return getattr(importlib.import_module(f".{OFFERED[name]}", __name__), name)
    raise AttributeError(f"module 'regshare' has no attribute '{name}'")
