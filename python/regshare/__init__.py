# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What RegShare measured, for Python.

`regshare.records` reads and writes the records of runs, `regshare.figures`
draws them. `regshare-compare` is `regshare.compare`; it needs nothing but
Python itself, while frames need pandas and figures matplotlib.
"""
