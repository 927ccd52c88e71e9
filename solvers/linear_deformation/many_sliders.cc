#include "solvers/linear_deformation/many_sliders.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "models/disjoint_sets.h"

namespace pliant::linear_deformation {

using Eigen::VectorXd;
namespace {
using SparseMatrix = Eigen::SparseMatrix<double>;

// Columns in rounds, no two of which are of one island: what is linear is found for all of a round at
// once, since islands know nothing of each other. As many rounds as the columns of the largest island.
// Columns of no island (−1) have a round each.
std::vector<std::vector<int>> RoundsOf(const std::vector<int>& islands) {
  std::vector<std::vector<int>> rounds;
  std::unordered_map<int, size_t> next;  // round of the next column of an island
  for (size_t j = 0; j < islands.size(); ++j) {
    if (islands[j] < 0) continue;
    const size_t round = next[islands[j]]++;
    if (round == rounds.size()) rounds.emplace_back();
    rounds[round].push_back(static_cast<int>(j));
  }
  for (size_t j = 0; j < islands.size(); ++j) {
    if (islands[j] < 0) rounds.push_back({static_cast<int>(j)});
  }
  return rounds;
}

}  // namespace

ManySliders::ManySliders(int dimension, const ConstraintEnds& whole, const ConstraintMatrix& S,
                         int count, const ConstraintEnds& sliders)
    : dimension_(dimension),
      reduction_(count, sliders, ConstraintMatrix::kSingular),
      coupling_(CouplingTo(whole, S.size())),
      islands_(IslandsOf(whole, S.size())),
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

std::vector<int> ManySliders::IslandsOf(const ConstraintEnds& whole, int count) const {
  const ConstraintEnds& reduced = reduction_.ends();
  DisjointSets sets(count + reduction_.reduced_size());  // whole constraints, then sliders
  std::unordered_map<int, int> at_body;  // a constraint at the body of this first coordinate
  const auto join = [&](int constraint, int first) {
    const auto [found, fresh] = at_body.emplace(first, constraint);
    if (!fresh) sets.Join(constraint, found->second);
  };
  for (const ConstraintEnd& end : whole.ends) join(end.constraint, end.first);
  for (const ConstraintEnd& end : reduced.ends) join(count + end.constraint, end.first);
  std::vector<int> islands;
  for (int j = 0; j < reduction_.reduced_size(); ++j) islands.push_back(sets.Root(count + j));
  return islands;
}

// O(constraints) for each slider of the island that has most.
SparseMatrix ManySliders::Schur(const ConstraintMatrix& S) const {
  SparseMatrix schur = reduction_.ends().Matrix(reduction_.reduced_size());
  if (coupling_.nonZeros() == 0) return schur;
  std::vector<Eigen::Triplet<double>> entries;
  std::unordered_map<int, int> column_of;  // of an island, in the round
  for (const std::vector<int>& round : RoundsOf(islands_)) {
    VectorXd columns = VectorXd::Zero(coupling_.rows());
    column_of.clear();
    for (const int j : round) {
      columns += coupling_.col(j);
      column_of[islands_[j]] = j;
    }
    S.SolveRows(columns.data(), dimension_);
    const VectorXd held = coupling_.transpose() * columns;
    for (int i = 0; i < held.size(); ++i) {
      if (held[i] != 0.0) entries.emplace_back(i, column_of.at(islands_[i]), held[i]);
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
  std::vector<int> islands;  // of the directions
  for (int j = 0; j < null.cols(); ++j) {
    int island = -1;
    for (SparseMatrix::InnerIterator N(null, j); N; ++N) {
      const int here = islands_[N.row()];
      if (island >= 0 && here != island) {
        island = -1;
        break;
      }
      island = here;
    }
    islands.push_back(island);
  }
  for (const std::vector<int>& round : RoundsOf(islands)) {
    VectorXd directions = VectorXd::Zero(null.rows());
    for (const int j : round) directions += null.col(j) / null.col(j).norm();
    const VectorXd sliders =
        reduction_.diagonal().cwiseSqrt().asDiagonal() * VectorXd(reduction_.basis() * directions);
    for (size_t k = 0; k < of_slider.size(); ++k) {
      of_slider[k] = std::max(of_slider[k], std::abs(sliders[static_cast<Eigen::Index>(k)]));
    }
    VectorXd whole = coupling_ * directions;
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
