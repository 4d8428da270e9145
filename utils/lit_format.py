"""How lit finds the tests of the sanitizer build; sanitized.py says which they are."""

import pathlib

import lit.formats
import sanitized


class Sanitized(lit.formats.ShTest):
    def getTestsInDirectory(self, suite, path_in_suite, *others):
        for test in super().getTestsInDirectory(suite, path_in_suite, *others):
            name = "/".join(test.path_in_suite)
            if sanitized.has_lit_test(name, pathlib.Path(test.getSourcePath())):
                yield test
