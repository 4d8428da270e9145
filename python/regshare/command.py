# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the commands have in common: their words, and how they end."""

import argparse
import os
import pathlib
import shlex
import signal
import sys

from . import records
from .toolchain import Toolchain, ToolError, find_binaries, nearest


class Parser(argparse.ArgumentParser):
    """Tells a wrong use as the other tools do: a sentence, and exit code 1."""

    def parse_args(self, args=None, namespace=None):
        args, unknown = self.parse_known_args(args, namespace)
        if unknown:
            near = nearest(unknown[0].partition("=")[0], self._option_string_actions)
            self.error(f"unrecognized arguments: {' '.join(unknown)}{near}")
        return args

    def error(self, message):
        print(f"{self.prog}: error: {message}; see {self.prog} --help", file=sys.stderr)
        sys.exit(1)


class ShowVersion(argparse.Action):
    """That of regshare-opt, which lies beside the command."""

    def __init__(self, **named):
        super().__init__(nargs=0, help="show the version and exit", **named)

    def __call__(self, parser, *_):
        try:
            print(Toolchain(find_binaries(sys.argv[0])).ask("--version").strip())
        except ToolError as error:
            parser.error(str(error))
        parser.exit()


def parser_of(name, what, after, text):
    """`what`: the arguments; `after`: what may follow them after --, if anything."""
    parser = Parser(
        prog=name,
        usage=f"{name} [options] {what}" + (f" [-- {after}]" if after else ""),
        description=text,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=ShowVersion)
    parser.add_argument("--load", action="append", default=[], metavar="LIB.so",
        help="a library of schemes, which then are like the others; may be repeated")
    return parser


def parse(parser, words):
    """The options, with what is after -- as `after`."""
    cut = words.index("--") if "--" in words else len(words)
    args = parser.parse_args(words[:cut])
    args.after = words[cut + 1 :]
    return args


def number(text):
    if not text.strip().lstrip("+-").isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number")
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return value


def words(text):
    """As a shell would split them."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error).lower()) from None


def say(name, text):
    """On the line of the progress, where that is a terminal's."""
    clear = "\r\x1b[K" if sys.stderr.isatty() else ""
    print(f"{clear}{name}: {text}", file=sys.stderr)


def interrupt(*_):
    raise KeyboardInterrupt


def let_sigterm_interrupt():
    """Who is asked to end does what Ctrl-C makes it do."""
    signal.signal(signal.SIGTERM, interrupt)


def run(name, work):
    """The exit code of a command that does `work`, which is false if something of
    it went wrong and was told. What was done before an end is not lost."""
    try:
        is_well = work()
        # Now, and not when nobody can tell of it any more.
        print(end="", flush=True)
        return 0 if is_well else 1
    except BrokenPipeError:
        # Whoever read this has seen enough. Nothing is left to be written at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (ToolError, records.RecordError, OSError) as error:
        say(name, error)
        return 1
    except KeyboardInterrupt:
        say(name, "interrupted; the same command goes on from here")
        return 130
