"""The tutorial runs as it stands."""
import doctest
import os
import unittest

os.environ["MPLBACKEND"] = "Agg"

import common


class Tutorial(common.InScratch):
    def test_it_runs(self):
        text = (common.SOURCE / "docs/python.md").read_text()
        # Blocks that begin with a prompt are examples; the closing fence is no part of what they print.
        test = doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, "docs/python.md", "docs/python.md", 0)
        self.assertGreater(len(test.examples), 30)
        said = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        with common.quiet():
            result = runner.run(test, out=said.append)
        self.assertEqual(result.failed, 0, "".join(said))


if __name__ == "__main__":
    unittest.main()
