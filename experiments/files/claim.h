// The [[claim]] tables of an experiment file: sentences about its results, each with a number that the
// limit of refinement must meet (`pliant verify`).

#ifndef PLIANT_EXPERIMENTS_FILES_CLAIM_H_
#define PLIANT_EXPERIMENTS_FILES_CLAIM_H_

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/files/document.h"

namespace pliant {

// The figure of another backend, times a factor.
struct LessThan {
  std::string of;
  double factor = 1.0;
};

// The members of an ensemble: runs that begin a little otherwise.
struct Ensemble {
  int seeds = 20;                 // members, ≥ 2
  double perturb = 0.0;           // 1, of positions, velocities and the numbers of `vary`, ≥ 0
  std::vector<std::string> vary;  // keys of numbers, as for --set

  bool operator==(const Ensemble&) const = default;
};

enum class Statistic { kMean, kWorst, kRate };

// When a member of an ensemble counts for a rate.
struct MemberBound {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  std::optional<std::string> outcome;  // how its run ends, instead
};

// One number of each rung, `figure` of `of` combined with that of another backend, and what is said of
// its limit.
struct Claim {
  std::string text;
  std::string figure;        // a headline figure, or a column of the series; "" with an outcome
  std::string of;            // label of a backend
  std::optional<double> at;  // s, a recorded time: the figure is a column there
  // The number is: figure(of) − figure(difference_to), figure(of) / figure(ratio_to), or figure(of).
  std::optional<std::string> difference_to, ratio_to;

  std::vector<std::string> set;  // the experiment is changed so, as by --set

  // What is said; exactly one of these.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  std::optional<double> order;         // of its convergence, ± within
  std::optional<LessThan> less_than;   // figure(of) < factor · figure(less_than.of)
  std::optional<std::string> outcome;  // of the run, on every rung
  double within = 0.2;                 // of order

  // Of an ensemble, the number is a statistic of that of its members.
  std::optional<Ensemble> over;
  Statistic statistic = Statistic::kMean;
  std::optional<MemberBound> met;  // of a rate
  std::optional<double> horizon;   // s, duration of the members; that of the file when absent

  bool quick = false;  // verified by `verify --quick`
  FilePlace place;

  bool SaysInterval() const { return !order && !less_than && !outcome; }
  // Is it about the searches of [optimize], `of` being the label of a method?
  bool IsOfSearch() const { return figure.starts_with("best_"); }
  // The labels of the backends whose runs decide it.
  std::vector<std::string> Labels() const;
};

// Their keys.
class KeyBinder;
void Bind(KeyBinder& b, LessThan& less_than);
void Bind(KeyBinder& b, Ensemble& ensemble);
void Bind(KeyBinder& b, MemberBound& met);
void Bind(KeyBinder& b, Claim& claim);
std::vector<std::pair<std::string, Statistic>> WordsOf(Statistic);
std::string WordOf(Statistic statistic);

// Throws FileError for a claim about a backend that is not among `labels` (about a search that is not among
// `searches`), and for two claims of the same number that exclude each other. A run that is shorter than a claim's time can still be made:
// verify refuses it.
void RequireConsistent(const std::vector<Claim>& claims, const std::vector<std::string>& labels,
                       const std::vector<std::string>& searches = {});

// What is said, in words: "at least 3", "between 1 and 2", "less than 2 times that of other".
std::string BoundInWords(const Claim& claim);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_CLAIM_H_
