#include "experiments/searches/profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "experiments/bundles/csv.h"
#include "experiments/searches/distribution.h"
#include "experiments/searches/method_tables.h"
#include "models/problem.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr double kUnsolved = std::numeric_limits<double>::infinity();

bool IsFeasible(const Trial& trial) {
  return trial.score.failure.empty() && trial.score.violation == 0.0 &&
         std::isfinite(trial.score.cost);
}

double LeastOf(const SearchRecord& record) {
  double least = kUnsolved;
  for (const SearchHistory& history : record.histories) {
    for (const Trial& trial : history.trials) {
      if (IsFeasible(trial)) least = std::min(least, trial.score.cost);
    }
  }
  return least;
}

double StartOf(const SearchRecord& record) {
  for (const SearchHistory& history : record.histories) {
    if (history.trials.empty()) continue;
    const MotionScore& score = history.trials.front().score;
    return score.failure.empty() ? score.cost : kUnsolved;
  }
  return kUnsolved;
}

std::vector<std::string> LabelsOf(const SearchRecord& record) {
  std::vector<std::string> labels;
  for (const RecordedSearch& search : record.searches) {
    if (std::ranges::find(labels, search.label) == labels.end()) labels.push_back(search.label);
  }
  return labels;
}

void RequireMethods(const std::vector<SearchedProblem>& problems) {
  const std::vector<std::string> all = LabelsOf(problems.front().record);
  for (const SearchedProblem& problem : problems) {
    const std::vector<std::string> labels = LabelsOf(problem.record);
    for (const auto& [some, others, lacks] :
         {std::tuple(&all, &labels, &problem), std::tuple(&labels, &all, &problems.front())}) {
      for (const std::string& label : *some) {
        if (std::ranges::find(*others, label) != others->end()) continue;
        throw BadInput({"", lacks->name + " was not searched by '" + label + "'",
                        "profiles need the same methods in every problem"});
      }
    }
  }
}

// Adds the searches of a method in a problem.
void Add(const SearchedProblem& problem, double target, MethodProfile* profile) {
  double made = 0.0;
  int solved = 0;
  for (const SearchHistory* history : HistoriesOf(problem.record, profile->label)) {
    const double trials = TrialsUntil(*history, [target](const Trial& trial) {
      return IsFeasible(trial) && trial.score.cost <= target;
    });
    made += std::min(trials, static_cast<double>(history->trials.size()));
    ++profile->searches;
    if (trials == kUnsolved) continue;
    ++solved;
    profile->trials.push_back(trials);
  }
  profile->solved += solved;
  profile->problems += solved > 0 ? 1 : 0;
  profile->solved_in.push_back(solved);
  profile->expected.push_back(solved > 0 ? made / solved : kUnsolved);
}

void Remark(const std::vector<SearchedProblem>& problems, std::vector<std::string>* remarks) {
  for (const SearchedProblem& problem : problems) {
    std::set<size_t> budgets, counts;
    const std::vector<std::string> labels = LabelsOf(problem.record);
    size_t stopped = 0;
    for (const SearchHistory& history : problem.record.histories) {
      if (history.cancelled || history.trials.empty()) {
        ++stopped;
      } else {
        budgets.insert(history.trials.size());
      }
    }
    for (const std::string& label : labels) {
      counts.insert(static_cast<size_t>(
          std::ranges::count(problem.record.searches, label, &RecordedSearch::label)));
    }
    if (stopped > 0) {
      remarks->push_back(
          fmt::format("{}: {} searches were stopped or not begun", problem.name, stopped));
    }
    if (budgets.size() > 1) {
      remarks->push_back(fmt::format("{}: searches made {} to {} trials", problem.name,
                                     *budgets.begin(), *budgets.rbegin()));
    }
    if (counts.size() > 1) {
      remarks->push_back(fmt::format("{}: methods searched {} to {} times", problem.name,
                                     *counts.begin(), *counts.rbegin()));
    }
  }
}

double ShareUpTo(const std::vector<double>& values, double most, size_t of) {
  const auto within = std::ranges::count_if(values, [most](double v) { return v <= most; });
  return of == 0 ? 0.0 : static_cast<double>(within) / static_cast<double>(of);
}

std::string TrialsText(double trials) {
  return std::isfinite(trials) ? fmt::format("{:.0f}", trials) : "–";
}

// At most the largest number of trials to a solution, in 1, 2, 5 of each power of ten.
std::vector<double> TrialMarks(const Profiles& profiles) {
  double most = 0.0;
  for (const MethodProfile& method : profiles.methods) {
    if (!method.trials.empty()) most = std::max(most, method.trials.back());
  }
  std::vector<double> marks;
  for (double power = 10.0; marks.empty() || marks.back() < most; power *= 10.0) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (marks.empty() || marks.back() < most) marks.push_back(factor * power);
    }
  }
  return marks;
}

}  // namespace

double MethodProfile::Performance(double ratio) const {
  return ShareUpTo(ratios, ratio, ratios.size());
}

double MethodProfile::Solved(double within) const {
  return ShareUpTo(trials, within, static_cast<size_t>(searches));
}

