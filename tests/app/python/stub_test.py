"""The stub is that of the compiled module, and everything public is documented."""
import os
import pathlib
import subprocess
import sys
import unittest

import common
import pliant


class Stub(common.InScratch):
    def test_it_says_what_the_module_has(self):
        # pybind11 has a metaclass of its own, and constructors that only refuse.
        pathlib.Path("allowed").write_text("pliant\\._pliant\\.[A-Z]\\w*\n"
                                           "pliant\\._pliant\\.(Limits|Observation)\\.__init__\n")
        done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "--ignore-missing-stub", "--concise",
                               "--allowlist", os.path.abspath("allowed"), "pliant._pliant"],
                              capture_output=True, text=True, cwd=pathlib.Path(pliant.__file__).parent.parent)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_everything_public_is_documented(self):
        for name in pliant.__all__:
            thing = getattr(pliant, name)
            self.assertTrue(thing.__doc__ and len(thing.__doc__) > 15, name)


if __name__ == "__main__":
    unittest.main()
