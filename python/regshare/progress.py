# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a command tells of long work."""

import shutil


class Line:
    """A line that changes on a terminal; elsewhere a line for each text."""

    def __init__(self, stream):
        self.stream = stream
        self.live = stream.isatty()

    def show(self, text):
        if self.live:
            # What is wider than the terminal would not be overwritten.
            width = shutil.get_terminal_size().columns - 1
            self.stream.write(f"\r\x1b[K{text[:width]}")
        else:
            self.stream.write(f"{text}\n")
        self.stream.flush()

    def show_passing(self, text):
        """What is of use only while nothing else is to be said."""
        if self.live:
            self.show(text)

    def say(self, text):
        """What stays, in lines of its own."""
        self.end()
        self.stream.write(f"{text}\n")
        self.stream.flush()

    def end(self):
        if self.live:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
