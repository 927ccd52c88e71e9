#include "solvers/linear_deformation/point_constraints.h"

#include <algorithm>
#include <optional>
#include <set>

#include "models/geometry/spectrum.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Up to this many sliders a dense Schur complement is inverted.
constexpr int kFewSliders = 32;

using Target = std::variant<Path, CubicSegment>;

PathPoint At(const Target& target, double t) {
  return std::visit([t](const auto& path) { return path.At(t); }, target);
}

// The last corner of a path in begin ≤ t < end, for keys joined by straight lines.
std::optional<double> CornerOf(const Target& target, double begin, double end) {
  if (std::holds_alternative<CubicSegment>(target)) return std::nullopt;
  const Path& path = std::get<Path>(target);
  if (path.interpolation() != Path::Interpolation::kLinear) return std::nullopt;
  const auto& times = path.times();
  const auto next = std::lower_bound(times.begin(), times.end(), end);
  if (next == times.begin() || *(next - 1) < begin) return std::nullopt;
  return *(next - 1);
}

}  // namespace

PointConstraints::PointConstraints(int dimension, const std::vector<const ConstraintRow*>& rows,
                                   const std::vector<LinearBody>& bodies,
                                   const std::vector<int>& first)
    : dimension_(dimension),
      still_(ConstraintVectors::Zero(static_cast<Eigen::Index>(rows.size()), dimension)) {
  const auto all = static_cast<int>(rows.size());
  for (int i = 0; i < all; ++i) {
    if (!rows[i]->along) Add(*rows[i], i, bodies, first);
  }
  whole_ = size();
  along_.resize(all - whole_, dimension);
  for (int i = 0; i < all; ++i) {
    if (!rows[i]->along) continue;
    along_.row(size() - whole_) = rows[i]->along->head(dimension).transpose();
    Add(*rows[i], i, bodies, first);
  }
  KeepBarred(&still_);
  const int sliders = size() - whole_;
  if (sliders == 0) {
    matrix_ = ConstraintMatrix(whole_, ends_);
    return;
  }
  const ConstraintEnds whole = EndsOfWholePoints();
  matrix_ = ConstraintMatrix(whole_, whole);
  if (sliders <= kFewSliders && !matrix_.is_reduced()) {
    FactoriseSliders(ends_.Matrix(size()));
  } else {
    many_sliders_ = ManySliders(dimension_, whole, matrix_, sliders, EndsOfSliders());
  }
  slider_sides_.resize(sliders);
  slider_multipliers_.resize(sliders);
}

void PointConstraints::Add(const ConstraintRow& row, int number,
                           const std::vector<LinearBody>& bodies, const std::vector<int>& first) {
  const int constraint = size();
  names_.push_back(row.name);
  for (const Combination::Term& term : row.terms) {
    const LinearBody& body = bodies[term.point.body];
    const VectorXd of_point = term.weight * body.terms().col(term.point.point);
    const VectorXd impulse = body.inverse_mass() * of_point;
    ends_.Add(constraint, first[term.point.body], body.columns(), of_point.data(), impulse.data());
  }
  const Path* path = std::get_if<Path>(&row.target);
  const bool moves = path == nullptr || path->moves();
  if (moves) {
    moving_.push_back({constraint, number, row.target});
  } else {
    still_.row(constraint) = path->At(0.0).position.head(dimension_).transpose();
  }
  double weight = 0.0;
  for (const Combination::Term& term : row.terms) weight += term.weight;
  const bool between_points = weight == 0.0 && !moves && still_.row(constraint).isZero(0.0);
  if (!between_points) outside_.push_back({constraint, weight});
}

ConstraintEnds PointConstraints::EndsOfWholePoints() const {
  ConstraintEnds whole;
  for (const ConstraintEnd& end : ends_.ends) {
    if (end.constraint >= whole_) continue;
    whole.Add(end.constraint, end.first, end.columns, &ends_.rows[end.term],
              &ends_.impulses[end.term]);
  }
  return whole;
}

