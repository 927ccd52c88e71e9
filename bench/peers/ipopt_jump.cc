#include "bench/peers/ipopt_jump.h"

#include <IpIpoptApplication.hpp>
#include <IpSolveStatistics.hpp>
#include <IpTNLP.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bench/peers/cpu_seconds.h"

namespace pliant {
namespace {

using Ipopt::Index;
using Ipopt::Number;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kFree = 2e19;  // beyond this Ipopt sees no bound

// All unknowns of a term in a row, and its Jacobian by them.
class TermView {
 public:
  TermView(const SpacetimeProgram& program, int index)
      : program_(program), index_(index), term_(program.term(index)) {
    for (const int block : term_.blocks()) {
      const SpacetimeProgram::Block& b = program.blocks()[block];
      for (int k = 0; k < b.size; ++k) unknowns_.push_back(b.offset + k);
      storage_.emplace_back(term_.rows(), b.size);
    }
    values_.resize(term_.rows());
    jacobian_.resize(term_.rows(), static_cast<Index>(unknowns_.size()));
  }

  int first_row() const { return program_.first_row(index_); }
  const SpacetimeTerm& term() const { return term_; }
  const std::vector<int>& unknowns() const { return unknowns_; }
  const Eigen::VectorXd& values() const { return values_; }
  const RowMajor& jacobian() const { return jacobian_; }

  void Evaluate(const double* x, bool derivatives) {
    const double* pointers[SpacetimeProgram::kMaxBlocks];
    double* columns[SpacetimeProgram::kMaxBlocks];
    program_.Gather(index_, x, pointers);
    for (size_t b = 0; b < storage_.size(); ++b) columns[b] = storage_[b].data();
    term_.Evaluate(pointers, values_.data(), derivatives ? columns : nullptr);
    if (!derivatives) return;
    Index column = 0;
    for (const RowMajor& part : storage_) {
      jacobian_.middleCols(column, part.cols()) = part;
      column += static_cast<Index>(part.cols());
    }
  }

 private:
  const SpacetimeProgram& program_;
  int index_;
  const SpacetimeTerm& term_;
  std::vector<int> unknowns_;
  std::vector<RowMajor> storage_;
  Eigen::VectorXd values_;
  RowMajor jacobian_;
};

class ProgramNlp : public Ipopt::TNLP {
 public:
  ProgramNlp(const SpacetimeProgram& program, IpoptHessian hessian, Eigen::VectorXd* x)
      : program_(program), hessian_(hessian), x_(*x), solution_(x) {
    for (int i = 0; i < program.terms(); ++i) {
      if (!program.term(i).blocks().empty()) terms_.emplace_back(program, i);
    }
    lower_.setConstant(program.variables(), -kFree);
    upper_.setConstant(program.variables(), kFree);
    FindStructure();
  }

  double seconds_in_terms() const { return seconds_; }

  bool get_nlp_info(Index& n, Index& m, Index& jacobian, Index& hessian,
                    IndexStyleEnum& style) override {
    n = program_.variables();
    m = static_cast<Index>(rows_.size());
    jacobian = static_cast<Index>(entries_.size());
    hessian = static_cast<Index>(pairs_.size());
    style = C_STYLE;
    return true;
  }
  bool get_bounds_info(Index n, Number* lower, Number* upper, Index m, Number* row_lower,
                       Number* row_upper) override {
    std::copy_n(lower_.data(), n, lower);
    std::copy_n(upper_.data(), n, upper);
    for (Index i = 0; i < m; ++i) {
      row_lower[i] = 0.0;
      row_upper[i] = program_.group(rows_[i].row).kind == RowKind::kEquality ? 0.0 : kFree;
    }
    return true;
  }
  bool get_starting_point(Index n, bool, Number* x, bool, Number*, Number*, Index, bool,
                          Number*) override {
    std::copy_n(x_.data(), n, x);
    return true;
  }

