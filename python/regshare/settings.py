# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Settings before anything is run with them: values as schemes declare them, and what
the environment says to nobody."""

import os
import re

from . import command, records, runs
from .toolchain import ToolError, nearest


def canonical(setting, text):
    """A value as the runtime prints it, of any way to write it; None if it is none."""
    kind = setting["kind"]
    if kind == "choice":
        return text if any(text == each["name"] for each in setting["choices"]) else None
    if kind == "share":
        found = re.fullmatch(r"([01]?)(?:\.([0-9]{0,3}))?", text)
        if not found or not any(found.groups()):
            return None
        number = int(found[1] or 0) * 1000 + int((found[2] or "").ljust(3, "0"))
        is_in = setting["least"] <= number <= setting["most"]
        return f"{number / 1000:.3f}".rstrip("0").rstrip(".") if is_in else None
    if not re.fullmatch(r"-?[0-9]{1,19}", text):
        return None
    least, most = (0, 1) if kind == "flag" else (setting["least"], setting["most"])
    return str(int(text)) if least <= int(text) <= most else None


def checked(tools, variable, text):
    """The value of a variable in its one form. Raises ToolError for what runs do not
    take, and for what the setting does not; variables of the runtime alone are let
    pass."""
    setting = tools.declared().get(variable)
    of_runtime = [name for name in tools.program_variables() if name not in runs.OWN]
    if not setting and variable not in of_runtime:
        word = records.setting_word(variable)
        of_schemes = sorted(each["name"] for each in tools.declared().values())
        near = nearest(word, [*of_schemes, *map(records.setting_word, of_runtime)])
        what = f"there is no setting '{word}'{near}"
        if variable in runs.OWN:
            what = f"'{word}' is nothing to be set: each run has its own"
        raise ToolError(f"{what}; schemes have: {', '.join(of_schemes)}")
    if not setting:
        return text
    value = canonical(setting, text)
    if value is None:
        raise ToolError(
            f"setting '{setting['name']}': expected {setting['expected']}, got '{text}'"
        )
    return value


def doubts(tools, scheme, given):
    """Sentences on settings among the variables that the scheme does not have."""
    for variable in given:
        setting = tools.declared().get(variable)
        if setting and not set(scheme.split("+")) & set(setting["schemes"]):
            names = ", ".join(setting["schemes"])
            schemes = "scheme" if len(setting["schemes"]) == 1 else "schemes"
            yield (
                f"'{setting['name']}' is a setting of {schemes} {names}; "
                f"it changes nothing under {scheme}"
            )


def doubts_about_environment(tools, environment):
    """Sentences on REGSHARE_ variables that no run gets."""
    declared, own = tools.declared(), tools.own_variables()
    for name in sorted(environment):
        if not name.startswith("REGSHARE_") or not environment[name]:
            continue
        if name in declared:
            word = records.setting_word(name)
            yield f"{name} does not reach the runs; '{word}' is to follow a scheme's name"
        elif name in tools.program_variables():
            yield f"{name} does not reach the runs, which have what is asked for here"
        elif name not in own:
            words = {each.removeprefix("REGSHARE_"): each for each in (*declared, *own)}
            near = nearest(name.removeprefix("REGSHARE_"), words)
            near = re.sub(r"'(.*)'", r"'REGSHARE_\1'", near)
            yield f"{name} is no variable of RegShare{near}"


def tell_doubts(name, tools, given=()):
    """The warnings of the command `name` before its runs, each once: on the environment,
    and on `given`, pairs of a scheme and the variables that its runs get."""
    found = list(doubts_about_environment(tools, os.environ))
    for scheme, variables in given:
        found += doubts(tools, scheme, variables)
    for doubt in dict.fromkeys(found):
        command.say(name, f"warning: {doubt}")
