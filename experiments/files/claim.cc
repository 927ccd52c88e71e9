#include "experiments/files/claim.h"

#include <algorithm>
#include <cmath>

#include "experiments/files/keys.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

std::string IntervalInWords(const Claim& claim) {
  if (!std::isfinite(claim.upper)) return "at least " + Digits(claim.lower);
  if (!std::isfinite(claim.lower)) return "at most " + Digits(claim.upper);
  const double middle = 0.5 * (claim.lower + claim.upper);
  const double half = 0.5 * (claim.upper - claim.lower);
  if (half < 1e-3 * std::abs(middle)) return "about " + Digits(middle) + " ± " + Digits(half, 2);
  return "between " + Digits(claim.lower) + " and " + Digits(claim.upper);
}

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
    if (!(*bounds.tolerance > 0.0))
      b.Fail("tolerance", "'tolerance' must be more than 0, not " + Digits(*bounds.tolerance));
    claim->lower = *bounds.about - *bounds.tolerance;
    claim->upper = *bounds.about + *bounds.tolerance;
  } else if (bounds.tolerance) {
    b.Fail("tolerance", "'tolerance' counts only with 'about'", "remove it");
  }
}

// What counts only of ensembles, and what cannot be said of them.
void ReadEnsembleKeys(const KeyBinder& b, Claim* claim) {
  if (!claim->over) {
    for (const char* key : {"statistic", "met", "horizon"}) {
      if (b.Has(key))
        b.Fail(key, std::string("'") + key + "' applies only to an ensemble",
               "add over = {seeds = 20, perturb = 0.01}");
    }
    if (claim->IsOfSearch())
      b.Fail("figure", "one search is an anecdote: '" + claim->figure + "' is claimed over seeds",
             "add over = {seeds = 20}");
    return;
  }
  if (!claim->SaysInterval())
    b.Fail("over", "an ensemble has a mean, a worst member or a rate",
           "say at_least, at_most, between or about; of outcomes: statistic = \"rate\"");
  const bool rate = claim->statistic == Statistic::kRate;
  if (rate && !claim->met)
    b.Fail("statistic", "a rate of what?", "add met = {at_least = …}, when a member counts");
  if (!rate && claim->met)
    b.Fail("met", "'met' applies only to a rate", "add statistic = \"rate\"");
  if (rate && !(claim->lower <= 1.0 && claim->upper >= 0.0))
    b.Fail("statistic", "no rate is " + IntervalInWords(*claim), "a rate is between 0 and 1");
  if (claim->horizon && !(*claim->horizon > 0.0))
    b.Fail("horizon", "'horizon' must be more than 0, not " + Digits(*claim->horizon));
}

