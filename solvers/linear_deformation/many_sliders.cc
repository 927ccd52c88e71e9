#include "solvers/linear_deformation/many_sliders.h"

#include <algorithm>
#include <map>

namespace pliant::linear_deformation {

using Eigen::VectorXd;
namespace {
using SparseMatrix = Eigen::SparseMatrix<double>;
}  // namespace

ManySliders::ManySliders(int dimension, const ConstraintEnds& whole, const ConstraintMatrix& S,
                         int count, const ConstraintEnds& sliders)
    : dimension_(dimension),
      reduction_(count, sliders, ConstraintMatrix::kSingular),
      coupling_(CouplingTo(whole, S.size())),
      schur_(Schur(S), VectorXd::Ones(reduction_.reduced_size())),
      gathered_(reduction_.reduced_size()),
      spread_(static_cast<size_t>(S.size()) * dimension) {
  FindInvolved(S);
}

int ManySliders::redundant() const {
  return reduction_.size() - reduction_.reduced_size() + schur_.redundant();
}

// T: row a·d + r is axis r of the whole constraint a.
SparseMatrix ManySliders::CouplingTo(const ConstraintEnds& whole, int count) const {
  const ConstraintEnds& reduced = reduction_.ends();
  std::multimap<int, const ConstraintEnd*> at_body;
  for (const ConstraintEnd& end : reduced.ends) at_body.emplace(end.first, &end);
  std::vector<Eigen::Triplet<double>> entries;
  for (const ConstraintEnd& end : whole.ends) {
    const auto [begin, last] = at_body.equal_range(end.first);
    for (auto slider = begin; slider != last; ++slider) {
      const double* impulse = &reduced.impulses[slider->second->term];
      for (int r = 0; r < dimension_; ++r) {
        double value = 0.0;
        for (int s = 0; s < end.columns; ++s) {
          value += whole.rows[end.term + s] * impulse[r * end.columns + s];
        }
        entries.emplace_back(end.constraint * dimension_ + r, slider->second->constraint, value);
      }
    }
  }
  SparseMatrix coupling(static_cast<Eigen::Index>(count) * dimension_, reduction_.reduced_size());
  coupling.setFromTriplets(entries.begin(), entries.end());
  return coupling;
}

SparseMatrix ManySliders::Schur(const ConstraintMatrix& S) const {
  SparseMatrix schur = reduction_.ends().Matrix(reduction_.reduced_size());
  if (coupling_.nonZeros() == 0) return schur;
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < coupling_.cols(); ++j) {
    if (coupling_.col(j).nonZeros() == 0) continue;
    VectorXd column = coupling_.col(j);
    S.SolveRows(column.data(), dimension_);
    const VectorXd held = coupling_.transpose() * column;
    for (int i = 0; i < held.size(); ++i) {
      if (held[i] != 0.0) entries.emplace_back(i, j, held[i]);
    }
  }
  SparseMatrix by_whole(schur.rows(), schur.cols());
  by_whole.setFromTriplets(entries.begin(), entries.end());
  return schur - SparseMatrix(0.5 * (by_whole + SparseMatrix(by_whole.transpose())));
}

// In a direction N of sliders that whole points imply, these take part by −S⁺ T N.
void ManySliders::FindInvolved(const ConstraintMatrix& S) {
  std::vector<double> of_whole(S.size(), 0.0), of_slider = reduction_.left_out();
  const SparseMatrix& null = schur_.null_space();
  for (int j = 0; j < null.cols(); ++j) {
    const VectorXd direction = null.col(j);
    const VectorXd sliders = reduction_.diagonal().cwiseSqrt().asDiagonal() *
                             VectorXd(reduction_.basis() * direction) / direction.norm();
    for (size_t k = 0; k < of_slider.size(); ++k) {
      of_slider[k] = std::max(of_slider[k], std::abs(sliders[static_cast<Eigen::Index>(k)]));
    }
    VectorXd whole = coupling_ * direction / direction.norm();
    if (S.size() > 0) S.SolveRows(whole.data(), dimension_);
    for (int a = 0; a < S.size(); ++a) {
      const double part = whole.segment(a * dimension_, dimension_).norm();
      of_whole[a] = std::max(of_whole[a], S.scale_of(a) * part);
    }
  }
  for (int a = 0; a < S.size(); ++a) {
    if (of_whole[a] > ConstraintMatrix::kInvolvedRow) involved_.push_back(a);
  }
  for (size_t k = 0; k < of_slider.size(); ++k) {
    if (of_slider[k] > ConstraintMatrix::kInvolvedRow) {
      involved_.push_back(S.size() + static_cast<int>(k));
    }
  }
}

void ManySliders::Solve(const ConstraintMatrix& S, double* whole, double* sliders) const {
  if (S.size() > 0) S.SolveRows(whole, dimension_);
  double* y = gathered_.data();
  reduction_.Gather(sliders, 1, y);
  for (int j = 0; j < coupling_.cols(); ++j) {
    for (SparseMatrix::InnerIterator T(coupling_, j); T; ++T) y[j] -= T.value() * whole[T.row()];
  }
  schur_.SolveRows(y, 1);
  reduction_.Spread(y, 1, sliders);
  if (coupling_.nonZeros() == 0) return;
  std::fill(spread_.begin(), spread_.end(), 0.0);
  for (int j = 0; j < coupling_.cols(); ++j) {
    for (SparseMatrix::InnerIterator T(coupling_, j); T; ++T) {
      spread_[T.row()] += T.value() * y[j];
    }
  }
  S.SolveRows(spread_.data(), dimension_);
  for (size_t i = 0; i < spread_.size(); ++i) whole[i] -= spread_[i];
}

}  // namespace pliant::linear_deformation
