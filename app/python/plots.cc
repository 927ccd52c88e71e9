// What the figures of the report show, as data: panels, curves, axes, colours, dashes and markers. Python draws them.

#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "app/plots/bundle_series.h"
#include "app/plots/camera.h"
#include "app/plots/comparison_plots.h"
#include "app/plots/plot_rules.h"
#include "app/plots/style.h"
#include "app/python/held_simulation.h"
#include "app/python/loaded_experiment.h"
#include "experiments/bundles/bundle.h"
#include "experiments/comparison/comparison_table.h"
#include "models/scene/obstacle_surface.h"

namespace pliant {
namespace py = pybind11;
namespace {

const char* MarkerName(Marker marker) {
  switch (marker) {
    case Marker::kNone:
      return "";
    case Marker::kCircle:
      return "circle";
    case Marker::kSquare:
      return "square";
    case Marker::kTriangle:
      return "triangle";
    case Marker::kDiamond:
      return "diamond";
    case Marker::kFallingTriangle:
      return "falling triangle";
  }
  return "";
}

py::dict ToPython(const LineStyle& style) {
  py::dict dict;
  dict["colour"] = ToHex(style.colour);
  dict["dashes"] = LengthsOf(style.dash);
  dict["marker"] = MarkerName(style.marker);
  dict["width"] = style.width;
  return dict;
}

py::dict ToPython(const Axis& axis) {
  py::dict dict;
  dict["label"] = axis.label;
  dict["unit"] = axis.unit;
  dict["logarithmic"] = axis.logarithmic;
  return dict;
}

py::array_t<double> Vector(const std::vector<double>& values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::dict ToPython(const Plot& plot) {
  const AxisRange x = RangeOfX(plot);
  const std::vector<AxisRange> ys = RangesOfY(plot);
  py::list panels;
  for (size_t i = 0; i < plot.panels.size(); ++i) {
    const Panel& panel = plot.panels[i];
    py::list curves;
    for (const PlottedCurve& curve : panel.curves) {
      py::dict one;
      one["name"] = curve.name;
      one["run"] = curve.run;
      one["style"] = ToPython(curve.style);
      one["x"] = Vector(curve.x);
      one["y"] = Vector(curve.y);
      one["base"] = Vector(curve.base);
      one["diverged"] = curve.diverged;
      curves.append(one);
    }
    py::dict one;
    one["title"] = panel.title;
    one["y"] = ToPython(panel.y);
    one["range"] = py::make_tuple(ys[i].lower, ys[i].upper);
    one["curves"] = curves;
    panels.append(one);
  }
  py::dict dict;
  dict["key"] = plot.key;
  dict["title"] = plot.title;
  dict["reading"] = plot.reading;
  dict["x"] = ToPython(plot.x);
  dict["range"] = py::make_tuple(x.lower, x.upper);
  dict["panels"] = panels;
  dict["zero_line"] = plot.zero_line;
  dict["notes"] = NotesOf(plot);
  return dict;
}

// The plots of a comparison of these bundles, as the report has them but for the band of a yardstick.
py::list Plots(const std::vector<std::filesystem::path>& folders, bool all) {
  std::vector<Plot> plots;
  {
    const py::gil_scoped_release release;
    std::vector<Bundle> bundles;
    for (const auto& folder : folders) bundles.push_back(Bundle::Open(folder));
    std::vector<RunSeries> runs;
    for (const Bundle& bundle : bundles) runs.push_back(SeriesOf(bundle, bundle.label()));
    const std::string reference = ReferenceAmong(bundles);
    for (const Bundle& of : bundles) {
      if (of.label() != reference) continue;
      for (size_t i = 0; i < bundles.size(); ++i) AddDistances(bundles[i], of, &runs[i]);
    }
    plots = ComparisonPlots(runs, all ? PlotSet::kAll : PlotSet::kReport);
  }
  py::list list;
  for (const Plot& plot : plots) {
    if (HasValues(plot)) list.append(ToPython(plot));
  }
  return list;
}

// What stands in a scene besides its bodies at a time: obstacles as polygons (3×k, world), planes, what holds points.
py::dict Scenery(const LoadedExperiment& loaded, double time) {
  constexpr int kTurn = 48;
  const Scene& scene = *loaded.experiment->scene;
  py::list polygons, planes, nails;
  for (const Obstacle& obstacle : scene.obstacles) {
    const Eigen::Vector3d origin = obstacle.motion.At(time).position;
    if (const Plane* plane = PlaneOf(obstacle.shape)) {
      planes.append(py::make_tuple(origin, plane->normal));
    } else if (scene.dimension == 2) {
      for (Eigen::Matrix3Xd outline : OutlinesOf(obstacle.shape, kTurn)) {
        outline.colwise() += origin;
        polygons.append(outline);
      }
    } else {
      for (const Facet& facet : FacetsOf(obstacle.shape, {kTurn, 1})) {
        Eigen::Matrix3Xd corners(3, facet.size);
        for (int i = 0; i < facet.size; ++i)
          corners.col(i) = origin + facet.corners[static_cast<size_t>(i)];
        polygons.append(corners);
      }
    }
  }
  for (const Nail& nail : scene.nails) {
    if (Holds(nail.hold, time)) nails.append(nail.path.At(time).position);
  }
  py::dict dict;
  dict["polygons"] = polygons;
  dict["planes"] = planes;
  dict["nails"] = nails;
  return dict;
}

// The camera of the report for these frames: axes (columns right, up, towards the viewer) and what is seen
// (left, right, bottom, top) [m].
py::tuple View(const LoadedExperiment& loaded, const std::vector<double>& times,
               const std::vector<Eigen::Matrix3Xd>& points) {
  const Camera camera = FitCamera(*loaded.experiment->scene, {{times, points}});
  const auto &low = camera.window.min(), &high = camera.window.max();
  return py::make_tuple(camera.axes, py::make_tuple(low.x(), high.x(), low.y(), high.y()));
}

}  // namespace

void BindPlots(py::module_& m) {
  m.def(
      "line_styles",
      [](const std::vector<std::string>& backends) {
        py::list styles;
        for (const LineStyle& style : StylesOfRuns(backends)) styles.append(ToPython(style));
        return styles;
      },
      py::arg("backends"));
  m.def(
      "columns",
      [](const std::string& backend) {
        py::list columns;
        const Backend* found = FindBackend(backend);
        const BackendInfo info = found == nullptr ? BackendInfo() : found->info();
        for (const SeriesColumn& column : SeriesColumns(info))
          columns.append(py::make_tuple(column.name, column.unit, column.meaning));
        return columns;
      },
      py::arg("backend"));
  m.def("scenery", &Scenery, py::arg("experiment"), py::arg("time"));
  m.def("view", &View, py::arg("experiment"), py::arg("times"), py::arg("points"));
  m.def(
      "lighten",
      [](const std::string& hex, double amount) {
        const unsigned long rgb = std::stoul(hex.substr(1), nullptr, 16);
        return ToHex(Lighten({static_cast<std::uint8_t>(rgb >> 16),
                              static_cast<std::uint8_t>(rgb >> 8), static_cast<std::uint8_t>(rgb)},
                             amount));
      },
      py::arg("colour"), py::arg("amount"));
  m.def("plots", &Plots, py::arg("bundles"), py::arg("all"));
}

}  // namespace pliant
