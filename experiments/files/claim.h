// The [[claim]] tables of an experiment file: sentences about its results, each with a number that the
// limit of refinement must meet (`pliant verify`).

#ifndef PLIANT_EXPERIMENTS_FILES_CLAIM_H_
#define PLIANT_EXPERIMENTS_FILES_CLAIM_H_

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "experiments/files/document.h"

namespace pliant {

// The figure of another backend, times a factor.
struct LessThan {
  std::string of;
  double factor = 1.0;
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

  // What is said; exactly one of these.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  std::optional<double> order;         // of its convergence, ± within
  std::optional<LessThan> less_than;   // figure(of) < factor · figure(less_than.of)
  std::optional<std::string> outcome;  // of the run, on every rung
  double within = 0.2;                 // of order

  bool quick = false;  // verified by `verify --quick`
  FilePlace place;

  bool SaysInterval() const { return !order && !less_than && !outcome; }
  // The labels of the backends whose runs decide it.
  std::vector<std::string> Labels() const;
};

// Their keys.
class KeyBinder;
void Bind(KeyBinder& b, LessThan& less_than);
void Bind(KeyBinder& b, Claim& claim);

// Throws FileError for a claim about a backend that is not among `labels`, and for two claims of the
// same number that exclude each other. A run that is shorter than a claim's time can still be made:
// verify refuses it.
void RequireConsistent(const std::vector<Claim>& claims, const std::vector<std::string>& labels);

// What is said, in words: "at least 3", "between 1 and 2", "less than 2 times that of other".
std::string BoundInWords(const Claim& claim);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_CLAIM_H_
