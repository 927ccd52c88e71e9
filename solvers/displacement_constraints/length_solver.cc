#include "solvers/displacement_constraints/length_solver.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "models/geometry/wide_vectors.h"

namespace pliant::displacement_constraints {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

// The points of one end of a run.
struct RunEnd {
  double *x, *y, *z;
  const double* inverse_masses;
};

// Edges of a block are relaxed together, then their misfits are compared.
constexpr int kLanes = 8;

// Relaxes `count` edges whose ends do not overlap. Adds their misfits to `worst`, lane by lane.
// About 25 operations an edge, one square root and one division.
PLIANT_WIDE_VECTORS
void RelaxRigid(int count, const RunEnd& a, const RunEnd& b, const double* lengths,
                double relaxation, double* worst) {
  double* __restrict ax = a.x;
  double* __restrict ay = a.y;
  double* __restrict az = a.z;
  double* __restrict bx = b.x;
  double* __restrict by = b.y;
  double* __restrict bz = b.z;
  const double* __restrict aw = a.inverse_masses;
  const double* __restrict bw = b.inverse_masses;
  const double* __restrict length = lengths;
  double* __restrict lanes = worst;
  const auto relax = [&](int k, int lane) {
    const double dx = bx[k] - ax[k], dy = by[k] - ay[k], dz = bz[k] - az[k];
    const double distance = std::sqrt(dx * dx + dy * dy + dz * dz);
    const double stretch = distance - length[k];
    const double size = stretch < 0.0 ? -stretch : stretch;
    lanes[lane] = size > lanes[lane] ? size : lanes[lane];
    const double divisor = distance * (aw[k] + bw[k]);
    const double share = relaxation * stretch / (divisor > 0.0 ? divisor : 1.0);
    const double by_a = aw[k] * share, by_b = bw[k] * share;
    ax[k] += by_a * dx;
    ay[k] += by_a * dy;
    az[k] += by_a * dz;
    bx[k] -= by_b * dx;
    by[k] -= by_b * dy;
    bz[k] -= by_b * dz;
  };
  int k = 0;
  for (; k + kLanes <= count; k += kLanes) {
#pragma GCC ivdep
    for (int lane = 0; lane < kLanes; ++lane) relax(k + lane, lane);
  }
  for (; k < count; ++k) relax(k, 0);
}

// The same with α̃ and λ.
PLIANT_WIDE_VECTORS
void RelaxSoft(int count, const RunEnd& a, const RunEnd& b, const double* lengths,
               double relaxation, double soft, double* impulses, double* worst) {
  double* __restrict ax = a.x;
  double* __restrict ay = a.y;
  double* __restrict az = a.z;
  double* __restrict bx = b.x;
  double* __restrict by = b.y;
  double* __restrict bz = b.z;
  const double* __restrict aw = a.inverse_masses;
  const double* __restrict bw = b.inverse_masses;
  const double* __restrict length = lengths;
  double* __restrict impulse = impulses;
  double* __restrict lanes = worst;
  const auto relax = [&](int k, int lane) {
    const double dx = bx[k] - ax[k], dy = by[k] - ay[k], dz = bz[k] - az[k];
    const double distance = std::sqrt(dx * dx + dy * dy + dz * dz);
    const double misfit = distance - length[k] + soft * impulse[k];
    const double size = misfit < 0.0 ? -misfit : misfit;
    lanes[lane] = size > lanes[lane] ? size : lanes[lane];
    const double divisor = aw[k] + bw[k] + soft;  // 0 between held ends, where nothing gives
    const double pulled = divisor > 0.0 ? misfit : 0.0;
    const double more = -relaxation * pulled / (divisor > 0.0 ? divisor : 1.0);
    impulse[k] += more;
    const double share = more / (distance > 0.0 ? distance : 1.0);
    const double by_a = aw[k] * share, by_b = bw[k] * share;
    ax[k] -= by_a * dx;
    ay[k] -= by_a * dy;
    az[k] -= by_a * dz;
    bx[k] += by_b * dx;
    by[k] += by_b * dy;
    bz[k] += by_b * dz;
  };
  int k = 0;
  for (; k + kLanes <= count; k += kLanes) {
#pragma GCC ivdep
    for (int lane = 0; lane < kLanes; ++lane) relax(k + lane, lane);
  }
  for (; k < count; ++k) relax(k, 0);
}

// The same to look at.
struct StillEnd {
  const double *x, *y, *z;
};

// The largest |C| of `count` edges, in the lanes of `worst`.
PLIANT_WIDE_VECTORS
void MeasureRigid(int count, const StillEnd& a, const StillEnd& b, const double* lengths,
                  double* worst) {
  const double *ax = a.x, *ay = a.y, *az = a.z, *bx = b.x, *by = b.y, *bz = b.z;
  double* __restrict lanes = worst;
  const auto measure = [&](int k, int lane) {
    const double dx = bx[k] - ax[k], dy = by[k] - ay[k], dz = bz[k] - az[k];
    const double stretch = std::sqrt(dx * dx + dy * dy + dz * dz) - lengths[k];
    const double size = stretch < 0.0 ? -stretch : stretch;
    lanes[lane] = size > lanes[lane] ? size : lanes[lane];
  };
  int k = 0;
  for (; k + kLanes <= count; k += kLanes) {
#pragma GCC ivdep
    for (int lane = 0; lane < kLanes; ++lane) measure(k + lane, lane);
  }
  for (; k < count; ++k) measure(k, 0);
}

}  // namespace