Profiles ProfilesOf(const std::vector<SearchedProblem>& problems, double tolerance) {
  RequireMethods(problems);
  Profiles profiles;
  for (const SearchedProblem& problem : problems) {
    const double least = LeastOf(problem.record), start = StartOf(problem.record);
    if (!std::isfinite(least)) {
      throw BadInput({"", problem.name + ": no search found a motion without a violation",
                      "leave the problem out, or give its searches more trials"});
    }
    if (!std::isfinite(start)) {
      throw BadInput({"",
                      problem.name + ": the start has no cost, from which a target could be "
                                     "measured",
                      "let the searches start from a motion that has one"});
    }
    profiles.problems.push_back(problem.name);
    profiles.least.push_back(least);
    profiles.targets.push_back(least + tolerance * std::max(0.0, start - least));
  }
  for (const std::string& label : LabelsOf(problems.front().record)) {
    MethodProfile& method = profiles.methods.emplace_back();
    method.label = label;
    for (size_t p = 0; p < problems.size(); ++p) Add(problems[p], profiles.targets[p], &method);
    std::ranges::sort(method.trials);
    if (method.searches > 0) method.rate = RateInterval(method.solved, method.searches);
  }
  for (size_t p = 0; p < problems.size(); ++p) {
    double best = kUnsolved;  // finite: somebody found the least
    for (const MethodProfile& method : profiles.methods) best = std::min(best, method.expected[p]);
    for (MethodProfile& method : profiles.methods) {
      method.ratios.push_back(method.expected[p] / best);
    }
  }
  Remark(problems, &profiles.remarks);
  return profiles;
}

std::vector<FindingTable> TablesOfProfiles(const Profiles& profiles) {
  FindingTable methods, performance, data, each;
  methods.title = fmt::format("Methods over {} problems", profiles.problems.size());
  methods.columns = {"method", "solved", "95 % interval", "problems", "quickest in"};
  methods.remark =
      "Solved: searches with a trial without a violation at the target or below. Quickest in: "
      "problems in which the method expects the fewest trials.";
  performance.title =
      "Performance profile: problems solved within α times the trials of the "
      "quickest method";
  performance.columns = {"method"};
  const std::vector<double> ratios = {1.0, 1.5, 2.0, 3.0, 5.0, 10.0};
  for (const double ratio : ratios) performance.columns.push_back("α = " + Digits(ratio, 2));
  performance.columns.emplace_back("ever");
  data.title = "Data profile: searches solved within so many trials";
  data.columns = {"method"};
  const std::vector<double> marks = TrialMarks(profiles);
  for (const double mark : marks) data.columns.push_back(TrialsText(mark));
  for (const MethodProfile& method : profiles.methods) {
    methods.rows.push_back(
        {method.label, fmt::format("{} of {}", method.solved, method.searches),
         fmt::format("{} to {}", PercentText(method.rate.lower), PercentText(method.rate.upper)),
         fmt::format("{} of {}", method.problems, profiles.problems.size()),
         std::to_string(std::ranges::count(method.ratios, 1.0))});
    std::vector<std::string>& shares = performance.rows.emplace_back();
    shares.push_back(method.label);
    for (const double ratio : ratios) shares.push_back(PercentText(method.Performance(ratio)));
    const auto ever = static_cast<double>(method.problems);
    shares.push_back(PercentText(ever / static_cast<double>(profiles.problems.size())));
    std::vector<std::string>& solved = data.rows.emplace_back();
    solved.push_back(method.label);
    for (const double mark : marks) solved.push_back(PercentText(method.Solved(mark)));
  }
  each.title = "Expected trials in each problem";
  each.columns = {"problem", "least cost", "target"};
  for (const MethodProfile& method : profiles.methods) each.columns.push_back(method.label);
  each.remark =
      "With the number of its searches that are solved; –: none is. The least cost is that of all "
      "searches and need not be the least there is.";
  for (size_t p = 0; p < profiles.problems.size(); ++p) {
    std::vector<std::string>& row = each.rows.emplace_back();
    row = {profiles.problems[p], Digits(profiles.least[p], 5), Digits(profiles.targets[p], 5)};
    for (const MethodProfile& method : profiles.methods) {
      row.push_back(fmt::format("{} ({})", TrialsText(method.expected[p]), method.solved_in[p]));
    }
  }
  return {methods, performance, data, each};
}

std::string CsvOfProfiles(const Profiles& profiles) {
  std::string csv = "profile,method,at,share\n";
  const auto add = [&csv](const char* profile, const std::string& method,
                          const std::vector<double>& steps, const auto& share) {
    for (const double at : std::set<double>(steps.begin(), steps.end())) {
      if (std::isfinite(at))
        csv += fmt::format("{},{},{},{}\n", profile, CsvCell(method), at, share(at));
    }
  };
  for (const MethodProfile& method : profiles.methods) {
    add("performance", method.label, method.ratios,
        [&](double ratio) { return method.Performance(ratio); });
  }
  for (const MethodProfile& method : profiles.methods) {
    add("data", method.label, method.trials, [&](double trials) { return method.Solved(trials); });
  }
  return csv;
}

}  // namespace pliant
