"""Every standard experiment leaves the same bytes from Python as from the command line."""
import os
import subprocess
import unittest

import common
import pliant


class SameBytes(common.InScratch):
    def test_the_eight_standard_experiments(self):
        whole = os.environ.get("PLIANT_WHOLE")  # else their first records
        bundles = 0
        for name in common.EIGHT:
            experiment = pliant.load(name)
            every = experiment["run"]["record_every"]
            settings = [] if whole else ["--set", f"run.duration={2 * every!r}"]
            if not whole:
                experiment["run"]["duration"] = 2 * every
            with common.quiet():
                experiment.run(out="mine", progress=False)
            subprocess.run([common.PROGRAM, "run", name, *settings, "--out", "theirs"], capture_output=True)
            bundles += common.same_bundles(self, self.folder / "mine" / name, self.folder / "theirs" / name)
        self.assertGreater(bundles, 35)


if __name__ == "__main__":
    unittest.main()
