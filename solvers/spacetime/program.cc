#include "solvers/spacetime/program.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace pliant {

SpacetimeTerm::SpacetimeTerm(double time, std::vector<int> blocks, std::vector<RowGroup> groups)
    : time_(time), blocks_(std::move(blocks)), groups_(std::move(groups)) {
  assert(static_cast<int>(blocks_.size()) <= SpacetimeProgram::kMaxBlocks);
  for (const RowGroup& group : groups_) rows_ += group.rows;
}

int SpacetimeProgram::AddBlock(int size) {
  blocks_.push_back({variables_, size});
  variables_ += size;
  return static_cast<int>(blocks_.size()) - 1;
}

void SpacetimeProgram::AddTerm(std::unique_ptr<SpacetimeTerm> term) {
  first_row_.push_back(rows());
  for (const RowGroup& group : term->groups()) {
    row_group_.insert(row_group_.end(), group.rows, &group);
  }
  row_time_.resize(row_group_.size(), term->time());
  terms_.push_back(std::move(term));
}

void SpacetimeProgram::Gather(int term, const double* x, const double** pointers) const {
  const std::vector<int>& blocks = terms_[term]->blocks();
  for (size_t i = 0; i < blocks.size(); ++i) pointers[i] = x + blocks_[blocks[i]].offset;
}

void SpacetimeProgram::Evaluate(const Eigen::VectorXd& x, Eigen::VectorXd* values) const {
  assert(x.size() == variables_);
  values->resize(rows());
  const double* pointers[kMaxBlocks];
  for (int i = 0; i < terms(); ++i) {
    Gather(i, x.data(), pointers);
    terms_[i]->Evaluate(pointers, values->data() + first_row_[i], nullptr);
  }
}

double SpacetimeProgram::Cost(const Eigen::VectorXd& values) const {
  double cost = 0.0;
  for (int row = 0; row < rows(); ++row) {
    if (row_group_[row]->kind == RowKind::kCost) cost += values[row] * values[row];
  }
  return cost;
}

double SpacetimeProgram::Violation(int row, double value) const {
  const RowGroup& group = *row_group_[row];
  switch (group.kind) {
    case RowKind::kCost:
      return 0.0;
    case RowKind::kEquality:
      return group.scale * std::abs(value);
    case RowKind::kInequality:
      // Written so that NaN stays NaN.
      return value >= 0.0 ? 0.0 : -group.scale * value;
  }
  return 0.0;
}

Eigen::VectorXd SpacetimeProgram::TransferMultipliers(const SpacetimeProgram& from,
                                                      const Eigen::VectorXd& multipliers,
                                                      double begin) const {
  assert(multipliers.size() == from.rows());
  // ω λ per second (per event) of the other mesh, by name and place within the group, over time.
  using Key = std::pair<std::string, int>;
  std::map<Key, std::map<double, double>> densities;
  const auto for_each_row = [](const SpacetimeProgram& program, const auto& visit) {
    const RowGroup* last = nullptr;
    int place = 0;
    for (int row = 0; row < program.rows(); ++row) {
      const RowGroup& group = program.group(row);
      place = &group == last ? place + 1 : 0;
      last = &group;
      if (group.kind == RowKind::kCost) continue;
      const double per = group.weight / (group.share > 0.0 ? group.share : 1.0);
      visit(row, Key(group.name, place), per);
    }
  };
  for_each_row(from, [&](int row, const Key& key, double per) {
    densities[key][from.row_time(row)] = per * multipliers[row];
  });

  Eigen::VectorXd result = Eigen::VectorXd::Zero(rows());
  for_each_row(*this, [&](int row, const Key& key, double per) {
    const auto found = densities.find(key);
    if (found == densities.end()) return;
    const std::map<double, double>& density = found->second;
    const double time = begin + row_time_[row];
    auto after = density.lower_bound(time);
    if (after == density.end()) --after;
    const auto before = after == density.begin() || after->first <= time ? after : std::prev(after);
    const double gap = after->first - before->first;
    const double s = gap > 0.0 ? (time - before->first) / gap : 0.0;
    result[row] = (before->second + s * (after->second - before->second)) / per;
  });
  return result;
}

}  // namespace pliant
