import json
import pathlib
import unittest

import samples
from regshare import records, schema


def wrong(value, wanted):
    return list(schema.findings(value, wanted, where="v"))


class SchemaTest(unittest.TestCase):
    def test_types(self):
        values = {
            "object": {}, "array": [], "string": "a", "integer": 3, "number": 0.5,
            "boolean": True, "null": None,
        }
        for name in values:
            for other, value in values.items():
                fits = name == other or (name, other) == ("number", "integer")
                self.assertEqual(wrong(value, {"type": name}) == [], fits, (name, value))
        self.assertEqual(wrong(None, {"type": ["string", "null"]}), [])
        self.assertEqual(
            wrong(1, {"type": ["string", "null"]}), ["v: 1 is not of type string or null"]
        )

    def test_values(self):
        self.assertEqual(wrong(2, {"const": 1}), ["v: 2 is not 1"])
        self.assertEqual(wrong("c", {"enum": ["a", "b"]}), ["v: 'c' is none of 'a', 'b'"])
        self.assertEqual(wrong(-1, {"minimum": 0}), ["v: -1 is less than 0"])
        self.assertEqual(wrong(0, {"minimum": 0}), [])

    def test_objects(self):
        wanted = {
            "required": ["a"],
            "properties": {"a": {"type": "integer"}},
            "additionalProperties": False,
        }
        self.assertEqual(wrong({"a": 1}, wanted), [])
        self.assertEqual(wrong({}, wanted), ["v: has no 'a'"])
        self.assertEqual(wrong({"a": 1, "b": 2}, wanted), ["v: 'b' is not known"])
        self.assertEqual(wrong({"a": "x"}, wanted), ["v.a: 'x' is not of type integer"])
        rest = {"additionalProperties": {"type": "string"}}
        self.assertEqual(wrong({"b": 2}, rest), ["v.b: 2 is not of type string"])

    def test_items_and_references(self):
        wanted = {"items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"type": "null"}}}
        self.assertEqual(wrong([None, 1], wanted), ["v[1]: 1 is not of type null"])

    def test_what_is_not_looked_at_is_no_schema(self):
        with self.assertRaises(ValueError):
            wrong(1, {"maximum": 3})


class RecordSchemaTest(unittest.TestCase):
    def test_records_fit(self):
        for record in (
            samples.record(),
            samples.record(profiles={"_Z1kv": samples.PROFILE}),
            samples.record("regmutex", outcome="refused", why="it does not fit"),
            samples.record(launches=[samples.launch(split={"base": 18, "extended": 6})]),
            samples.record("ideal", launches=[samples.launch(stats={"storage_bits_per_sm": None})]),
        ):
            self.assertEqual(list(records.findings(record)), [])

    def test_every_part_counts(self):
        """Without any of its parts a record is none, nor with another."""

        def parts(value, path=()):
            if isinstance(value, dict):
                for key, each in value.items():
                    yield (*path, key)
                    yield from parts(each, (*path, key))
            elif isinstance(value, list):
                for index, each in enumerate(value):
                    yield from parts(each, (*path, index))

        def inside(value, path):
            for key in path:
                value = value[key]
            return value

        record = samples.record(profiles={"_Z1kv": samples.PROFILE})
        free = ("issue_slots", "parts", "settings", "given")
        checked = 0
        for path in parts(record):
            if any(name in path[:-1] for name in free):
                continue
            broken = json.loads(json.dumps(record))
            del inside(broken, path[:-1])[path[-1]]
            # Older records do not have it.
            is_needed = path != ("error_kind",)
            self.assertEqual(bool(list(records.findings(broken))), is_needed, path)
            broken = json.loads(json.dumps(record))
            inside(broken, path[:-1])["unheard_of"] = 1
            self.assertTrue(list(records.findings(broken)), path)
            checked += 1
        self.assertGreater(checked, 70)

    def test_the_page_names_every_part(self):
        """docs/records.md and the schema have the same names."""
        page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "records.md"
        text = page.read_text(encoding="utf-8")

        def names(part):
            for name, each in part.get("properties", {}).items():
                yield name
                yield from names(each)
            if "items" in part:
                yield from names(part["items"])

        every = [records.SCHEMA, *records.SCHEMA["$defs"].values()]
        for part in every:
            for name in names(part):
                self.assertIn(f"`{name}`", text)


if __name__ == "__main__":
    unittest.main()
