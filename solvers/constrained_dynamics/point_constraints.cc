#include "solvers/constrained_dynamics/point_constraints.h"

#include <algorithm>
#include <optional>

namespace pliant {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The last corner of a path in begin ≤ t < end: keys joined by straight lines.
std::optional<double> CornerOf(const Path& path, double begin, double end) {
  if (path.interpolation() != Path::Interpolation::kLinear) return std::nullopt;
  const auto& times = path.times();
  const auto next = std::lower_bound(times.begin(), times.end(), end);
  if (next == times.begin() || *(next - 1) < begin) return std::nullopt;
  return *(next - 1);
}

}  // namespace

void FeedbackOptions::Bind(ParameterBinder& binder) {
  binder.Real("feedback_frequency", &frequency, "rad/s", AtLeast(0.0),
              "rate ω at which a gap of a nail or attachment closes; 0 lets it drift");
  binder.Real("feedback_damping_ratio", &damping_ratio, "1", AtLeast(0.0),
              "damping ratio ζ of a closing gap; 1 closes it without overshoot");
}

PointConstraints::PointConstraints(const Scene& scene, const std::vector<LinearBody>& bodies,
                                   const std::vector<int>& first)
    : dimension_(scene.dimension),
      still_(
          MatrixXd::Zero(static_cast<Eigen::Index>(scene.nails.size() + scene.attachments.size()),
                         scene.dimension)),
      matrix_(Eigen::SparseMatrix<double>()) {
  for (const Nail& nail : scene.nails) {
    const int constraint = size();
    names_.push_back("nail." + nail.name);
    AddEnd(bodies[nail.point.body], first[nail.point.body], nail.point.point, 1.0, constraint);
    if (nail.path.moves()) {
      moving_.push_back({constraint, nail.path});
    } else {
      still_.row(constraint) = nail.path.At(0.0).position.head(dimension_).transpose();
    }
  }
  for (const Attachment& attachment : scene.attachments) {
    const int constraint = size();
    names_.push_back("attachment." + attachment.name);
    const PointRef &a = attachment.a, &b = attachment.b;
    AddEnd(bodies[a.body], first[a.body], a.point, 1.0, constraint);
    AddEnd(bodies[b.body], first[b.body], b.point, -1.0, constraint);
  }
  matrix_ = AssembleMatrix();
}

void PointConstraints::AddEnd(const LinearBody& body, int first, int point, double sign,
                              int constraint) {
  const VectorXd row = sign * body.terms().col(point);
  const VectorXd impulse = body.inverse_mass() * row;
  ends_.push_back({constraint, first, body.columns(), static_cast<int>(rows_.size())});
  rows_.insert(rows_.end(), row.begin(), row.end());
  impulses_.insert(impulses_.end(), impulse.begin(), impulse.end());
}

// S_ab sums ± p_aᵀ W p_b over the pairs of ends on the same body.
ConstraintMatrix PointConstraints::AssembleMatrix() const {
  std::vector<End> by_body = ends_;
  std::stable_sort(by_body.begin(), by_body.end(),
                   [](const End& a, const End& b) { return a.first < b.first; });
  std::vector<Eigen::Triplet<double>> entries;
  for (size_t begin = 0, end = 0; begin < by_body.size(); begin = end) {
    while (end < by_body.size() && by_body[end].first == by_body[begin].first) ++end;
    for (size_t i = begin; i < end; ++i) {
      for (size_t j = begin; j < end; ++j) {
        double value = 0.0;
        for (int s = 0; s < by_body[i].columns; ++s) {
          value += rows_[by_body[i].term + s] * impulses_[by_body[j].term + s];
        }
        entries.emplace_back(by_body[i].constraint, by_body[j].constraint, value);
      }
    }
  }
  Eigen::SparseMatrix<double> matrix(size(), size());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return ConstraintMatrix(matrix);
}

PointConstraints::Workspace PointConstraints::MakeWorkspace() const {
  const MatrixXd zero = MatrixXd::Zero(size(), dimension_);
  return {still_, zero, zero, zero, zero, zero, zero};
}

void PointConstraints::Targets(double t, Workspace* workspace) const {
  for (const MovingNail& nail : moving_) {
    const PathPoint at = nail.path.At(t);
    workspace->target.row(nail.constraint) = at.position.head(dimension_).transpose();
    workspace->target_rate.row(nail.constraint) = at.velocity.head(dimension_).transpose();
    workspace->target_acceleration.row(nail.constraint) =
        at.acceleration.head(dimension_).transpose();
  }
}

template <size_t N>
void PointConstraints::ApplyJacobian(const std::array<const VectorXd*, N>& vectors,
                                     const std::array<MatrixXd*, N>& products) const {
  for (MatrixXd* product : products) product->setZero();
  for (const End& end : ends_) {
    const double* row = &rows_[end.term];
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

void PointConstraints::AddConstraintForce(const MatrixXd& multipliers, VectorXd* a) const {
  for (const End& end : ends_) {
    const double* impulse = &impulses_[end.term];
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
  w->gap -= w->target;
  w->rate -= w->target_rate;
}

double PointConstraints::Constrain(double t, const VectorXd& q, const VectorXd& v,
                                   const FeedbackOptions& feedback, VectorXd* a,
                                   Workspace* w) const {
  Targets(t, w);
  ApplyJacobian<3>({&q, &v, a}, {&w->gap, &w->rate, &w->right_side});
  w->gap -= w->target;
  w->rate -= w->target_rate;
  const double omega = feedback.frequency;
  w->right_side = w->target_acceleration - w->right_side -
                  (2.0 * feedback.damping_ratio * omega) * w->rate - (omega * omega) * w->gap;
  matrix_.Solve(&w->right_side, &w->multipliers);
  AddConstraintForce(w->multipliers, a);
  return w->multipliers.cwiseProduct(w->rate + w->target_rate).sum();
}

bool PointConstraints::HasCorner(double begin, double end) const {
  return std::any_of(moving_.begin(), moving_.end(), [&](const MovingNail& nail) {
    return CornerOf(nail.path, begin, end).has_value();
  });
}

double PointConstraints::MatchVelocities(double begin, double end, VectorXd* v,
                                         Workspace* w) const {
  Targets(begin, w);
  for (const MovingNail& nail : moving_) {
    if (const auto corner = CornerOf(nail.path, begin, end)) {
      w->target_rate.row(nail.constraint) =
          nail.path.At(*corner).velocity.head(dimension_).transpose();
    }
  }
  ApplyJacobian<1>({v}, {&w->rate});
  w->right_side = w->target_rate - w->rate;
  matrix_.Solve(&w->right_side, &w->multipliers);
  AddConstraintForce(w->multipliers, v);
  // An impulse works with the mean of the velocities before and after.
  ApplyJacobian<1>({v}, {&w->gap});
  return 0.5 * w->multipliers.cwiseProduct(w->rate + w->gap).sum();
}

}  // namespace pliant
