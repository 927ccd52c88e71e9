#include "solvers/contact/impulse_newton.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kEpsilon = 1e-5;  // ε
// ε of springs, and of what is left to the last P, which rounds by 10⁻¹⁶/ε.
constexpr double kEpsilonLast = 1e-3;
constexpr double kIndependent =
    1e-13;                       // a smaller pivot of G, as a fraction of the largest, is rounding
constexpr int kTimes = 40;       // that P is improved, from 0 and from the last
constexpr int kPatience = 8;     // of them that may fail to halve the residual
constexpr double kSame = 1e-6;   // of P: with springs, a change that is none
constexpr int kSteps = 100;      // of Newton's method
constexpr int kStepsAtOnce = 8;  // with friction that follows
constexpr int kSearches = 40;    // along a step
constexpr double kFlatSlope = 1e-3;  // of the slope at the beginning of a step, where a search ends

// L of G = L Lᵀ, of a positive semidefinite G: Cholesky's, by the largest pivots.
MatrixXd FactorOf(const MatrixXd& response) {
  const Eigen::Index size = response.cols();
  MatrixXd factor(size, size);
  VectorXd left = response.diagonal();
  const double least = kIndependent * left.maxCoeff();
  Eigen::Index rank = 0, pivot = 0;
  while (rank < size && left.maxCoeff(&pivot) > least) {
    auto column = factor.col(rank);
    column = response.col(pivot);
    column.noalias() -= factor.leftCols(rank) * factor.row(pivot).head(rank).transpose();
    column /= std::sqrt(left[pivot]);
    left -= column.cwiseAbs2();
    left[pivot] = 0.0;
    ++rank;
  }
  return factor.leftCols(rank);
}

struct Split {
  double along;  // of P + (w n − u)/R
  Vector3d across;
};
Split SplitOf(const IslandTouch& touch, const Vector3d& impulse, const Vector3d& velocity,
              double soft_along, double soft_across) {
  const Vector3d& n = touch.normal;
  const double pressed = impulse.dot(n), approach = velocity.dot(n);
  return {pressed + (touch.wanted - approach) / soft_along,
          impulse - pressed * n - (velocity - approach * n) / soft_across};
}

Vector3d Within(double cap, const Vector3d& across) {
  const double length = across.norm();
  return length > cap ? Vector3d(across * (cap / length)) : across;
}

}  // namespace

double ImpulseResidual(const std::vector<IslandTouch>& touches, const VectorXd& impulses,
                       const VectorXd& velocities) {
  double largest = 0.0;
  for (size_t k = 0; k < touches.size(); ++k) {
    const IslandTouch& touch = touches[k];
    if (touch.held) continue;
    const auto at = 3 * static_cast<Eigen::Index>(k);
    const Vector3d impulse = impulses.segment<3>(at);
    const Split y = SplitOf(touch, impulse, velocities.segment<3>(at), touch.along, touch.across);
    const double pressed = std::max(0.0, y.along);
    const Vector3d lawful = pressed * touch.normal + Within(touch.friction * pressed, y.across);
    largest = std::max(largest, touch.across * (lawful - impulse).norm());
  }
  return largest;
}

ImpulseNewton::ImpulseNewton(const std::vector<IslandTouch>& touches, const MatrixXd& response,
                             const VectorXd& before)
    : touches_(touches),
      response_(response),
      before_(before),
      factor_(FactorOf(response)),
      soft_along_(touches.size()),
      soft_across_(touches.size()),
      cap_(touches.size()) {}

void ImpulseNewton::Respond(Friction friction) {
  velocities_ = before_;
  velocities_.noalias() += factor_ * z_;
  pushed_.setZero(before_.size());
  for (size_t k = 0; k < touches_.size(); ++k) {
    const IslandTouch& touch = touches_[k];
    if (touch.held) continue;
    const auto i = static_cast<Eigen::Index>(k);
    const Split y = SplitOf(touch, last_.segment<3>(3 * i), velocities_.segment<3>(3 * i),
                            soft_along_[i], soft_across_[i]);
    const double pressed = std::max(0.0, y.along);
    if (friction == Friction::kFollows) cap_[i] = touch.friction * pressed;
    pushed_.segment<3>(3 * i) = pressed * touch.normal + Within(cap_[i], y.across);
  }
}

