// Finding contact: two sheets above one another, n cells along each side, 2 n² faces each.

#include <benchmark/benchmark.h>

#include <Eigen/Geometry>
#include <cmath>
#include <memory>
#include <vector>

#include "models/collision/box_tree.h"
#include "models/collision/closest.h"
#include "models/collision/continuous.h"
#include "models/contact/contact_meter.h"
#include "models/contact/passages.h"
#include "models/scene/shapes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// A sheet of 1 m that waves, `height` above z = 0.
struct Surface {
  Surface(int cells, double height) {
    Body body = MakeSheet("sheet", {1.0, 1.0}, {cells + 1, cells + 1}, 1.0);
    faces = body.faces;
    x = body.rest;
    for (int i = 0; i < x.cols(); ++i) {
      x(2, i) = height + 0.1 * std::sin(5.0 * x(0, i)) * std::cos(4.0 * x(1, i));
    }
    std::vector<Bounds> boxes;
    for (int f = 0; f < static_cast<int>(faces.size()); ++f) boxes.push_back(BoxOf(f));
    tree = BoxTree(boxes);
  }
  Bounds BoxOf(int f) const {
    Bounds box = Bounds::Of(x.col(faces[f][0]), x.col(faces[f][1]));
    box.Take(Vector3d(x.col(faces[f][2])));
    return box;
  }
  void Refit(double by) {
    tree.Refit([&](int f) {
      Bounds box = BoxOf(f);
      box.Widen(by);
      return box;
    });
  }
  std::vector<std::array<int, 3>> faces;
  Eigen::Matrix3Xd x;
  BoxTree tree;
};

// A step in which nothing touches: both trees are refitted and asked. Waves follow one another
// at two widths of a cell, so that boxes of the upper levels overlap everywhere.
void BM_NothingTouches(benchmark::State& state) {
  const auto cells = static_cast<int>(state.range(0));
  Surface below(cells, 0.0), above(cells, 2.0 / cells);
  long pairs = 0;
  for (auto _ : state) {
    below.Refit(0.0);
    above.Refit(0.0);
    pairs = 0;
    below.tree.ForEachPair(above.tree, [&](int, int) { ++pairs; });
    benchmark::DoNotOptimize(pairs);
  }
  if (pairs != 0) state.SkipWithError("boxes of faces overlap: something touches");
  const long faces = 2L * cells * cells;
  state.counters["faces"] = static_cast<double>(faces);
  state.SetComplexityN(faces);
}
BENCHMARK(BM_NothingTouches)->Arg(18)->Arg(36)->Arg(71)->Arg(142)->Arg(284)->Complexity();

// Pairs of a point and a face, and of edges, 0.01 apart.
struct TouchingPairs {
  explicit TouchingPairs(int count) {
    for (int i = 0; i < count; ++i) {
      const double u = 0.1 + 0.8 * std::fmod(0.618 * i, 1.0), v = 0.5 * (1.0 - u);
      corners.push_back({Vector3d(0, 0, 0), Vector3d(1, 0, 0.1 * u), Vector3d(0, 1, 0.1 * v)});
      points.push_back(PlaceOnTriangle(corners.back(), {1.0 - u - v, u, v}) + Vector3d(0, 0, 0.01));
    }
  }
  std::vector<std::array<Vector3d, 3>> corners;
  std::vector<Vector3d> points;
};

// Half of them a point and a face, half two edges: closest places and distances.
void BM_ClosestOfTouchingPairs(benchmark::State& state) {
  const auto count = static_cast<int>(state.range(0));
  const TouchingPairs pairs(count);
  for (auto _ : state) {
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
      const auto& c = pairs.corners[i];
      if (i % 2 == 0) {
        sum += (PlaceOnTriangle(c, ClosestOnTriangle(c, pairs.points[i])) - pairs.points[i]).norm();
      } else {
        sum += ClosestOfSegments(c[0], c[1], pairs.points[i], c[2]).squared;
      }
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetComplexityN(count);
}
BENCHMARK(BM_ClosestOfTouchingPairs)->Arg(250)->Arg(1000)->Arg(4000)->Complexity();

// Half of the pairs meet within the step, half stop 0.005 before.
void BM_FirstImpacts(benchmark::State& state) {
  const auto count = static_cast<int>(state.range(0));
  const TouchingPairs pairs(count);
  int touched = 0;
  for (auto _ : state) {
    touched = 0;
    for (int i = 0; i < count; ++i) {
      const auto& c = pairs.corners[i];
      const Vector3d end = pairs.points[i] - Vector3d(0, 0, i % 2 == 0 ? 0.03 : 0.005);
      touched += FirstImpact(PointMotion{pairs.points[i], end},
                             {PointMotion{c[0], c[0]}, {c[1], c[1]}, {c[2], c[2]}}, {})
                     .has_value();
    }
    benchmark::DoNotOptimize(touched);
  }
  if (touched != count / 2) state.SkipWithError("not the pairs that meet");
  state.SetComplexityN(count);
}
BENCHMARK(BM_FirstImpacts)->Arg(250)->Arg(1000)->Arg(4000)->Complexity();

// What is measured at each recorded time, of a sheet that waves above a floor and a ball.
void BM_MeasuresOfARecord(benchmark::State& state) {
  const auto cells = static_cast<int>(state.range(0));
  auto scene = std::make_shared<Scene>();
  scene->bodies.push_back(MakeSheet("sheet", {1.0, 1.0}, {cells + 1, cells + 1}, 1.0));
  scene->obstacles.push_back({"floor", Plane{}, Path::Still(Vector3d(0, -2, 0))});
  scene->obstacles.push_back({"ball", Sphere{0.2}, Path::Still(Vector3d(0, 0, -0.21))});
  const Surface wave(cells, 0.0);
  ContactMeter meter(scene);
  Passages passages(scene);
  double time = 0.0;
  for (auto _ : state) {
    const ContactMeasures measures = meter.Measure(time, wave.x);
    if (*measures.self_crossings != 0.0) state.SkipWithError("the sheet crosses itself");
    passages.Add(time += 0.01, wave.x);
  }
  state.SetComplexityN(2L * cells * cells);
}
BENCHMARK(BM_MeasuresOfARecord)->Arg(16)->Arg(32)->Arg(64)->Arg(128)->Complexity();

}  // namespace
}  // namespace pliant
