#include "experiments/searches/motion_cost.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace pliant {
namespace {

using Form = MotionCostFunction::Form;

const MeasureInfo& InfoOf(Measure measure) { return MeasureInfos()[static_cast<size_t>(measure)]; }

std::optional<double> EnergyOf(const MotionCostFunction::ModeWeight& weighted,
                               const MotionMeasures& measures) {
  for (const ModeEnergy& mode : measures.modes) {
    if (mode.mode == weighted.mode) return weighted.net ? mode.work : mode.spent;
  }
  return std::nullopt;
}

std::optional<double> FigureOf(const std::string& figure, const MotionMeasures& measures) {
  const auto found = measures.figures.find(figure);
  return found == measures.figures.end() ? std::nullopt : found->second;
}

double WeightedSum(const MotionCostFunction& function, const MotionMeasures& measures) {
  double sum = 0.0;
  for (const MotionCostFunction::FigureWeight& weighted : function.figure_weights) {
    if (weighted.weight != 0.0) sum += weighted.weight * *FigureOf(weighted.figure, measures);
  }
  for (const MotionCostFunction::ModeWeight& weighted : function.mode_weights) {
    if (weighted.weight != 0.0) sum += weighted.weight * *EnergyOf(weighted, measures);
  }
  for (const Measure measure : function.Reads()) {
    sum += function.weights[static_cast<size_t>(measure)] * *measures[measure];
  }
  return sum;
}

// m; NaN where it is not defined.
double LandingError(const MotionCostFunction& function, const MotionMeasures& measures) {
  const auto distance = measures[Measure::kDistance], height = measures[Measure::kEndHeight];
  if (!distance || !height) return std::numeric_limits<double>::quiet_NaN();
  return std::hypot(*distance - function.goal, *height);
}

// How far a jump misses what it is asked for.
struct Miss {
  double metres, tolerance;
  const char* worst;
};

std::vector<Miss> MissesOf(const MotionCostFunction& function, const MotionMeasures& measures) {
  constexpr double kSecond = 1.0;
  const double tolerance = function.tolerance;
  const double beyond = *measures[Measure::kDistance] - function.goal;
  const double along = beyond < 0.0 ? function.short_by.value_or(tolerance) : tolerance;
  std::vector<Miss> misses = {
      {beyond, along, "lands off its goal"},
      {*measures[Measure::kEndHeight], tolerance, "does not end as high as it began"}};
  if (function.end == MotionCostFunction::End::kCentre) {
    misses.push_back(
        {kSecond * *measures[Measure::kEndSpeed], tolerance, "is not at rest at the end"});
  } else {
    misses.push_back({*measures[Measure::kEndShape], tolerance, "does not end in its first pose"});
    misses.push_back(
        {kSecond * *measures[Measure::kEndMotion], tolerance, "is not at rest at the end"});
  }
  return misses;
}

// Cost and violation of a jump; the violation is in tolerances.
void ScoreJump(const MotionCostFunction& function, const MotionMeasures& measures,
               MotionScore* score) {
  if (function.form == Form::kEnergyJump) {
    score->cost = *measures[Measure::kEnergy];
  } else {
    score->cost = function.torque_weight * *measures[Measure::kTorqueEffort] +
                  function.acceleration_weight * *measures[Measure::kHingeEffort];
    if (function.work_weight > 0.0) {
      score->cost += function.work_weight * *measures[Measure::kEnergy];
    }
  }
  for (const Miss& miss : MissesOf(function, measures)) {
    const double beyond = std::abs(miss.metres) - miss.tolerance;
    if (!(beyond > 0.0)) continue;
    score->cost += function.penalty * beyond;
    if (beyond / function.tolerance <= score->violation) continue;
    score->violation = beyond / function.tolerance;
    score->worst = miss.worst;
  }
}

// May the cost be divided by `measure`? Penalises the motion if not.
bool IsPositive(Measure measure, const MotionMeasures& measures, double penalty,
                MotionScore* score) {
  if (*measures[measure] > 0.0) return true;
  score->cost = penalty;
  score->violation = 1.0;
  score->worst = InfoOf(measure).name + " is not positive";
  return false;
}

std::vector<Measure> ReadsOfJump(const MotionCostFunction& jump) {
  std::vector<Measure> measures = {Measure::kDistance, Measure::kEndHeight};
  if (jump.end == MotionCostFunction::End::kCentre) {
    measures.push_back(Measure::kEndSpeed);
  } else {
    measures.insert(measures.end(), {Measure::kEndShape, Measure::kEndMotion});
  }
  if (jump.form == Form::kEnergyJump) {
    measures.push_back(Measure::kEnergy);
  } else {
    measures.insert(measures.end(), {Measure::kTorqueEffort, Measure::kHingeEffort});
    if (jump.work_weight > 0.0) measures.push_back(Measure::kEnergy);
  }
  return measures;
}

std::vector<Measure> ReadsOfForm(const MotionCostFunction& function) {
  switch (function.form) {
    case Form::kInverseDistance:
      return {Measure::kDistance};
    case Form::kEnergyPerDistance:
    case Form::kEnergyPerRootDistance:
      return {Measure::kEnergy, Measure::kDistance};
    case Form::kEnergyPerRootDistanceSpeed:
      return {Measure::kEnergy, Measure::kDistance, Measure::kEndSpeed};
    case Form::kJump:
    case Form::kEnergyJump:
      return ReadsOfJump(function);
    case Form::kWeightedSum:
      break;
  }
  std::vector<Measure> measures;
  for (size_t i = 0; i < kMeasures; ++i) {
    if (function.weights[i] != 0.0) measures.push_back(static_cast<Measure>(i));
  }
  return measures;
}

// Adds to the cost what is beyond the limits; the violation is in units of what has the limit. All are defined.
void ApplyLimits(const MotionCostFunction& function, const MotionMeasures& measures,
                 MotionScore* score) {
  for (const MotionCostFunction::Limit& limit : function.limits) {
    const std::optional<Measure> measure = MeasureNamed(limit.of);
    const double value = measure ? *measures[*measure] : *FigureOf(limit.of, measures);
    const double below = limit.least ? *limit.least - value : 0.0,
                 above = limit.most ? value - *limit.most : 0.0;
    const double beyond = std::max(below, above);
    if (!(beyond > 0.0)) continue;
    score->cost += function.penalty * beyond;
    if (beyond <= score->violation) continue;
    score->violation = beyond;
    score->worst = limit.of + (below > above ? " is below its limit" : " is above its limit");
  }
}

// What the cost needs and is not defined, in words; empty where all is.
std::string WhatIsMissing(const MotionCostFunction& function, const MotionMeasures& measures) {
  std::string missing;
  for (const MotionCostFunction::ModeWeight& weighted : function.mode_weights) {
    if (weighted.weight != 0.0 && !EnergyOf(weighted, measures))
      missing = "the energy of mode '" + weighted.mode + "'";
  }
  for (const MotionCostFunction::FigureWeight& weighted : function.figure_weights) {
    if (weighted.weight != 0.0 && !FigureOf(weighted.figure, measures)) missing = weighted.figure;
  }
  for (const MotionCostFunction::Limit& limit : function.limits) {
    if (!MeasureNamed(limit.of) && !FigureOf(limit.of, measures)) missing = limit.of;
  }
  if (missing.empty()) {
    for (const Measure measure : function.Reads()) {
      if (measures[measure]) continue;
      missing = InfoOf(measure).name;
      break;
    }
  }
  return missing.empty() ? missing : missing + " is not defined";
}

// The quotients of [Faloutsos 1995, Table 5.1].
void ScoreQuotient(const MotionCostFunction& function, const MotionMeasures& measures,
                   MotionScore* score) {
  if (!IsPositive(Measure::kDistance, measures, function.penalty, score)) return;
  const double distance = *measures[Measure::kDistance];
  double cost = 1.0 / function.scale;
  if (function.form != Form::kInverseDistance) cost *= *measures[Measure::kEnergy];
  if (function.form == Form::kEnergyPerRootDistanceSpeed) {
    if (!IsPositive(Measure::kEndSpeed, measures, function.penalty, score)) return;
    cost /= std::sqrt(distance * *measures[Measure::kEndSpeed]);
  } else if (function.form == Form::kEnergyPerRootDistance) {
    cost /= std::sqrt(distance);
  } else {
    cost /= distance;
  }
  score->cost = cost;
}

// All terms in the order of TermsOf, NaN where one is not defined.
std::vector<double> TermValues(const MotionCostFunction& function, const MotionMeasures& measures) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> terms;
  for (const auto& value : measures.values) terms.push_back(value.value_or(kNone));
  for (const MotionCostFunction::ModeWeight& weighted : function.mode_weights)
    terms.push_back(EnergyOf(weighted, measures).value_or(kNone));
  for (const std::string& figure : function.Figures())
    terms.push_back(FigureOf(figure, measures).value_or(kNone));
  if (function.IsJump()) terms.push_back(LandingError(function, measures));
  return terms;
}

}  // namespace