  bool eval_f(Index, const Number* x, bool fresh, Number& value) override {
    Update(x, fresh, false);
    value = 0.0;
    for (const TermView& view : terms_) {
      for (int i = 0; i < view.term().rows(); ++i) {
        if (Kind(view, i) == RowKind::kCost) value += view.values()[i] * view.values()[i];
      }
    }
    return std::isfinite(value);
  }
  bool eval_grad_f(Index n, const Number* x, bool fresh, Number* gradient) override {
    Update(x, fresh, true);
    std::fill_n(gradient, n, 0.0);
    for (const TermView& view : terms_) {
      for (int i = 0; i < view.term().rows(); ++i) {
        if (Kind(view, i) != RowKind::kCost) continue;
        for (size_t k = 0; k < view.unknowns().size(); ++k) {
          gradient[view.unknowns()[k]] += 2.0 * view.values()[i] * view.jacobian()(i, k);
        }
      }
    }
    return true;
  }
  bool eval_g(Index, const Number* x, bool fresh, Index m, Number* values) override {
    Update(x, fresh, false);
    for (Index i = 0; i < m; ++i) {
      values[i] = rows_[i].scale * terms_[rows_[i].view].values()[rows_[i].place];
    }
    return std::all_of(values, values + m, [](double v) { return std::isfinite(v); });
  }
  bool eval_jac_g(Index, const Number* x, bool fresh, Index, Index, Index* row, Index* column,
                  Number* values) override {
    if (values == nullptr) {
      for (size_t e = 0; e < entries_.size(); ++e) {
        row[e] = entries_[e].row;
        column[e] = terms_[rows_[entries_[e].row].view].unknowns()[entries_[e].k];
      }
      return true;
    }
    Update(x, fresh, true);
    for (size_t e = 0; e < entries_.size(); ++e) {
      const Row& r = rows_[entries_[e].row];
      values[e] = r.scale * terms_[r.view].jacobian()(r.place, entries_[e].k);
    }
    return true;
  }
  bool eval_h(Index, const Number* x, bool fresh, Number sigma, Index, const Number* lambda, bool,
              Index, Index* row, Index* column, Number* values) override {
    if (values == nullptr) {
      for (size_t e = 0; e < pairs_.size(); ++e) {
        row[e] = pairs_[e].first;
        column[e] = pairs_[e].second;
      }
      return true;
    }
    Update(x, fresh, true);
    const double start = CpuSeconds();
    std::fill_n(values, pairs_.size(), 0.0);
    for (size_t v = 0; v < terms_.size(); ++v) AddHessian(v, x, sigma, lambda, values);
    seconds_ += CpuSeconds() - start;
    return true;
  }

  void finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number*,
                         const Number*, Index, const Number*, const Number*, Number,
                         const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) override {
    std::copy_n(x, n, solution_->data());
  }

 private:
  struct Row {
    size_t view;
    int place, row;  // within the term, in the program
    double scale;
  };
  struct Entry {
    Index row;
    int k;  // of the unknowns of its term
  };

  RowKind Kind(const TermView& view, int i) const {
    return program_.group(view.first_row() + i).kind;
  }

  // Entries that are not zero at two motions near the guess, and rows that bound one unknown.
  void FindStructure() {
    std::map<std::pair<int, int>, int> places;
    place_of_pair_.resize(terms_.size());
    row_of_.resize(terms_.size());
    Eigen::VectorXd near = x_, other = x_;
    for (int k = 0; k < near.size(); ++k) {
      near[k] += 0.3 * std::sin(1.0 + 3.7 * k);
      other[k] += 0.2 * std::cos(2.0 + 5.3 * k);
    }
    for (size_t v = 0; v < terms_.size(); ++v) {
      TermView& view = terms_[v];
      view.Evaluate(other.data(), true);
      const RowMajor second = view.jacobian();
      view.Evaluate(near.data(), true);
      row_of_[v].assign(view.term().rows(), -1);
      for (int i = 0; i < view.term().rows(); ++i) {
        if (Kind(view, i) != RowKind::kCost) AddRow(v, i, near, second.row(i));
      }
      if (hessian_ == IpoptHessian::kLimitedMemory) continue;
      const bool needed =
          std::any_of(row_of_[v].begin(), row_of_[v].end(), [](Index row) { return row >= 0; }) ||
          Kind(view, 0) == RowKind::kCost;
      if (!needed) continue;  // bounds alone do not curve
      const auto n = static_cast<int>(view.unknowns().size());
      for (int a = 0; a < n; ++a) {
        for (int b = 0; b <= a; ++b) {
          const std::pair<int, int> pair = std::minmax(view.unknowns()[a], view.unknowns()[b]);
          const auto at = places.try_emplace({pair.second, pair.first}, places.size()).first;
          place_of_pair_[v].push_back(at->second);
        }
      }
    }
    pairs_.resize(places.size());
    for (const auto& [pair, place] : places) pairs_[place] = pair;
  }

  void AddRow(size_t v, int i, const Eigen::VectorXd& near, const Eigen::RowVectorXd& second) {
    const TermView& view = terms_[v];
    const RowGroup& group = program_.group(view.first_row() + i);
    // The ground under a base is flat in most places, and its slopes are elsewhere.
    const bool ground = group.name.starts_with("clearance above");
    std::vector<int> used;
    for (int k = 0; k < second.size(); ++k) {
      if (ground || view.jacobian()(i, k) != 0.0 || second[k] != 0.0) used.push_back(k);
    }
    const int only = used.size() == 1 ? used.front() : -1;
    if (only >= 0 && group.kind == RowKind::kInequality &&
        view.jacobian()(i, only) == second[only]) {
      const int unknown = view.unknowns()[only];
      const double bound = near[unknown] - view.values()[i] / second[only];
      if (second[only] > 0.0) lower_[unknown] = std::max(lower_[unknown], bound);
      if (second[only] < 0.0) upper_[unknown] = std::min(upper_[unknown], bound);
      return;
    }
    row_of_[v][i] = static_cast<Index>(rows_.size());
    for (const int k : used) entries_.push_back({static_cast<Index>(rows_.size()), k});
    rows_.push_back({v, i, view.first_row() + i, group.scale});
  }

