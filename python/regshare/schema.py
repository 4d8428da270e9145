# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks values against a JSON schema: of the vocabulary of draft 2020-12 what
record.schema.json uses, and no more. A keyword beyond that is an error, so that
a schema cannot ask for what is not looked at."""

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}


def findings(value, schema, root=None, where="record"):
    """What is wrong with a value, a line each: `record.kernels[0].cycles: …`."""
    root = schema if root is None else root
    for keyword, wanted in schema.items():
        if keyword in ANNOTATIONS:
            continue
        if keyword not in CHECKS:
            raise ValueError(f"the schema's keyword '{keyword}' is not known")
        yield from CHECKS[keyword](value, wanted, root, where, schema)


def is_of(value, name):
    # A bool is an int in Python and not in JSON.
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def check_ref(value, wanted, root, where, _):
    target = root
    for part in wanted.removeprefix("#/").split("/"):
        target = target[part]
    yield from findings(value, target, root, where)


def check_type(value, wanted, root, where, _):
    names = [wanted] if isinstance(wanted, str) else wanted
    if not any(is_of(value, name) for name in names):
        yield f"{where}: {value!r:.60} is not of type {' or '.join(names)}"


def check_const(value, wanted, root, where, _):
    if value != wanted:
        yield f"{where}: {value!r:.60} is not {wanted!r}"


def check_enum(value, wanted, root, where, _):
    if value not in wanted:
        yield f"{where}: {value!r:.60} is none of {', '.join(map(repr, wanted))}"


def check_minimum(value, wanted, root, where, _):
    if is_of(value, "number") and value < wanted:
        yield f"{where}: {value} is less than {wanted}"


def check_required(value, wanted, root, where, _):
    if isinstance(value, dict):
        for name in wanted:
            if name not in value:
                yield f"{where}: has no '{name}'"


def check_properties(value, wanted, root, where, _):
    if isinstance(value, dict):
        for name, schema in wanted.items():
            if name in value:
                yield from findings(value[name], schema, root, f"{where}.{name}")


def check_additional(value, wanted, root, where, schema):
    if not isinstance(value, dict):
        return
    for name in value.keys() - schema.get("properties", {}).keys():
        if wanted is False:
            yield f"{where}: '{name}' is not known"
        else:
            yield from findings(value[name], wanted, root, f"{where}.{name}")


def check_items(value, wanted, root, where, _):
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from findings(item, wanted, root, f"{where}[{number}]")


CHECKS = {
    "$ref": check_ref,
    "type": check_type,
    "const": check_const,
    "enum": check_enum,
    "minimum": check_minimum,
    "required": check_required,
    "properties": check_properties,
    "additionalProperties": check_additional,
    "items": check_items,
}