ConstraintEnds PointConstraints::EndsOfSliders() const {
  ConstraintEnds sliders;
  std::vector<double> row, impulse;
  for (const ConstraintEnd& end : ends_.ends) {
    const int k = end.constraint - whole_;
    if (k < 0) continue;
    row.clear();
    impulse.clear();
    for (int r = 0; r < dimension_; ++r) {
      for (int s = 0; s < end.columns; ++s) {
        row.push_back(along_(k, r) * ends_.rows[end.term + s]);
        impulse.push_back(along_(k, r) * ends_.impulses[end.term + s]);
      }
    }
    sliders.Add(k, end.first, static_cast<int>(row.size()), row.data(), impulse.data());
  }
  return sliders;
}

void PointConstraints::FactoriseSliders(const Eigen::SparseMatrix<double>& all) {
  const int sliders = size() - whole_;
  coupling_ = MatrixXd(all.topRightCorner(whole_, sliders));
  const MatrixXd own = MatrixXd(all.bottomRightCorner(sliders, sliders));
  spread_ = coupling_;
  for (int k = 0; k < sliders && whole_ > 0; ++k) matrix_.SolveRows(spread_.col(k).data(), 1);
  const MatrixXd schur =
      (own - coupling_.transpose() * spread_).cwiseProduct(along_ * along_.transpose());
  // Scaled as S is, by the diagonal of A.
  const VectorXd scale = own.diagonal().cwiseSqrt().cwiseInverse();
  const Spectrum scaled = SpectrumOf(scale.asDiagonal() * schur * scale.asDiagonal());
  while (redundant_sliders_ < sliders &&
         scaled.values[redundant_sliders_] < ConstraintMatrix::kSingular) {
    ++redundant_sliders_;
  }
  const int kept = sliders - redundant_sliders_;
  const MatrixXd vectors = scale.asDiagonal() * scaled.vectors.rightCols(kept);
  schur_ = vectors * scaled.values.tail(kept).cwiseInverse().asDiagonal() * vectors.transpose();
  // A direction (−S⁻¹ T z, z) in which A vanishes.
  const MatrixXd null = scale.asDiagonal() * scaled.vectors.leftCols(redundant_sliders_);
  for (int i = 0; i < size() && redundant_sliders_ > 0; ++i) {
    const double part = i < whole_ ? (spread_.row(i) * null).norm() : null.row(i - whole_).norm();
    if (part > 1e-6 * null.norm()) involved_.push_back(i);
  }
}

std::vector<std::string> PointConstraints::RedundantNames() const {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (int i : matrix_.involved()) names.push_back(names_[i]);
  known.insert(names.begin(), names.end());
  for (const auto* involved : {&involved_, &many_sliders_.involved()}) {
    for (int i : *involved) {
      if (known.insert(names_[i]).second) names.push_back(names_[i]);
    }
  }
  return names;
}

PointConstraints::Workspace PointConstraints::MakeWorkspace() const {
  const ConstraintVectors zero = ConstraintVectors::Zero(size(), dimension_);
  return {still_, zero, zero, zero, zero, zero, zero};
}

void PointConstraints::UpdateSegments(const std::vector<const ConstraintRow*>& rows) {
  for (MovingTarget& moving : moving_) {
    if (const auto* segment = std::get_if<CubicSegment>(&rows[moving.row]->target)) {
      moving.path = *segment;
    }
  }
}

void PointConstraints::Targets(double t, Workspace* workspace) const {
  for (const MovingTarget& moving : moving_) {
    const PathPoint at = At(moving.path, t);
    workspace->target.row(moving.constraint) = at.position.head(dimension_).transpose();
    workspace->target_rate.row(moving.constraint) = at.velocity.head(dimension_).transpose();
    workspace->target_acceleration.row(moving.constraint) =
        at.acceleration.head(dimension_).transpose();
  }
}

void PointConstraints::KeepBarred(ConstraintVectors* vectors) const {
  for (int k = 0; k < size() - whole_; ++k) {
    const double part = vectors->row(whole_ + k).dot(along_.row(k));
    vectors->row(whole_ + k) = part * along_.row(k);
  }
}