// How long the edge between two points is; takes edges out as they are found.
class EdgeIndex {
 public:
  EdgeIndex(const std::vector<SegmentNet::Edge>& edges, const Eigen::VectorXd& lengths) {
    for (size_t e = 0; e < edges.size(); ++e) {
      lengths_[Key(edges[e][0], edges[e][1])] = lengths[static_cast<Eigen::Index>(e)];
    }
  }
  // Nothing where there is none.
  std::optional<double> Take(int a, int b) {
    const auto found = lengths_.find(Key(a, b));
    if (found == lengths_.end()) return std::nullopt;
    const double length = found->second;
    lengths_.erase(found);
    return length;
  }

 private:
  static std::int64_t Key(int a, int b) {
    return (static_cast<std::int64_t>(std::min(a, b)) << 32) + std::max(a, b);
  }
  std::unordered_map<std::int64_t, double> lengths_;
};

LengthSolver::LengthSolver(const std::vector<SegmentNet::Edge>& edges,
                           const Eigen::VectorXd& lengths, const Eigen::VectorXd& masses,
                           const std::vector<GridPatch>& patches,
                           const LengthSolverOptions& options)
    : options_(options), slots_(masses.size()), points_(masses.size()) {
  std::iota(slots_.begin(), slots_.end(), 0);
  for (const GridPatch& patch : patches) {
    const int half = (patch.grid.nu + 1) / 2;
    for (int v = 0; v < patch.grid.nv; ++v) {
      const int row = patch.offset + v * patch.grid.nu;
      for (int u = 0; u < patch.grid.nu; ++u) slots_[row + u] = row + u % 2 * half + u / 2;
    }
  }
  for (size_t p = 0; p < slots_.size(); ++p) points_[slots_[p]] = static_cast<int>(p);
  for (Eigen::VectorXd* values : {&x_, &y_, &z_, &inverse_masses_}) {
    values->setZero(masses.size());
  }
  for (size_t p = 0; p < slots_.size(); ++p) {
    inverse_masses_[slots_[p]] = 1.0 / masses[static_cast<Eigen::Index>(p)];
  }
  EdgeIndex index(edges, lengths);
  lengths_.reserve(edges.size());
  for (const GridPatch& patch : patches) AddPatch(patch, &index);
  for (const auto& [a, b] : edges) {
    const std::optional<double> length = index.Take(a, b);
    if (!length) continue;  // of a patch
    runs_.push_back({slots_[a], slots_[b], 1, this->edges()});
    lengths_.push_back(*length);
  }
  runs_.shrink_to_fit();
  if (options.compliance > 0.0 || options.forces) impulses_.assign(lengths_.size(), 0.0);
}

SegmentNet::Edge LengthSolver::Ends(int edge) const {
  const std::vector<Run>& runs = whole_runs_.empty() ? runs_ : whole_runs_;
  const auto after = std::upper_bound(runs.begin(), runs.end(), edge,
                                      [](int e, const Run& run) { return e < run.first; });
  const Run& run = *(after - 1);
  const int k = edge - run.first;
  return {points_[run.a + k], points_[run.b + k]};
}

void LengthSolver::Break(int edge) {
  const auto run = std::find_if(runs_.begin(), runs_.end(), [edge](const Run& r) {
    return r.first <= edge && edge < r.first + r.count;
  });
  if (run == runs_.end()) return;
  if (whole_runs_.empty()) whole_runs_ = runs_;
  const int before = edge - run->first, after = run->count - before - 1;
  const Run rest{run->a + before + 1, run->b + before + 1, after, edge + 1};
  run->count = before;
  if (after > 0) runs_.insert(run + 1, rest);
}

void LengthSolver::Mend() {
  if (!whole_runs_.empty()) runs_ = whole_runs_;
}