  void Update(const Number* x, bool fresh, bool derivatives) {
    if (fresh) have_values_ = have_derivatives_ = false;
    if (derivatives ? have_derivatives_ : have_values_) return;
    const double start = CpuSeconds();
    for (TermView& view : terms_) view.Evaluate(x, derivatives);
    have_values_ = true;
    have_derivatives_ = derivatives || have_derivatives_;
    seconds_ += CpuSeconds() - start;
  }

  void AddHessian(size_t v, const Number* x, Number sigma, const Number* lambda, Number* values) {
    if (place_of_pair_[v].empty()) return;
    TermView& view = terms_[v];
    const auto n = static_cast<Index>(view.unknowns().size());
    const int rows = view.term().rows();
    Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(n, n);
    Eigen::RowVectorXd weights = Eigen::RowVectorXd::Zero(rows);  // of the curvature of each row
    for (int i = 0; i < rows; ++i) {
      if (Kind(view, i) == RowKind::kCost) {
        const auto gradient = view.jacobian().row(i);
        hessian.noalias() += 2.0 * sigma * gradient.transpose() * gradient;
        weights[i] = 2.0 * sigma * view.values()[i];
      } else if (row_of_[v][i] >= 0) {
        weights[i] = lambda[row_of_[v][i]] * rows_[row_of_[v][i]].scale;
      }
    }
    if (hessian_ == IpoptHessian::kExact && !weights.isZero(0.0)) {
      constexpr double kStep = 1e-7;
      const RowMajor jacobian = view.jacobian();
      const Eigen::VectorXd term_values = view.values();
      Eigen::MatrixXd curved(n, n);
      for (Index k = 0; k < n; ++k) {
        const int unknown = view.unknowns()[k];
        moved_[unknown] = x[unknown] + kStep;
        for (Index j = 0; j < n; ++j) {
          if (j != k) moved_[view.unknowns()[j]] = x[view.unknowns()[j]];
        }
        view.Evaluate(moved_.data(), true);
        curved.row(k) = weights * (view.jacobian() - jacobian) / kStep;
      }
      hessian += 0.5 * (curved + curved.transpose());
      for (Index j = 0; j < n; ++j) moved_[view.unknowns()[j]] = x[view.unknowns()[j]];
      view.Evaluate(moved_.data(), true);  // back to x
    }
    size_t at = 0;
    for (Index a = 0; a < n; ++a) {
      for (Index b = 0; b <= a; ++b) values[place_of_pair_[v][at++]] += hessian(a, b);
    }
  }

  const SpacetimeProgram& program_;
  IpoptHessian hessian_;
  const Eigen::VectorXd x_;
  Eigen::VectorXd* solution_;
  std::vector<TermView> terms_;
  Eigen::VectorXd lower_, upper_;
  std::vector<Row> rows_;
  std::vector<std::vector<Index>> row_of_;  // of each row of each view, or −1
  std::vector<Entry> entries_;
  std::vector<std::pair<int, int>> pairs_;       // (row, column) of the lower triangle
  std::vector<std::vector<int>> place_of_pair_;  // of each pair of unknowns of each view
  Eigen::VectorXd moved_ = x_;
  bool have_values_ = false, have_derivatives_ = false;
  double seconds_ = 0.0;
};

}  // namespace

IpoptResult SolveByIpopt(const SpacetimeProgram& program, const IpoptOptions& options,
                         Eigen::VectorXd* x) {
  const Ipopt::SmartPtr<Ipopt::IpoptApplication> ipopt = IpoptApplicationFactory();
  const auto set = [&](bool accepted) {
    if (!accepted) throw std::runtime_error("Ipopt does not know an option");
  };
  const Ipopt::SmartPtr<Ipopt::OptionsList> to = ipopt->Options();
  set(to->SetStringValue("sb", "yes"));
  set(to->SetIntegerValue("print_level", 0));
  set(to->SetStringValue("linear_solver", "mumps"));
  set(to->SetNumericValue("tol", options.tolerance));
  set(to->SetNumericValue("constr_viol_tol", options.violation_tolerance));
  set(to->SetNumericValue("bound_relax_factor", 0.0));
  set(to->SetNumericValue("acceptable_tol", options.tolerance));  // nothing weaker counts
  set(to->SetIntegerValue("max_iter", 2000));
  set(to->SetStringValue("mu_strategy", options.adaptive_barrier ? "adaptive" : "monotone"));
  set(to->SetStringValue("nlp_scaling_method",
                         options.scale_by_gradient ? "gradient-based" : "none"));
  if (options.hessian == IpoptHessian::kLimitedMemory) {
    set(to->SetStringValue("hessian_approximation", "limited-memory"));
  }
  if (ipopt->Initialize() != Ipopt::Solve_Succeeded) throw std::runtime_error("no Ipopt");
  auto* nlp = new ProgramNlp(program, options.hessian, x);
  const Ipopt::SmartPtr<Ipopt::TNLP> owner = nlp;
  const Ipopt::ApplicationReturnStatus status = ipopt->OptimizeTNLP(owner);
  return {status == Ipopt::Solve_Succeeded,
          IsValid(ipopt->Statistics()) ? ipopt->Statistics()->IterationCount() : 0,
          nlp->seconds_in_terms()};
}

}  // namespace pliant