// −∂P⁺/∂u is nnᵀ/R of a touch that presses, and along the surface a projection: all of it where it sticks, across the way
// where it slides.
void ImpulseNewton::FindSlopes() {
  slopes_.resize(factor_.rows(), factor_.cols());
  Eigen::Index rows = 0;
  for (size_t k = 0; k < touches_.size(); ++k) {
    const IslandTouch& touch = touches_[k];
    if (touch.held) continue;
    const auto i = static_cast<Eigen::Index>(k);
    const Split y = SplitOf(touch, last_.segment<3>(3 * i), velocities_.segment<3>(3 * i),
                            soft_along_[i], soft_across_[i]);
    const Matrix3d along = touch.normal * touch.normal.transpose();
    Matrix3d root = Matrix3d::Zero();
    if (y.along > 0.0) root += along / std::sqrt(soft_along_[i]);
    const double length = y.across.norm();
    if (length <= cap_[i]) {
      if (cap_[i] > 0.0) root += (Matrix3d::Identity() - along) / std::sqrt(soft_across_[i]);
    } else if (cap_[i] > 0.0) {
      const Vector3d way = y.across / length;
      root += std::sqrt(cap_[i] / (length * soft_across_[i])) *
              (Matrix3d::Identity() - along - way * way.transpose());
    }
    if (root.isZero(0.0)) continue;
    slopes_.middleRows<3>(rows).noalias() = root * factor_.middleRows<3>(3 * i);
    rows += 3;
  }
  const Eigen::Index size = factor_.cols();
  matrix_.setIdentity(size, size);
  matrix_.selfadjointView<Eigen::Lower>().rankUpdate(slopes_.topRows(rows).transpose());
}

// The same where μ P_n⁺ follows: what slides rubs by μ more for each that it is pressed more.
void ImpulseNewton::StepAtOnce() {
  slopes_.resize(factor_.rows(), factor_.cols());
  slopes_.setZero();
  for (size_t k = 0; k < touches_.size(); ++k) {
    const IslandTouch& touch = touches_[k];
    const auto i = static_cast<Eigen::Index>(k);
    if (touch.held || pushed_.segment<3>(3 * i).isZero(0.0)) continue;
    const Split y = SplitOf(touch, last_.segment<3>(3 * i), velocities_.segment<3>(3 * i),
                            soft_along_[i], soft_across_[i]);
    const Matrix3d along = touch.normal * touch.normal.transpose();
    Matrix3d slope = along / soft_along_[i];
    const double length = y.across.norm();
    if (length <= cap_[i]) {
      slope += (Matrix3d::Identity() - along) / soft_across_[i];
    } else if (cap_[i] > 0.0) {
      const Vector3d way = y.across / length;
      slope += cap_[i] / (length * soft_across_[i]) *
               (Matrix3d::Identity() - along - way * way.transpose());
      slope += touch.friction / soft_along_[i] * way * touch.normal.transpose();
    }
    slopes_.middleRows<3>(3 * i).noalias() = slope * factor_.middleRows<3>(3 * i);
  }
  matrix_.setIdentity(factor_.cols(), factor_.cols());
  matrix_.noalias() += factor_.transpose() * slopes_;
  change_ = -z_;
  change_.noalias() += factor_.transpose() * pushed_;
  z_ += Eigen::PartialPivLU<Eigen::Ref<MatrixXd>>(matrix_).solve(change_);
  Respond(Friction::kFollows);
}

double ImpulseNewton::SlopeAt(double part) {
  double slope = change_.dot(z_) + part * change_.squaredNorm();
  for (size_t k = 0; k < touches_.size(); ++k) {
    const IslandTouch& touch = touches_[k];
    if (touch.held) continue;
    const auto i = static_cast<Eigen::Index>(k);
    const Vector3d way = way_.segment<3>(3 * i);
    const Split y =
        SplitOf(touch, last_.segment<3>(3 * i), velocities_.segment<3>(3 * i) + part * way,
                soft_along_[i], soft_across_[i]);
    slope -= std::max(0.0, y.along) * touch.normal.dot(way) + Within(cap_[i], y.across).dot(way);
  }
  return slope;
}