std::vector<int> LengthSolver::EdgesBeyond(double impulse) const {
  std::vector<int> beyond;
  for (const Run& run : runs_) {
    for (int edge = run.first; edge < run.first + run.count; ++edge) {
      if (-impulses_[edge] > impulse) beyond.push_back(edge);
    }
  }
  return beyond;
}

void LengthSolver::AddRun(int a, int b, int count, EdgeIndex* edges) {
  if (count == 0) return;
  runs_.push_back({a, b, count, this->edges()});
  for (int k = 0; k < count; ++k) {
    const std::optional<double> length = edges->Take(points_[a + k], points_[b + k]);
    assert(length);
    lengths_.push_back(*length);
  }
}

// Row by row, so that a sweep reads the points once. Of the four colours (even and odd edges of the
// rows, even and odd ones from row to row) each takes a run as soon as the colours before it are
// through with its points: the same bytes as one colour after another.
void LengthSolver::AddPatch(const GridPatch& patch, EdgeIndex* edges) {
  const int nu = patch.grid.nu, nv = patch.grid.nv, half = (nu + 1) / 2;
  const auto row = [&](int v) { return patch.offset + v * nu; };
  const auto even = [&](int v) { AddRun(row(v), row(v) + half, nu / 2, edges); };
  const auto odd = [&](int v) { AddRun(row(v) + half, row(v) + 1, (nu - 1) / 2, edges); };
  const auto down = [&](int v) { AddRun(row(v), row(v + 1), nu, edges); };
  if (options_.order != SweepOrder::kColoured) {
    for (int v = 0; v < nv; ++v) {
      even(v);
      odd(v);
      if (v + 1 < nv) down(v);
    }
    return;
  }
  for (int v = 0; v < nv; v += 2) {
    for (int u = v; u < std::min(v + 2, nv); ++u) {
      even(u);
      odd(u);
    }
    if (v + 1 < nv) down(v);
    if (v > 0) down(v - 1);
  }
}

void LengthSolver::Load(const PointsRef& points) {
  for (size_t p = 0; p < slots_.size(); ++p) {
    const int slot = slots_[p];
    const auto column = static_cast<Eigen::Index>(p);
    x_[slot] = points(0, column);
    y_[slot] = points(1, column);
    z_[slot] = points(2, column);
  }
}

void LengthSolver::Store(MutablePointsRef points) const {
  for (size_t p = 0; p < slots_.size(); ++p) {
    const int slot = slots_[p];
    points.col(static_cast<Eigen::Index>(p)) << x_[slot], y_[slot], z_[slot];
  }
}

void LengthSolver::Begin(double step) {
  soft_ = options_.compliance / (step * step);
  std::fill(impulses_.begin(), impulses_.end(), 0.0);
  if (watches_held_) FindHeldEdges();
}

void LengthSolver::FindHeldEdges() {
  given_.setZero(3, x_.size());
  held_edges_.clear();
  first_held_.clear();
  for (const Run& run : runs_) {
    first_held_.push_back(held_edges_.size());
    for (int k = 0; k < run.count; ++k) {
      const int a = run.a + k, b = run.b + k;
      const bool holds_a = inverse_masses_[a] == 0.0, holds_b = inverse_masses_[b] == 0.0;
      if (holds_a != holds_b) held_edges_.push_back({holds_a ? a : b, holds_a ? b : a});
    }
  }
  first_held_.push_back(held_edges_.size());
}

// What an edge gives its free end it takes from the held one; no other edge of a run moves either.
void LengthSolver::RelaxWatched(size_t run, double* worst) {
  const size_t first = first_held_[run], end = first_held_[run + 1];
  for (size_t i = first; i < end; ++i) held_edges_[i].before = AtSlot(held_edges_[i].free);
  Relax(runs_[run], worst);
  for (size_t i = first; i < end; ++i) {
    const HeldEdge& edge = held_edges_[i];
    given_.col(edge.held) -= (AtSlot(edge.free) - edge.before) / inverse_masses_[edge.free];
  }
}

Eigen::Matrix3Xd LengthSolver::GivenToHeldPoints() const {
  Eigen::Matrix3Xd given = Eigen::Matrix3Xd::Zero(3, x_.size());
  for (size_t p = 0; p < slots_.size(); ++p) {
    given.col(static_cast<Eigen::Index>(p)) = given_.col(slots_[p]);
  }
  if (impulses_.empty()) return given;
  ForEachEdge([&](int edge, int a, int b) {
    if (!IsHeld(a) || !IsHeld(b)) return;
    const Vector3d by = impulses_[edge] * (At(b) - At(a)).normalized();
    given.col(a) -= by;
    given.col(b) += by;
  });
  return given;
}