void PointConstraints::Solve(ConstraintVectors* x) const {
  const int sliders = size() - whole_;
  if (!many_sliders_.empty()) {
    for (int k = 0; k < sliders; ++k) slider_sides_[k] = x->row(whole_ + k).dot(along_.row(k));
    many_sliders_.Solve(matrix_, x->data(), slider_sides_.data());
    for (int k = 0; k < sliders; ++k) x->row(whole_ + k) = slider_sides_[k] * along_.row(k);
    return;
  }
  if (whole_ > 0) matrix_.SolveRows(x->data(), dimension_);
  if (sliders == 0) return;
  for (int k = 0; k < sliders; ++k) {
    double side = x->row(whole_ + k).dot(along_.row(k));
    for (int a = 0; a < whole_; ++a) side -= coupling_(a, k) * x->row(a).dot(along_.row(k));
    slider_sides_[k] = side;
  }
  slider_multipliers_.noalias() = schur_ * slider_sides_;
  for (int k = 0; k < sliders; ++k) {
    const double multiplier = slider_multipliers_[k];
    for (int a = 0; a < whole_; ++a) x->row(a) -= (spread_(a, k) * multiplier) * along_.row(k);
    x->row(whole_ + k) = multiplier * along_.row(k);
  }
}

template <size_t N>
void PointConstraints::ApplyJacobian(const std::array<const VectorXd*, N>& vectors,
                                     const std::array<ConstraintVectors*, N>& products) const {
  for (ConstraintVectors* product : products) product->setZero();
  for (const ConstraintEnd& end : ends_.ends) {
    const double* row = &ends_.rows[end.term];
    for (int r = 0; r < dimension_; ++r) {
      const int first = end.first + r * end.columns;
      std::array<double, N> sums{};
      for (int s = 0; s < end.columns; ++s) {
        for (size_t n = 0; n < N; ++n) sums[n] += row[s] * (*vectors[n])[first + s];
      }
      for (size_t n = 0; n < N; ++n) (*products[n])(end.constraint, r) += sums[n];
    }
  }
}

void PointConstraints::AddConstraintForce(const ConstraintVectors& multipliers, VectorXd* a) const {
  for (const ConstraintEnd& end : ends_.ends) {
    const double* impulse = &ends_.impulses[end.term];
    for (int r = 0; r < dimension_; ++r) {
      const double multiplier = multipliers(end.constraint, r);
      double* values = &(*a)[end.first + r * end.columns];
      for (int s = 0; s < end.columns; ++s) values[s] += multiplier * impulse[s];
    }
  }
}

void PointConstraints::MeasureGaps(double t, const VectorXd& q, const VectorXd& v,
                                   Workspace* w) const {
  Targets(t, w);
  ApplyJacobian<2>({&q, &v}, {&w->gap, &w->rate});
  KeepBarred(&w->gap);
  KeepBarred(&w->rate);
  w->gap -= w->target;
  w->rate -= w->target_rate;
}

void PointConstraints::MeasureContradiction(double t, const VectorXd& from, VectorXd* q,
                                            Workspace* w) const {
  Targets(t, w);
  ApplyJacobian<1>({&from}, {&w->place});
  KeepBarred(&w->place);
  w->place = w->target - w->place;  // the displacement that is asked for
  w->multipliers = w->place;
  Solve(&w->multipliers);
  q->setZero();
  AddConstraintForce(w->multipliers, q);
  ApplyJacobian<1>({q}, {&w->gap});
  KeepBarred(&w->gap);
  w->gap -= w->place;
  const double told_apart = std::sqrt(ConstraintMatrix::kSingular) * w->place.norm();
  for (Eigen::Index i = 0; i < w->gap.rows(); ++i) {
    if (w->gap.row(i).norm() <= told_apart) w->gap.row(i).setZero();
  }
}

void PointConstraints::Constrain(double t, const VectorXd& q, const VectorXd& v,
                                 const FeedbackOptions& feedback, VectorXd* a, Workspace* w,
                                 Exchange* rates) const {
  Targets(t, w);
  ApplyJacobian<3>({&q, &v, a}, {&w->gap, &w->rate, &w->multipliers});
  w->place = w->gap;
  KeepBarred(&w->gap);
  KeepBarred(&w->rate);
  w->gap -= w->target;
  w->rate -= w->target_rate;
  const double omega = feedback.frequency;
  w->multipliers = w->target_acceleration - w->multipliers -
                   (2.0 * feedback.damping_ratio * omega) * w->rate - (omega * omega) * w->gap;
  Solve(&w->multipliers);
  AddConstraintForce(w->multipliers, a);
  AddWork(w->rate, w->target_rate, WorkClass::kConstraint, *w, rates);
  AddImpulse(*w, rates);
}