void ImpulseNewton::Minimise(double settled) {
  Respond(Friction::kIsThatOfBefore);
  for (int step = 0; step < kSteps; ++step) {
    FindSlopes();
    change_ = -z_;
    change_.noalias() += factor_.transpose() * pushed_;
    const Eigen::LLT<Eigen::Ref<MatrixXd>> solver(matrix_);
    solver.solveInPlace(change_);
    way_.noalias() = factor_ * change_;
    if (!(way_.cwiseAbs().maxCoeff() > settled)) return;
    // The slope grows all along: where is it 0?
    double part = 1.0, slope = SlopeAt(1.0);
    const double first = SlopeAt(0.0);
    if (slope > -kFlatSlope * first) {
      double low = 0.0, high = 1.0, below = first, above = slope;
      for (int search = 0; search < kSearches && std::abs(slope) > -kFlatSlope * first; ++search) {
        // The secant by Illinois' rule.
        part = (low * above - high * below) / (above - below);
        slope = SlopeAt(part);
        if (slope < 0.0) {
          low = part;
          below = slope;
          above *= 0.5;
        } else {
          high = part;
          above = slope;
          below *= 0.5;
        }
      }
    }
    z_ += part * change_;
    Respond(Friction::kIsThatOfBefore);
  }
}

double ImpulseNewton::Solve(double settled, VectorXd* impulses) {
  z_.noalias() = factor_.transpose() * *impulses;
  pushed_ = *impulses;
  double least = std::numeric_limits<double>::infinity(), halved = least;
  // The residual of P⁺, which is kept if it is the least.
  const auto keep = [&] {
    const double residual = ImpulseResidual(touches_, pushed_, before_ + response_ * pushed_);
    if (residual < least) {
      least = residual;
      *impulses = pushed_;
    }
    return residual;
  };
  for (const int phase : {0, 1, 2}) {
    const bool from_last = phase > 0;
    const double epsilon = phase == 1 ? kEpsilonLast : kEpsilon;
    for (size_t k = 0; k < touches_.size(); ++k) {
      soft_along_[static_cast<Eigen::Index>(k)] = epsilon * touches_[k].along;
      soft_across_[static_cast<Eigen::Index>(k)] = epsilon * touches_[k].across;
    }
    VectorXd arrived = pushed_;
    int waited = 0;
    for (int time = 0; time < kTimes && least > settled && waited <= kPatience; ++time) {
      if (from_last) {
        last_ = pushed_;
      } else {
        last_.setZero(before_.size());
      }
      for (size_t k = 0; k < touches_.size(); ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        cap_[i] =
            touches_[k].friction * std::max(0.0, pushed_.segment<3>(3 * i).dot(touches_[k].normal));
      }
      Minimise(0.1 * settled);
      double residual = keep();
      if (!from_last && (pushed_ - arrived).norm() <= kSame * pushed_.norm()) break;
      arrived = pushed_;
      for (int step = 0; step < kStepsAtOnce && least > settled; ++step) {
        StepAtOnce();
        const double now = pushed_.allFinite() ? keep() : residual;
        if (!(now < residual)) break;
        residual = now;
        arrived = pushed_;
      }
      pushed_ = arrived;
      z_.noalias() = factor_.transpose() * pushed_;
      ++waited;
      if (least < 0.5 * halved) {
        halved = least;
        waited = 0;
      }
    }
    pushed_ = *impulses;
    z_.noalias() = factor_.transpose() * pushed_;
  }
  return least;
}

VectorXd ImpulseNewton::Yield() {
  double largest = 0.0;
  for (const IslandTouch& touch : touches_) largest = std::max(largest, touch.along);
  soft_along_.setConstant(largest);
  soft_across_.setConstant(largest);
  cap_.setZero();
  last_.setZero(before_.size());
  z_.setZero(factor_.cols());
  Minimise(1e-6 * before_.cwiseAbs().maxCoeff());
  return pushed_;
}

}  // namespace pliant
