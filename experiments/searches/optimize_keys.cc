#include "experiments/searches/optimize_keys.h"

namespace pliant {

EnumWords<MotionCostFunction::Form> WordsOf(MotionCostFunction::Form /*form*/) {
  using Form = MotionCostFunction::Form;
  return {{"1/distance", Form::kInverseDistance},
          {"energy/distance", Form::kEnergyPerDistance},
          {"energy/sqrt(distance*speed)", Form::kEnergyPerRootDistanceSpeed},
          {"energy/sqrt(distance)", Form::kEnergyPerRootDistance},
          {"weighted-sum", Form::kWeightedSum},
          {"jump", Form::kJump},
          {"energy-jump", Form::kEnergyJump}};
}

void VaryKeys::Bind(KeyBinder& b) {
  b.Required("numbers", &numbers, "1",
             "which numbers of the backend's table: a dotted key, with * for every element of a "
             "list or table, such as control.pose.*.duration");
  b.Required("lower", &lower, "", "least value of each");
  b.Required("upper", &upper, "", "largest value of each");
}

void WeightKeys::Bind(KeyBinder& b) {
  for (size_t i = 0; i < kMeasures; ++i) {
    const MeasureInfo& info = MeasureInfos()[i];
    b.Default(info.name, &weights[i], info.unit == "1" ? "1" : "1/(" + info.unit + ")",
              "weight of: " + info.meaning);
  }
  b.Default(
      "energy_of", &energy_of, "1/(J)",
      "weights of the energy of single modes, by name: integral of |power|; 0 only records it");
  b.Default("net_energy_of", &net_energy_of, "1/(J)",
            "weights of the net energy of single modes: integral of power; 0 only records it");
}

void CostKeys::Bind(KeyBinder& b) {
  b.Required("function", &function.form, "1", "what is to be made small");
  b.Default("scale", &function.scale, "1", "divides the cost, but for a weighted sum and a jump");
  b.Default("penalty", &function.penalty, "1",
            "cost of a motion whose distance, or end speed where it counts, is not positive; of a "
            "jump: of each metre that is missing; not for a weighted sum");
  b.Default("goal", &function.goal, "m", "of a jump: how far along x it shall end, at rest");
  b.Default("tolerance", &function.tolerance, "m", "of a jump: what may be missing");
  b.Default("acceleration_weight", &function.acceleration_weight, "1",
            "of a jump: ε of the integral of Σ τ² + ε Σ φ̈²");
  b.Optional("weights", &weights, "", "of a weighted sum");
}

void OptimizeKeys::Bind(KeyBinder& b) {
  b.Optional("backend", &backend, "1",
             "label of the backend that is searched; may be left out "
             "where there is one");
  b.Optional("body", &body, "1", "the body whose motion is measured; else the first");
  b.Required("trials", &trials, "1", "runs of each search, the start included");
  b.Optional("seconds", &seconds, "s",
             "of computing that each search may take as well: no trial begins later");
  b.Default("restarts", &restarts, "1",
            "searches by each method, from seeds run.seed, run.seed + 1, …");
  b.Required("cost", &cost, "", "what a motion costs");
  b.Required("vary", &vary, "", "the numbers that are searched: [[optimize.vary]]");
  b.Optional("against", &against, "1",
             "labels of backends that are run as they are and judged by the same cost");
  b.Optional("methods", &methods, "", "what searches: [optimize.methods.LABEL]; else annealing");
}

void MethodKeys::Bind(KeyBinder& b) {
  b.Optional("method", &method, "1", "name of the method when the label is not it");
}

}  // namespace pliant