void PointConstraints::AddWork(const ConstraintVectors& rates_of_gaps,
                               const ConstraintVectors& target_rates, WorkClass passive,
                               const Workspace& w, Exchange* work) const {
  (*work)[passive] += w.multipliers.cwiseProduct(rates_of_gaps).sum();
  for (const MovingTarget& moving : moving_) {
    const bool leads = std::holds_alternative<CubicSegment>(moving.path);
    const int i = moving.constraint;
    (*work)[leads ? WorkClass::kControl : WorkClass::kMovedNail] +=
        w.multipliers.row(i).dot(target_rates.row(i));
  }
}

void PointConstraints::AddImpulse(const Workspace& w, Exchange* impulse) const {
  Eigen::Vector3d place = Eigen::Vector3d::Zero(), multiplier = place;
  for (const Outside& outside : outside_) {
    place.head(dimension_) = w.place.row(outside.constraint).transpose();
    multiplier.head(dimension_) = w.multipliers.row(outside.constraint).transpose();
    impulse->impulse += outside.weight * multiplier;
    impulse->angular_impulse += place.cross(multiplier);
  }
}

void PointConstraints::AddPowerLater(const VectorXd& later, double duration, Workspace* w,
                                     Exchange* power) const {
  ApplyJacobian<1>({&later}, {&w->gap});
  KeepBarred(&w->gap);
  w->target = duration * w->target_acceleration;
  w->gap -= w->target;
  AddWork(w->gap, w->target, WorkClass::kConstraint, *w, power);
  w->target = still_;
}

void PointConstraints::AddReaction(double t, const VectorXd& q, const VectorXd& v, Workspace* w,
                                   Exchange* work) const {
  Targets(t, w);
  ApplyJacobian<2>({&q, &v}, {&w->place, &w->rate});
  KeepBarred(&w->rate);
  w->rate -= w->target_rate;
  AddWork(w->rate, w->target_rate, WorkClass::kConstraint, *w, work);
  AddImpulse(*w, work);
}

bool PointConstraints::HasCorner(double begin, double end) const {
  return std::any_of(moving_.begin(), moving_.end(), [&](const MovingTarget& moving) {
    return CornerOf(moving.path, begin, end).has_value();
  });
}

void PointConstraints::MatchVelocities(double begin, double end, const VectorXd& q, VectorXd* v,
                                       Workspace* w, Exchange* work) const {
  Targets(begin, w);
  for (const MovingTarget& moving : moving_) {
    if (const auto corner = CornerOf(moving.path, begin, end)) {
      w->target_rate.row(moving.constraint) =
          At(moving.path, *corner).velocity.head(dimension_).transpose();
    }
  }
  ApplyJacobian<2>({&q, v}, {&w->place, &w->rate});
  KeepBarred(&w->rate);
  w->rate -= w->target_rate;
  w->multipliers = -w->rate;
  Solve(&w->multipliers);
  AddConstraintForce(w->multipliers, v);
  // The work of an impulse uses the mean of the velocities before and after.
  ApplyJacobian<1>({v}, {&w->gap});
  KeepBarred(&w->gap);
  w->rate = 0.5 * (w->rate + (w->gap - w->target_rate));
  AddWork(w->rate, w->target_rate, WorkClass::kDamping, *w, work);
  AddImpulse(*w, work);
}

void PointConstraints::AddPointForces(const Scene& scene,
                                      const std::vector<const ConstraintRow*>& rows,
                                      const Workspace& w, Eigen::Matrix3Xd* forces) const {
  int whole = 0, slider = whole_;
  for (const ConstraintRow* row : rows) {
    const auto force = w.multipliers.row(row->along ? slider++ : whole++).transpose();
    for (const Combination::Term& term : row->terms) {
      forces->col(scene.Index(term.point)).head(dimension_) += term.weight * force;
    }
  }
}

void PointConstraints::TakeAwayRates(VectorXd* v, Workspace* w) const {
  ApplyJacobian<1>({v}, {&w->multipliers});
  w->multipliers = -w->multipliers;
  Solve(&w->multipliers);
  AddConstraintForce(w->multipliers, v);
}

}  // namespace pliant::linear_deformation
