#include "experiments/files/claim.h"

#include <algorithm>
#include <cmath>

#include "experiments/files/keys.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

// The keys that say something of the number.
struct BoundKeys {
  std::optional<double> at_least, at_most, about, tolerance;
  std::optional<std::array<double, 2>> between;
};

void ReadInterval(const KeyBinder& b, const BoundKeys& bounds, Claim* claim) {
  if (bounds.at_least) claim->lower = *bounds.at_least;
  if (bounds.at_most) claim->upper = *bounds.at_most;
  if (bounds.between) {
    std::tie(claim->lower, claim->upper) = std::tuple((*bounds.between)[0], (*bounds.between)[1]);
    if (!(claim->lower < claim->upper)) {
      b.Fail("between",
             "no number is between " + Digits(claim->lower) + " and " + Digits(claim->upper),
             "the smaller one comes first");
    }
  }
  if (bounds.about) {
    if (!bounds.tolerance)
      b.Fail("about", "'about' needs a tolerance", "add tolerance = …, in the unit of the figure");
    if (!(*bounds.tolerance > 0.0)) b.Fail("tolerance", "'tolerance' must be more than 0");
    claim->lower = *bounds.about - *bounds.tolerance;
    claim->upper = *bounds.about + *bounds.tolerance;
  } else if (bounds.tolerance) {
    b.Fail("tolerance", "'tolerance' counts only with 'about'", "remove it");
  }
}

// Two claims with this text are about one number.
std::string SubjectOf(const Claim& claim) {
  return claim.figure + "|" + claim.of + "|" + (claim.at ? RoundTrip(*claim.at) : "") + "|" +
         claim.difference_to.value_or("") + "|" + claim.ratio_to.value_or("");
}

void RequireLabel(const std::string& label, const std::string& key, const Claim& claim,
                  const std::vector<std::string>& labels) {
  if (std::find(labels.begin(), labels.end(), label) != labels.end()) return;
  FailAt(claim.place,
         "the claim's '" + key + "' names no backend of the experiment: '" + label + "'",
         DidYouMean(label, labels));
}

}  // namespace

std::vector<std::string> Claim::Labels() const {
  std::vector<std::string> labels = {of};
  if (difference_to) labels.push_back(*difference_to);
  if (ratio_to) labels.push_back(*ratio_to);
  if (less_than) labels.push_back(less_than->of);
  return labels;
}

void Bind(KeyBinder& b, LessThan& less_than) {
  b.Title("less_than");
  b.Required("of", &less_than.of, "1", "label of the backend with the larger figure");
  b.Default("factor", &less_than.factor, "1", "of that figure");
}

void Bind(KeyBinder& b, Claim& claim) {
  b.Title("[[claim]]");
  BoundKeys bounds;
  std::optional<double> within;
  b.Required("text", &claim.text, "1", "the claim as a sentence");
  b.Optional("figure", &claim.figure, "1",
             "a headline figure (`pliant list metrics`), or a column of series.csv");
  b.Required("of", &claim.of, "1", "label of the backend");
  b.Optional("at", &claim.at, "s", "the recorded time at which a column is read");
  b.Optional("difference_to", &claim.difference_to, "1",
             "label of a second backend: claims the figure minus that of this backend");
  b.Optional("ratio_to", &claim.ratio_to, "1",
             "label of a second backend: claims the figure divided by that of this backend");
  b.Optional("at_least", &bounds.at_least, "",
             "lower bound of the limit, in the unit of the figure");
  b.Optional("at_most", &bounds.at_most, "", "upper bound");
  b.Optional("between", &bounds.between, "", "both bounds");
  b.Optional("about", &bounds.about, "", "the limit, up to a tolerance");
  b.Optional("tolerance", &bounds.tolerance, "", "of about");
  b.Optional(
      "order", &claim.order, "1",
      "order at which the figure converges; of a column without a time: that of its rms change");
  b.Optional("within", &within, "1", "tolerance of order; default: 0.2");
  b.Optional("less_than", &claim.less_than, "", "the figure is less than that of another backend");
  b.Optional("outcome", &claim.outcome, "1", "how the run ends, at every size: \"completed\", …");
  b.Default("quick", &claim.quick, "1", "verified by `pliant verify --quick`, which CI runs");
  if (!b.reads()) return;
  claim.place = b.PlaceOf("text");
  b.ExactlyOne({"at_least", "at_most", "between", "about", "order", "less_than", "outcome"},
               "the claim", "say what the figure is: at_least = …");
  b.AtMostOne({"difference_to", "ratio_to", "less_than", "outcome"}, "the claim");
  b.AtMostOne({"outcome", "figure"}, "the claim");
  if (claim.figure.empty() && !claim.outcome)
    b.Fail("", "the claim names no figure", "figure = \"…\": see pliant list metrics");
  if (within && !claim.order)
    b.Fail("within", "'within' counts only with 'order'",
           "a tolerance of about is called tolerance");
  claim.within = within.value_or(claim.within);
  if (!(claim.within > 0.0)) b.Fail("within", "'within' must be more than 0");
  if (claim.less_than && !(claim.less_than->factor > 0.0))
    b.Fail("less_than", "'factor' must be more than 0");
  ReadInterval(b, bounds, &claim);
}

void RequireConsistent(const std::vector<Claim>& claims, const std::vector<std::string>& labels) {
  for (size_t i = 0; i < claims.size(); ++i) {
    const Claim& claim = claims[i];
    RequireLabel(claim.of, "of", claim, labels);
    if (claim.difference_to) RequireLabel(*claim.difference_to, "difference_to", claim, labels);
    if (claim.ratio_to) RequireLabel(*claim.ratio_to, "ratio_to", claim, labels);
    if (claim.less_than) RequireLabel(claim.less_than->of, "less_than", claim, labels);
    const std::vector<std::string> of = claim.Labels();
    if (of.size() == 2 && of[0] == of[1]) {
      FailAt(claim.place, "the claim compares '" + of[0] + "' with itself", "name another backend");
    }
    if (claim.order || claim.less_than) continue;
    for (size_t earlier = 0; earlier < i; ++earlier) {
      const Claim& other = claims[earlier];
      if (other.order || other.less_than || SubjectOf(other) != SubjectOf(claim)) continue;
      const bool excluded = claim.outcome ? other.outcome && *other.outcome != *claim.outcome
                                          : !other.outcome && (claim.lower > other.upper ||
                                                               claim.upper < other.lower);
      if (!excluded) continue;
      FailAt(claim.place,
             "contradicts the claim at " + ToString(other.place) + ": " + BoundInWords(claim) +
                 ", there " + BoundInWords(other),
             "no run can meet both");
    }
  }
}

std::string BoundInWords(const Claim& claim) {
  if (claim.outcome) return "ends as \"" + *claim.outcome + "\"";
  if (claim.order) return "order " + Digits(*claim.order) + " ± " + Digits(claim.within);
  if (claim.less_than) {
    const double factor = claim.less_than->factor;
    return "less than " + (factor == 1.0 ? "" : Digits(factor) + " times ") + "that of " +
           claim.less_than->of;
  }
  if (!std::isfinite(claim.upper)) return "at least " + Digits(claim.lower);
  if (!std::isfinite(claim.lower)) return "at most " + Digits(claim.upper);
  const double middle = 0.5 * (claim.lower + claim.upper);
  const double half = 0.5 * (claim.upper - claim.lower);
  if (half < 1e-3 * std::abs(middle)) return "about " + Digits(middle) + " ± " + Digits(half, 2);
  return "between " + Digits(claim.lower) + " and " + Digits(claim.upper);
}

}  // namespace pliant