std::vector<Measure> MotionCostFunction::Reads() const {
  std::vector<Measure> measures = ReadsOfForm(*this);
  for (const Limit& limit : limits) {
    const std::optional<Measure> measure = MeasureNamed(limit.of);
    if (measure && std::ranges::find(measures, *measure) == measures.end())
      measures.push_back(*measure);
  }
  return measures;
}

std::vector<std::string> MotionCostFunction::Figures() const {
  std::vector<std::string> figures;
  for (const FigureWeight& weighted : figure_weights) figures.push_back(weighted.figure);
  for (const Limit& limit : limits) {
    if (!MeasureNamed(limit.of) && std::ranges::find(figures, limit.of) == figures.end())
      figures.push_back(limit.of);
  }
  return figures;
}

std::vector<std::string> TermsOf(const MotionCostFunction& function) {
  std::vector<std::string> terms;
  for (const MeasureInfo& info : MeasureInfos()) terms.push_back(info.column);
  for (const MotionCostFunction::ModeWeight& weighted : function.mode_weights) {
    terms.push_back((weighted.net ? "net_energy_of." : "energy_of.") + weighted.mode + "_J");
  }
  for (const std::string& figure : function.Figures()) terms.push_back(figure);
  if (function.IsJump()) terms.push_back("landing_error_m");
  return terms;
}

MotionScore ScoreMotion(const MotionCostFunction& function, const MotionMeasures& measures) {
  MotionScore score;
  score.terms = TermValues(function, measures);
  score.failure = WhatIsMissing(function, measures);
  if (!score.failure.empty()) return score;
  if (function.form == Form::kWeightedSum) {
    score.cost = WeightedSum(function, measures);
  } else if (function.IsJump()) {
    ScoreJump(function, measures, &score);
  } else {
    ScoreQuotient(function, measures, &score);
  }
  ApplyLimits(function, measures, &score);
  return score;
}

}  // namespace pliant
