"""Figures: the house's colours and dashes, the numbers of the runs, the panels of the report."""
import os
import pathlib
import re
import unittest

os.environ["MPLBACKEND"] = "Agg"

import matplotlib.pyplot as pyplot
import numpy as np

import common
import pliant


def table_of_styles():
    """Colour by backend, as app/plots/style.cc states it."""
    text = (common.SOURCE / "app/plots/style.cc").read_text()
    rows = re.findall(r'\{"([\w-]+)", \{\{0x(\w\w), 0x(\w\w), 0x(\w\w)\}, Dash::k(\w+), Marker::k(\w+)\}', text)
    return {row[0]: ("#" + "".join(row[1:4]), row[4], row[5]) for row in rows}


class Showing(common.InScratch):
    @classmethod
    def setUpClass(cls):
        import tempfile
        cls.made = tempfile.TemporaryDirectory()
        cls.runs = pliant.load("pendulum", {"run.duration": 0.2}).run(out=cls.made.name, progress=False)
        cls.press = pliant.load("press", {"run.duration": 0.1}).run(["dynamic-ffd"], cls.made.name, False)

    @classmethod
    def tearDownClass(cls):
        cls.made.cleanup()

    def tearDown(self):
        pyplot.close("all")

    def test_a_run_has_the_colour_dash_and_marker_of_its_formulation(self):
        styles = table_of_styles()
        self.assertGreaterEqual(len(styles), 6)
        markers = {"Circle": "o", "Square": "s", "Triangle": "^", "Diamond": "D", "FallingTriangle": "v", "None": "None"}
        for run in self.runs.values():
            colour, dash, marker = styles[run.backend]
            line = run.plot("total_energy_J").lines[0]
            self.assertEqual(line.get_color(), colour)
            self.assertEqual(line.get_marker(), markers[marker])
            self.assertEqual(line.is_dashed(), dash != "Solid")
            np.testing.assert_array_equal(line.get_ydata(), run.series["total_energy_J"])
            np.testing.assert_array_equal(line.get_xdata(), run.series["time_s"])

    def test_axes_have_units(self):
        ax = self.runs["linear-deformation"].plot("momentum_x_kg_m_s")
        self.assertEqual(ax.get_ylabel(), "momentum x [kg m/s]")
        self.assertEqual(ax.get_xlabel(), "time [s]")

    def test_a_comparison_has_all_runs(self):
        figure = self.runs.plot("constraint_error_m")
        said = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        self.assertEqual([one.split(": ")[0] for one in said], list(self.runs))
        self.assertEqual([one for one in said if "not defined" in one], ["kinematic-response: not defined"])

    def test_figures_have_the_panels_and_curves_of_the_report(self):
        plots = self.runs.compare().plots()
        self.assertGreater(len(plots), 6)
        for plot in plots:
            figure = self.runs.plot(plot["key"])
            shown = [ax for ax in figure.axes if ax.get_visible()]
            self.assertEqual(len(shown), len(plot["panels"]), plot["key"])
            for ax, panel in zip(shown, plot["panels"]):
                drawn = [line for line in ax.lines if len(line.get_xdata()) > 2]
                lines = [curve for curve in panel["curves"] if not len(curve["base"])]
                self.assertGreaterEqual(len(drawn), len([c for c in lines if len(c["x"]) > 2]))
                for curve, line in zip([c for c in lines if len(c["x"]) > 2], drawn):
                    np.testing.assert_array_equal(line.get_ydata(), curve["y"])
                    self.assertEqual(line.get_color(), curve["style"]["colour"])
                self.assertEqual(ax.get_ylim(), panel["range"])
            pyplot.close(figure)
        self.runs.plot("strain").savefig("strain.png")

    def test_curves_are_the_numbers_of_the_runs(self):
        plots = {plot["key"]: plot for plot in self.runs.compare().plots(all=True)}
        for key, column in (("total-energy", "total_energy_J"), ("constraint-error", "constraint_error_m")):
            curves = [curve for panel in plots[key]["panels"] for curve in panel["curves"] if len(curve["x"])]
            self.assertGreaterEqual(len(curves), 4)
            for curve in curves:
                run = self.runs[curve["run"]]
                np.testing.assert_array_equal(curve["x"], run.column("time_s"))
                np.testing.assert_array_equal(curve["y"], run.column(column))

    def test_a_frame_shows_what_moves_and_what_holds_at_its_time(self):
        scene = common.SPRING.replace("[backends.position-based]\n[backends.displacement-constraints]", """[[scene.nail]]
name = "left"
body = "bar"
point = 0
until = 0.5
[[scene.obstacle]]
name = "ball"
shape = "sphere"
radius = 0.2
path = {times = [0, 1], keys = [[1, 0], [3, 0.5]]}
[backends.position-based]""")
        run = pliant.loads(scene, "ball").run(progress=False)["position-based"]
        for time, centre, nails in ((0.0, (1.0, 0.0), 1), (1.0, (3.0, 0.5), 0)):
            ax = run.frame(time)
            outline = next(c for c in ax.collections if hasattr(c, "get_paths") and not hasattr(c, "get_segments")
                           ).get_paths()[0].vertices[:-1]
            np.testing.assert_allclose(outline.mean(axis=0), centre, atol=0.01)
            np.testing.assert_allclose(np.linalg.norm(outline - centre, axis=1), 0.2, atol=2e-3)
            self.assertEqual(len([line for line in ax.lines if line.get_marker() == "o"]), nails)
            (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
            self.assertTrue(left < right and bottom < top)
            x = run.points[:, :, :2]
            self.assertTrue((x > (left, bottom)).all() and (x < (right, top)).all())

    def test_the_report_shows_the_same_curves(self):
        # Each curve in data is a column of a bundle, and each title stands in the report.
        report = os.path.join(self.made.name, "pendulum", "report.html")
        said = common.command("report", os.path.join(self.made.name, "pendulum"), "--out", report)
        if "no report" in said:
            self.skipTest("a build without Qt")
        html = pathlib.Path(report).read_text(encoding="utf-8")
        for plot in self.runs.compare().plots():
            self.assertIn(plot["title"].replace("&", "&amp;"), html)

    def test_what_cannot_be_shown(self):
        with self.assertRaisesRegex(pliant.BadInput, "did you mean 'total_energy_J'"):
            self.runs.plot("total_energy_j")
        with self.assertRaisesRegex(pliant.BadInput, "above 0"):
            self.runs["dynamic-ffd"].animate(0)

    def test_a_frame_shows_the_points_where_they_are(self):
        run = self.runs["linear-deformation"]
        ax = run.frame(0.1)
        i = int(np.argmin(np.abs(run.time - 0.1)))
        drawn = np.concatenate([np.concatenate(c.get_segments()) for c in ax.collections if hasattr(c, "get_segments")
                                and len(c.get_segments())])
        for point in run.points[i]:
            self.assertLess(np.abs(drawn - point[:2]).sum(axis=1).min(), 1e-12)  # planar: seen from the front
        low, high = ax.get_xlim()
        self.assertTrue((run.points[:, :, 0] >= low).all() and (run.points[:, :, 0] <= high).all())
        ax.figure.savefig("frame.png")

    def test_a_solid_scene_in_space_is_drawn(self):
        ax = self.press["dynamic-ffd"].frame()
        ax.figure.savefig("press.png")
        image = pyplot.imread("press.png")
        self.assertGreater(len(np.unique(image.reshape(-1, image.shape[2]), axis=0)), 20)

    def test_an_animation_covers_the_run_in_real_time(self):
        film = self.runs["dynamic-ffd"].animate(speed=0.5, fps=10)
        self.assertEqual(len(list(film.new_frame_seq())), 5)
        film.save("film.gif", writer="pillow")
        self.assertGreater(os.path.getsize("film.gif"), 1000)


if __name__ == "__main__":
    unittest.main()
