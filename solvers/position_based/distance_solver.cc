#include "solvers/position_based/distance_solver.h"

#include <algorithm>
#include <cmath>

#include "models/geometry/wide_vectors.h"
#include "models/position_based/distance_constraint.h"

namespace pliant::position_based {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

// The points of one end of a strip.
struct StripEnd {
  double *x, *y, *z;
  const double* inverse_masses;
};

// The sums of the impulses of the edges of a strip on their ends b [kg m].
struct GivenImpulses {
  double *x, *y, *z;
};

// Edges of a block are corrected together, then their misfits are compared.
constexpr int kLanes = 8;

// Relaxes `count` edges whose ends do not overlap. Adds their misfits to `worst`, lane by lane.
// About 30 operations an edge, one square root and one division.
PLIANT_WIDE_VECTORS
void RelaxRigid(int count, const StripEnd& a, const StripEnd& b, const double* lengths,
                double relaxation, const GivenImpulses& given, double* worst) {
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
  double* __restrict px = given.x;
  double* __restrict py = given.y;
  double* __restrict pz = given.z;
  const auto relax = [&](int k, int lane) {
    const double dx = bx[k] - ax[k], dy = by[k] - ay[k], dz = bz[k] - az[k];
    const double distance = std::sqrt(dx * dx + dy * dy + dz * dz);
    const double stretch = distance - length[k];
    const double size = stretch < 0.0 ? -stretch : stretch;
    lanes[lane] = size > lanes[lane] ? size : lanes[lane];
    const double divisor = distance * (aw[k] + bw[k]);  // 0 between held ends, which do not move
    const double closed = divisor > 0.0 ? relaxation * stretch : 0.0;
    const double share = closed / (divisor > 0.0 ? divisor : 1.0);
    const double by_a = aw[k] * share, by_b = bw[k] * share;
    px[k] -= share * dx;
    py[k] -= share * dy;
    pz[k] -= share * dz;
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
void RelaxSoft(int count, const StripEnd& a, const StripEnd& b, const double* lengths,
               double relaxation, double soft, double* impulses, const GivenImpulses& given,
               double* worst) {
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
  double* __restrict px = given.x;
  double* __restrict py = given.y;
  double* __restrict pz = given.z;
  const auto relax = [&](int k, int lane) {
    const double dx = bx[k] - ax[k], dy = by[k] - ay[k], dz = bz[k] - az[k];
    const double distance = std::sqrt(dx * dx + dy * dy + dz * dz);
    const double misfit = distance - length[k] + soft * impulse[k];
    const double size = misfit < 0.0 ? -misfit : misfit;
    lanes[lane] = size > lanes[lane] ? size : lanes[lane];
    const double divisor = aw[k] + bw[k] + soft;  // 0 between held ends, which do not move
    const double pulled = divisor > 0.0 ? misfit : 0.0;
    const double more = -relaxation * pulled / (divisor > 0.0 ? divisor : 1.0);
    impulse[k] += more;
    const double share = more / (distance > 0.0 ? distance : 1.0);
    const double by_a = aw[k] * share, by_b = bw[k] * share;
    px[k] += share * dx;
    py[k] += share * dy;
    pz[k] += share * dz;
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

// The same, read only.
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

DistanceSolver::DistanceSolver(const std::vector<Edge>& edges, const Eigen::VectorXd& lengths,
                               const Eigen::VectorXd& masses, const std::vector<GridPatch>& patches,
                               const DistanceSolverOptions& options)
    : options_(options),
      strips_(edges, lengths, static_cast<int>(masses.size()), patches,
              options.order == SweepOrder::kColoured) {
  for (Eigen::VectorXd* values : {&x_, &y_, &z_, &inverse_masses_}) {
    values->setZero(masses.size());
  }
  for (int p = 0; p < strips_.points(); ++p) inverse_masses_[strips_.slot(p)] = 1.0 / masses[p];
  if (options.compliance > 0.0 || options.forces) impulses_.assign(strips_.edges(), 0.0);
  given_.setZero(strips_.edges(), 3);
}

std::vector<int> DistanceSolver::EdgesBeyond(double impulse) const {
  std::vector<int> beyond;
  for (const Strip& strip : strips_.strips()) {
    for (int edge = strip.first; edge < strip.first + strip.count; ++edge) {
      if (-impulses_[edge] > impulse) beyond.push_back(edge);
    }
  }
  return beyond;
}

void DistanceSolver::Load(const PointsRef& points) {
  for (int p = 0; p < strips_.points(); ++p) SetPoint(p, points.col(p));
}

void DistanceSolver::Store(MutablePointsRef points) const {
  for (int p = 0; p < strips_.points(); ++p) points.col(p) = At(p);
}

void DistanceSolver::Begin(double step) {
  soft_ = options_.compliance / (step * step);
  std::fill(impulses_.begin(), impulses_.end(), 0.0);
  given_.setZero();
}

void DistanceSolver::FindHeldEnds() {
  knows_held_ = true;
  held_ends_.clear();
  strips_.ForEachEdge([this](int edge, int a, int b) {
    if (IsHeld(a)) held_ends_.push_back({edge, a, -1.0});
    if (IsHeld(b)) held_ends_.push_back({edge, b, 1.0});
  });
}

void DistanceSolver::Relax(const Strip& strip, double* worst) {
  const StripEnd a{x_.data() + strip.a, y_.data() + strip.a, z_.data() + strip.a,
                   inverse_masses_.data() + strip.a};
  const StripEnd b{x_.data() + strip.b, y_.data() + strip.b, z_.data() + strip.b,
                   inverse_masses_.data() + strip.b};
  const GivenImpulses given{given_.col(0).data() + strip.first, given_.col(1).data() + strip.first,
                            given_.col(2).data() + strip.first};
  if (impulses_.empty()) {
    RelaxRigid(strip.count, a, b, strips_.lengths().data() + strip.first, options_.relaxation,
               given, worst);
  } else {
    RelaxSoft(strip.count, a, b, strips_.lengths().data() + strip.first, options_.relaxation, soft_,
              impulses_.data() + strip.first, given, worst);
  }
}

double DistanceSolver::Sweep(int number) {
  if (!knows_held_) FindHeldEnds();
  double worst[kLanes] = {};
  const bool back = options_.order == SweepOrder::kSymmetric && number % 2 == 1;
  const size_t strips = strips_.strips().size();
  for (size_t i = 0; i < strips; ++i) {
    Relax(strips_.strips()[back ? strips - 1 - i : i], worst);
  }
  return *std::max_element(worst, worst + kLanes);
}

double DistanceSolver::StretchOf(const Strip& strip, int k) const {
  const int a = strip.a + k, b = strip.b + k;
  const double dx = x_[b] - x_[a], dy = y_[b] - y_[a], dz = z_[b] - z_[a];
  return std::sqrt(dx * dx + dy * dy + dz * dz) - strips_.lengths()[strip.first + k];
}

template <typename Visit>
void DistanceSolver::ForEachStretch(const Visit& visit) const {
  for (const Strip& strip : strips_.strips()) {
    for (int k = 0; k < strip.count; ++k) visit(strip.first + k, StretchOf(strip, k));
  }
}

DistanceSolver::Misfit DistanceSolver::LargestMisfit() const {
  if (soft_ == 0.0) return LargestStretch();
  Misfit worst;
  ForEachStretch([&](int edge, double stretch) {
    const double misfit = std::abs(stretch + soft_ * impulses_[edge]);
    if (misfit > worst.size) worst = {misfit, edge};
  });
  return worst;
}

// Strip by strip; then the edge of the worst one.
DistanceSolver::Misfit DistanceSolver::LargestStretch() const {
  Misfit worst;
  const Strip* where = nullptr;
  for (const Strip& strip : strips_.strips()) {
    double lanes[kLanes] = {};
    MeasureRigid(strip.count, {&x_[strip.a], &y_[strip.a], &z_[strip.a]},
                 {&x_[strip.b], &y_[strip.b], &z_[strip.b]}, strips_.lengths().data() + strip.first,
                 lanes);
    for (const double size : lanes) {
      if (size > worst.size) worst.size = size, where = &strip;
    }
  }
  if (where == nullptr) return worst;
  const auto stretch = [this, where](int k) { return std::abs(StretchOf(*where, k)); };
  int k = 0;
  while (k + 1 < where->count && stretch(k) != worst.size) ++k;
  worst.edge = where->first + k;
  return worst;
}

double DistanceSolver::ElasticEnergy() const {
  if (options_.compliance == 0.0) return 0.0;
  double sum = 0.0;
  ForEachStretch([&sum](int, double stretch) { sum += stretch * stretch; });
  return position_based::ElasticEnergy(sum, options_.compliance);
}

Vector3d DistanceSolver::Point(const WeightedPoint& point) const {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < point.count; ++i) {
    const int slot = strips_.slot(point.point[i]);
    sum += point.weight[i] * Vector3d(x_[slot], y_[slot], z_[slot]);
  }
  return sum;
}

double DistanceSolver::LargestMobility(const WeightedPoint& point) const {
  double sum = 0.0;
  for (int i = 0; i < point.count; ++i) {
    sum += point.weight[i] * point.weight[i] * inverse_masses_[strips_.slot(point.point[i])];
  }
  return sum;
}

Matrix3d DistanceSolver::Mobility(const WeightedPoint& point) const {
  return LargestMobility(point) * Matrix3d::Identity();
}

Matrix3d DistanceSolver::Coupling(int p, int q) const {
  return (p == q ? inverse_masses_[strips_.slot(p)] : 0.0) * Matrix3d::Identity();
}

void DistanceSolver::Push(const WeightedPoint& point, const Vector3d& impulse) {
  for (int i = 0; i < point.count; ++i) {
    const int slot = strips_.slot(point.point[i]);
    const Vector3d by = point.weight[i] * inverse_masses_[slot] * impulse;
    x_[slot] += by.x();
    y_[slot] += by.y();
    z_[slot] += by.z();
  }
}

}  // namespace pliant::position_based
