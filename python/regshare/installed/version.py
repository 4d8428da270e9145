# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package's version, which is that of include/regshare/Base/Version.h."""

VERSION = "0.1.0"