void RequireMeasurableOrder(const KeyBinder& b, const Claim& claim) {
  if (claim.order && !(*claim.order > 0.0))
    b.Fail("order", "what converges has an order above 0", "order = 1");
  if (claim.order && claim.quick)
    b.Fail("quick", "an order needs three rungs, and --quick has two", "remove it");
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

std::vector<std::pair<std::string, Statistic>> WordsOf(Statistic) {
  return {{"mean", Statistic::kMean}, {"worst", Statistic::kWorst}, {"rate", Statistic::kRate}};
}

std::string WordOf(Statistic statistic) {
  return std::get<std::string>(Codec<Statistic>::Write(statistic));
}

void Bind(KeyBinder& b, Ensemble& ensemble) {
  b.Title("over");
  b.Default("seeds", &ensemble.seeds, "1", "members, each with a seed of its own");
  b.Default(
      "perturb", &ensemble.perturb, "1",
      "fraction by which initial positions, velocities and the numbers in 'vary' are perturbed");
  b.Optional("vary", &ensemble.vary, "1",
             "numbers of [run], the scene or a backend that differ too, as for --set");
  if (!b.reads()) return;
  if (ensemble.seeds < 2)
    b.Fail("seeds", "an ensemble of " + std::to_string(ensemble.seeds) + " shows no spread",
           "seeds = 20");
  if (!(ensemble.perturb >= 0.0 && ensemble.perturb < 1.0))
    b.Fail("perturb",
           "'perturb' is a part: at least 0, less than 1, not " + Digits(ensemble.perturb),
           "perturb = 0.01");
}

void Bind(KeyBinder& b, MemberBound& met) {
  b.Title("met");
  std::optional<double> at_least, at_most;
  b.Optional("at_least", &at_least, "", "the figure of the member is at least");
  b.Optional("at_most", &at_most, "", "the figure of the member is at most");
  b.Optional("outcome", &met.outcome, "1", "its run ends so, instead");
  if (!b.reads()) return;
  met.lower = at_least.value_or(met.lower);
  met.upper = at_most.value_or(met.upper);
  if (!at_least && !at_most && !met.outcome)
    b.Fail("", "every member meets an empty 'met'", "met = {at_least = …}");
  if (met.outcome && (at_least || at_most))
    b.Fail("outcome", "an outcome has no bound", "remove one");
  if (!(met.lower <= met.upper)) b.Fail("at_most", "no number meets both bounds", "");
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
  b.Optional(
      "set", &claim.set, "1",
      "the claim is about the experiment with these changes, as for --set: a point of a sweep");
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
  b.Optional(
      "over", &claim.over, "",
      "an ensemble: the claim is about a statistic of runs with slightly different initial states");
  std::optional<Statistic> statistic;
  b.Optional("statistic", &statistic, "1", "of an ensemble; default: \"mean\"");
  b.Optional("met", &claim.met, "", "of a rate: when a member counts");
  b.Optional("horizon", &claim.horizon, "s", "duration of the members; default: run.duration");
  b.Default("quick", &claim.quick, "1", "verified by `pliant verify --quick`, which CI runs");
  if (!b.reads()) return;
  claim.place = b.PlaceOf("text");
  b.ExactlyOne({"at_least", "at_most", "between", "about", "order", "less_than", "outcome"},
               "the claim", "say what the figure is: at_least = …");
  b.AtMostOne({"difference_to", "ratio_to", "less_than", "outcome"}, "the claim");
  b.AtMostOne({"outcome", "figure"}, "the claim");
  const bool of_outcomes = claim.met && claim.met->outcome;
  if (claim.figure.empty() && !claim.outcome && !of_outcomes)
    b.Fail("", "the claim names no figure", "figure = \"…\": see pliant list metrics");
  if (claim.text.empty()) b.Fail("text", "the claim says nothing", "write it as a sentence");
  if (within && !claim.order)
    b.Fail("within", "'within' counts only with 'order'",
           "for 'about', write tolerance = … instead");
  claim.within = within.value_or(claim.within);
  if (!(claim.within > 0.0))
    b.Fail("within", "'within' must be more than 0, not " + Digits(claim.within));
  RequireMeasurableOrder(b, claim);
  if (claim.less_than && !(claim.less_than->factor > 0.0))
    b.Fail("less_than", "'factor' must be more than 0, not " + Digits(claim.less_than->factor));
  ReadInterval(b, bounds, &claim);
  claim.statistic = statistic.value_or(claim.statistic);
  ReadEnsembleKeys(b, &claim);
}

namespace {

// "rate of at least 0.9 (member: at least 3) over 20 members".
std::string StatisticInWords(const Claim& claim) {
  std::string text = WordOf(claim.statistic) + " of " + std::to_string(claim.over->seeds);
  if (claim.met && claim.met->outcome) text += " that end as \"" + *claim.met->outcome + "\"";
  if (claim.met && !claim.met->outcome) {
    Claim member;
    member.lower = claim.met->lower;
    member.upper = claim.met->upper;
    text += " that are " + IntervalInWords(member);
  }
  return text + " " + IntervalInWords(claim);
}

}  // namespace

std::string BoundInWords(const Claim& claim) {
  if (claim.over) return StatisticInWords(claim);
  if (claim.outcome) return "ends as \"" + *claim.outcome + "\"";
  if (claim.order) return "order " + Digits(*claim.order) + " ± " + Digits(claim.within);
  if (claim.less_than) {
    const double factor = claim.less_than->factor;
    return "less than " + (factor == 1.0 ? "" : Digits(factor) + " times ") + "that of " +
           claim.less_than->of;
  }
  return IntervalInWords(claim);
}

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What a claim says: lower ≤ f(a) ≤ upper, or of two backends lower ≤ f(a) − factor f(b) ≤ upper, or
// lower ≤ f(a) / f(b) ≤ upper.
struct Statement {
  const Claim* claim;
  std::string number;  // f: the figure, its time, the changes of the file and the ensemble
  std::string a, b;    // b: "" of one backend
  double factor;
  double lower, upper;

  bool IsRatio() const { return claim->ratio_to.has_value(); }
};

// The ensemble and its statistic, of claims about one.
std::string SampleOf(const Claim& claim) {
  if (!claim.over) return "";
  std::string text = "|" + WordOf(claim.statistic) + "|" + std::to_string(claim.over->seeds) + "|" +
                     RoundTrip(claim.over->perturb) +
                     (claim.horizon ? "|" + RoundTrip(*claim.horizon) : "");
  for (const std::string& key : claim.over->vary) text += "|" + key;
  if (claim.met)
    text += "|" + RoundTrip(claim.met->lower) + "|" + RoundTrip(claim.met->upper) + "|" +
            claim.met->outcome.value_or("");
  return text;
}

// Two claims with this text, about the same backends, are about one number.
std::string NumberOf(const Claim& claim) {
  std::string changes;
  for (const std::string& change : claim.set) changes += change + "|";
  const auto text = [](const std::optional<double>& number) {
    return number ? RoundTrip(*number) : std::string();
  };
  return changes + claim.figure + "|" + text(claim.at) + SampleOf(claim);
}

Statement StatementOf(const Claim& claim) {
  const std::vector<std::string> labels = claim.Labels();
  Statement statement{&claim, NumberOf(claim), labels[0],  labels.size() == 2 ? labels[1] : "",
                      1.0,    claim.lower,     claim.upper};
  if (!claim.less_than) return statement;
  statement.factor = claim.less_than->factor;
  statement.upper = std::nextafter(0.0, -1.0);  // less, not equal
  return statement;
}

bool Disjoint(double lower, double upper, double other_lower, double other_upper) {
  return lower > other_upper || upper < other_lower;
}

bool ExcludeEachOther(const Claim& claim, const Claim& other) {
  if (claim.Labels() != other.Labels() || NumberOf(claim) != NumberOf(other)) return false;
  if (claim.outcome && other.outcome) return *claim.outcome != *other.outcome;
  if (claim.order && other.order && claim.ratio_to == other.ratio_to)
    return std::abs(*claim.order - *other.order) > claim.within + other.within;
  return false;
}

bool ExcludeEachOther(const Statement& one, const Statement& other) {
  if (one.number != other.number || one.IsRatio() != other.IsRatio()) return false;
  const bool swapped = !one.IsRatio() && !one.b.empty() && one.a == other.b && one.b == other.a &&
                       one.factor == 1.0 && other.factor == 1.0;
  if (swapped) return Disjoint(one.lower, one.upper, -other.upper, -other.lower);
  return one.a == other.a && one.b == other.b && one.factor == other.factor &&
         Disjoint(one.lower, one.upper, other.lower, other.upper);
}

// The bounds of f(label) that the statements about it alone leave.
std::pair<double, double> BoundsOf(const std::string& label, const std::string& number,
                                   const std::vector<Statement>& statements) {
  std::pair<double, double> bounds = {-kInfinity, kInfinity};
  for (const Statement& other : statements) {
    if (!other.b.empty() || other.a != label || other.number != number) continue;
    bounds = {std::max(bounds.first, other.lower), std::min(bounds.second, other.upper)};
  }
  return bounds;
}

// What is said of both parts alone leaves no difference that the claim allows.
bool ExcludedByItsParts(const Statement& difference, const std::vector<Statement>& statements) {
  if (difference.b.empty() || difference.IsRatio()) return false;
  const auto [a_lower, a_upper] = BoundsOf(difference.a, difference.number, statements);
  const auto [b_lower, b_upper] = BoundsOf(difference.b, difference.number, statements);
  return Disjoint(difference.lower, difference.upper, a_lower - difference.factor * b_upper,
                  a_upper - difference.factor * b_lower);
}

void RequireLabel(const std::string& label, const std::string& key, const Claim& claim,
                  const std::vector<std::string>& labels) {
  if (std::find(labels.begin(), labels.end(), label) != labels.end()) return;
  FailAt(claim.place,
         "the claim's '" + key + "' names no backend of the experiment: '" + label + "'",
         DidYouMean(label, labels));
}

void RequireLabels(const Claim& claim, const std::vector<std::string>& labels,
                   const std::vector<std::string>& searches) {
  if (claim.IsOfSearch() && searches.empty())
    FailAt(claim.place,
           "'" + claim.figure + "' is a figure of a search, and the experiment has none",
           "add [optimize], or claim a figure of a run");
  RequireLabel(claim.of, "of", claim, claim.IsOfSearch() ? searches : labels);
  if (claim.difference_to) RequireLabel(*claim.difference_to, "difference_to", claim, labels);
  if (claim.ratio_to) RequireLabel(*claim.ratio_to, "ratio_to", claim, labels);
  if (claim.less_than) RequireLabel(claim.less_than->of, "less_than", claim, labels);
  const std::vector<std::string> of = claim.Labels();
  if (of.size() == 2 && of[0] == of[1])
    FailAt(claim.place, "the claim compares '" + of[0] + "' with itself", "name another backend");
}

[[noreturn]] void FailAsContrary(const Claim& claim, const Claim& other) {
  FailAt(claim.place,
         "contradicts the claim at " + ToString(other.place) + ": " + BoundInWords(claim) +
             ", there " + BoundInWords(other),
         "no run can meet both");
}

}  // namespace

void RequireConsistent(const std::vector<Claim>& claims, const std::vector<std::string>& labels,
                       const std::vector<std::string>& searches) {
  std::vector<Statement> statements;
  for (const Claim& claim : claims) {
    RequireLabels(claim, labels, searches);
    for (const Claim& earlier : claims) {
      if (&earlier == &claim) break;
      if (ExcludeEachOther(claim, earlier)) FailAsContrary(claim, earlier);
    }
    if (claim.order || claim.outcome) continue;
    const Statement statement = StatementOf(claim);
    for (const Statement& earlier : statements) {
      if (ExcludeEachOther(statement, earlier)) FailAsContrary(claim, *earlier.claim);
    }
    statements.push_back(statement);
  }
  for (const Statement& statement : statements) {
    if (ExcludedByItsParts(statement, statements))
      FailAt(statement.claim->place,
             "contradicts what the other claims say of '" + statement.a + "' and of '" +
                 statement.b + "'",
             "no run can meet all");
  }
}

}  // namespace pliant