void LengthSolver::Relax(const Run& run, double* worst) {
  const RunEnd a{x_.data() + run.a, y_.data() + run.a, z_.data() + run.a,
                 inverse_masses_.data() + run.a};
  const RunEnd b{x_.data() + run.b, y_.data() + run.b, z_.data() + run.b,
                 inverse_masses_.data() + run.b};
  if (impulses_.empty()) {
    RelaxRigid(run.count, a, b, lengths_.data() + run.first, options_.relaxation, worst);
  } else {
    RelaxSoft(run.count, a, b, lengths_.data() + run.first, options_.relaxation, soft_,
              impulses_.data() + run.first, worst);
  }
}

double LengthSolver::Sweep(int number) {
  double worst[kLanes] = {};
  const bool back = options_.order == SweepOrder::kSymmetric && number % 2 == 1;
  for (size_t i = 0; i < runs_.size(); ++i) {
    const size_t run = back ? runs_.size() - 1 - i : i;
    if (held_edges_.empty()) {
      Relax(runs_[run], worst);
    } else {
      RelaxWatched(run, worst);
    }
  }
  return *std::max_element(worst, worst + kLanes);
}

double LengthSolver::Stretch(const Run& run, int k) const {
  const int a = run.a + k, b = run.b + k;
  const double dx = x_[b] - x_[a], dy = y_[b] - y_[a], dz = z_[b] - z_[a];
  return std::sqrt(dx * dx + dy * dy + dz * dz) - lengths_[run.first + k];
}

template <typename Visit>
void LengthSolver::ForEachStretch(const Visit& visit) const {
  for (const Run& run : runs_) {
    for (int k = 0; k < run.count; ++k) visit(run.first + k, Stretch(run, k));
  }
}

LengthSolver::Misfit LengthSolver::LargestMisfit() const {
  if (soft_ == 0.0) return LargestStretch();
  Misfit worst;
  ForEachStretch([&](int edge, double stretch) {
    const double misfit = std::abs(stretch + soft_ * impulses_[edge]);
    if (misfit > worst.size) worst = {misfit, edge};
  });
  return worst;
}

// Run by run; then the edge of the worst one.
LengthSolver::Misfit LengthSolver::LargestStretch() const {
  Misfit worst;
  const Run* where = nullptr;
  for (const Run& run : runs_) {
    double lanes[kLanes] = {};
    MeasureRigid(run.count, {&x_[run.a], &y_[run.a], &z_[run.a]},
                 {&x_[run.b], &y_[run.b], &z_[run.b]}, lengths_.data() + run.first, lanes);
    for (const double size : lanes) {
      if (size > worst.size) worst.size = size, where = &run;
    }
  }
  if (where == nullptr) return worst;
  const auto stretch = [this, where](int k) { return std::abs(Stretch(*where, k)); };
  int k = 0;
  while (k + 1 < where->count && stretch(k) != worst.size) ++k;
  worst.edge = where->first + k;
  return worst;
}

double LengthSolver::ElasticEnergy() const {
  if (options_.compliance == 0.0) return 0.0;
  double sum = 0.0;
  ForEachStretch([&sum](int, double stretch) { sum += stretch * stretch; });
  return 0.5 * sum / options_.compliance;
}

Vector3d LengthSolver::Point(const WeightedPoint& point) const {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < point.count; ++i) {
    const int slot = slots_[point.point[i]];
    sum += point.weight[i] * Vector3d(x_[slot], y_[slot], z_[slot]);
  }
  return sum;
}

double LengthSolver::LargestMobility(const WeightedPoint& point) const {
  double sum = 0.0;
  for (int i = 0; i < point.count; ++i) {
    sum += point.weight[i] * point.weight[i] * inverse_masses_[slots_[point.point[i]]];
  }
  return sum;
}

Matrix3d LengthSolver::Mobility(const WeightedPoint& point) const {
  return LargestMobility(point) * Matrix3d::Identity();
}

Matrix3d LengthSolver::Coupling(int p, int q) const {
  return (p == q ? inverse_masses_[slots_[p]] : 0.0) * Matrix3d::Identity();
}

void LengthSolver::Push(const WeightedPoint& point, const Vector3d& impulse) {
  for (int i = 0; i < point.count; ++i) {
    const int slot = slots_[point.point[i]];
    const Vector3d by = point.weight[i] * inverse_masses_[slot] * impulse;
    x_[slot] += by.x();
    y_[slot] += by.y();
    z_[slot] += by.z();
  }
}

}  // namespace pliant::displacement_constraints
