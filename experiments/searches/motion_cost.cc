#include "experiments/searches/motion_cost.h"

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

std::optional<double> FigureOf(const MotionCostFunction::FigureWeight& weighted,
                               const MotionMeasures& measures) {
  const auto found = measures.figures.find(weighted.figure);
  return found == measures.figures.end() ? std::nullopt : found->second;
}

double WeightedSum(const MotionCostFunction& function, const MotionMeasures& measures) {
  double sum = 0.0;
  for (const MotionCostFunction::FigureWeight& weighted : function.figure_weights) {
    if (weighted.weight != 0.0) sum += weighted.weight * *FigureOf(weighted, measures);
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
  score->cost = function.form == Form::kEnergyJump
                    ? *measures[Measure::kEnergy]
                    : *measures[Measure::kTorqueEffort] +
                          function.acceleration_weight * *measures[Measure::kHingeEffort];
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
  }
  return measures;
}

}  // namespace

std::vector<Measure> MotionCostFunction::Reads() const {
  switch (form) {
    case Form::kInverseDistance:
      return {Measure::kDistance};
    case Form::kEnergyPerDistance:
    case Form::kEnergyPerRootDistance:
      return {Measure::kEnergy, Measure::kDistance};
    case Form::kEnergyPerRootDistanceSpeed:
      return {Measure::kEnergy, Measure::kDistance, Measure::kEndSpeed};
    case Form::kJump:
    case Form::kEnergyJump:
      return ReadsOfJump(*this);
    case Form::kWeightedSum:
      break;
  }
  std::vector<Measure> measures;
  for (size_t i = 0; i < kMeasures; ++i) {
    if (weights[i] != 0.0) measures.push_back(static_cast<Measure>(i));
  }
  return measures;
}

std::vector<std::string> TermsOf(const MotionCostFunction& function) {
  std::vector<std::string> terms;
  for (const MeasureInfo& info : MeasureInfos()) terms.push_back(info.column);
  for (const MotionCostFunction::ModeWeight& weighted : function.mode_weights) {
    terms.push_back((weighted.net ? "net_energy_of." : "energy_of.") + weighted.mode + "_J");
  }
  for (const auto& weighted : function.figure_weights) terms.push_back(weighted.figure);
  if (function.IsJump()) terms.push_back("landing_error_m");
  return terms;
}

MotionScore ScoreMotion(const MotionCostFunction& function, const MotionMeasures& measures) {
  MotionScore score;
  for (const auto& value : measures.values) {
    score.terms.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  for (const MotionCostFunction::ModeWeight& weighted : function.mode_weights) {
    const std::optional<double> energy = EnergyOf(weighted, measures);
    score.terms.push_back(energy.value_or(std::numeric_limits<double>::quiet_NaN()));
    if (energy || weighted.weight == 0.0) continue;  // without weight it is only recorded
    score.failure = "the energy of mode '" + weighted.mode + "' is not defined";
  }
  for (const MotionCostFunction::FigureWeight& weighted : function.figure_weights) {
    const std::optional<double> figure = FigureOf(weighted, measures);
    score.terms.push_back(figure.value_or(std::numeric_limits<double>::quiet_NaN()));
    if (!figure && weighted.weight != 0.0) score.failure = weighted.figure + " is not defined";
  }
  if (function.IsJump()) score.terms.push_back(LandingError(function, measures));
  if (!score.failure.empty()) return score;
  for (const Measure measure : function.Reads()) {
    if (measures[measure]) continue;
    score.failure = InfoOf(measure).name + " is not defined";
    return score;
  }
  if (function.form == Form::kWeightedSum) {
    score.cost = WeightedSum(function, measures);
    return score;
  }
  if (function.IsJump()) {
    ScoreJump(function, measures, &score);
    return score;
  }
  if (!IsPositive(Measure::kDistance, measures, function.penalty, &score)) return score;
  const double distance = *measures[Measure::kDistance];
  double cost = 1.0 / function.scale;
  if (function.form != Form::kInverseDistance) cost *= *measures[Measure::kEnergy];
  if (function.form == Form::kEnergyPerRootDistanceSpeed) {
    if (!IsPositive(Measure::kEndSpeed, measures, function.penalty, &score)) return score;
    cost /= std::sqrt(distance * *measures[Measure::kEndSpeed]);
  } else if (function.form == Form::kEnergyPerRootDistance) {
    cost /= std::sqrt(distance);
  } else {
    cost /= distance;
  }
  score.cost = cost;
  return score;
}

}  // namespace pliant
