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
             "numbers of the backend's table: a dotted key, with * for every element of a list or "
             "table, such as control.pose.*.duration");
  b.Required("lower", &lower, "", "lower bound of each");
  b.Required("upper", &upper, "", "upper bound of each");
}

void WeightKeys::Bind(KeyBinder& b) {
  for (size_t i = 0; i < kMeasures; ++i) {
    const MeasureInfo& info = MeasureInfos()[i];
    b.Default(info.name, &weights[i], info.unit == "1" ? "1" : "1/(" + info.unit + ")",
              "weight of: " + info.meaning);
  }
  b.Default("energy_of", &energy_of, "1/(J)",
            "weights of the energy of single modes, by name: integral of |power|; a weight of 0 "
            "only records it");
  b.Default("net_energy_of", &net_energy_of, "1/(J)",
            "weights of the net energy of single modes: integral of power; a weight of 0 only "
            "records it");
}

void CostKeys::Bind(KeyBinder& b) {
  b.Required("function", &function.form, "1", "cost function to minimise");
  b.Default("scale", &function.scale, "1", "divides the cost; not for a weighted sum or a jump");
  b.Default("penalty", &function.penalty, "1",
            "cost of a motion whose distance (or final speed, if the function uses it) is not "
            "positive; for a jump: cost per metre of error; not for a weighted sum");
  b.Default("goal", &function.goal, "m",
            "for a jump: distance along x at which it must end at rest");
  b.Default("tolerance", &function.tolerance, "m", "for a jump: tolerated error");
  b.Default("acceleration_weight", &function.acceleration_weight, "1",
            "for a jump: ε of the integral of Σ τ² + ε Σ φ̈²");
  b.Optional("weights", &weights, "", "weights of a weighted sum");
}

void OptimizeKeys::Bind(KeyBinder& b) {
  b.Optional("backend", &backend, "1",
             "label of the backend to search; may be omitted if there is only one");
  b.Optional("body", &body, "1", "the body whose motion is measured; default: the first");
  b.Required("trials", &trials, "1", "number of runs of each search, including the initial one");
  b.Optional("seconds", &seconds, "s",
             "CPU time that each search may also take: no trial begins later");
  b.Default("restarts", &restarts, "1",
            "number of searches by each method, with seeds run.seed, run.seed + 1, …");
  b.Required("cost", &cost, "", "the cost of a motion");
  b.Required("vary", &vary, "", "the numbers to vary: [[optimize.vary]]");
  b.Optional("against", &against, "1",
             "labels of backends that run unchanged and are evaluated with the same cost");
  b.Optional("methods", &methods, "",
             "the search methods: [optimize.methods.LABEL]; default: annealing");
}

void MethodKeys::Bind(KeyBinder& b) {
  b.Optional("method", &method, "1", "name of the method, if it differs from the label");
}

}  // namespace pliant
