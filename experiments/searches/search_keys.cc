#include "experiments/searches/search_keys.h"

#include "models/scene/number_text.h"

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

EnumWords<MotionCostFunction::End> WordsOf(MotionCostFunction::End /*end*/) {
  using End = MotionCostFunction::End;
  return {{"centre", End::kCentre}, {"state", End::kState}};
}

void Bind(KeyBinder& b, Varied& varied) {
  b.Title("[[optimize.vary]]");
  b.Required("numbers", &varied.numbers, "1",
             "numbers of the backend's table: a dotted key, with * for every element of a list or "
             "table, such as control.pose.*.duration");
  b.Required("lower", &varied.lower, "", "lower bound of each");
  b.Required("upper", &varied.upper, "", "upper bound of each");
  if (!b.reads()) return;
  if (!(varied.lower < varied.upper)) {
    b.Fail("upper",
           "upper must be more than lower, but it is " + Digits(varied.upper) + " and lower is " +
               Digits(varied.lower),
           varied.lower > varied.upper ? "swap them" : "give an interval to search");
  }
  varied.place = b.PlaceOf("numbers");
}

void Bind(KeyBinder& b, CostWeights& keys) {
  b.Title("[optimize.cost.weights]");
  for (size_t i = 0; i < kMeasures; ++i) {
    const MeasureInfo& info = MeasureInfos()[i];
    b.Default(info.name, &keys.weights[i], info.unit == "1" ? "1" : "1/(" + info.unit + ")",
              "weight of: " + info.meaning);
  }
  b.Default("energy_of", &keys.energy_of, "1/(J)",
            "weights of the energy of single modes, by name: integral of |power|; a weight of 0 "
            "only records it");
  b.Default("net_energy_of", &keys.net_energy_of, "1/(J)",
            "weights of the net energy of single modes: integral of power; a weight of 0 only "
            "records it");
  b.Default(
      "probe", &keys.probe, "1/(unit of the figure)",
      "weights of figures of the probes of the experiment, by name, such as sag_max_m; a weight "
      "of 0 only records it");
}

void Bind(KeyBinder& b, MotionCostFunction::Limit& limit) {
  b.Title("[[optimize.cost.limit]]");
  b.Required("of", &limit.of, "1",
             "what has the limit: a measure, such as penetration (its names are the keys of "
             "[optimize.cost.weights]), or a figure of a probe, such as sag_max_m");
  b.Optional("least", &limit.least, "", "the least it may be, in its unit");
  b.Optional("most", &limit.most, "", "the most it may be, in its unit");
  if (!b.reads()) return;
  if (!limit.least && !limit.most) {
    b.Fail("of", "the limit of '" + limit.of + "' has no number",
           "add least = …, most = …, or both");
  }
  if (limit.least && limit.most && !(*limit.least <= *limit.most)) {
    b.Fail("least",
           "least = " + RoundTrip(*limit.least) + " is more than most = " + RoundTrip(*limit.most));
  }
}

void Bind(KeyBinder& b, MotionCostFunction& cost) {
  b.Title("[optimize.cost]");
  std::optional<CostWeights> weights;
  b.Required("function", &cost.form, "1", "cost function to minimise");
  b.Default("scale", &cost.scale, "1", "divides the cost; not for a weighted sum or a jump");
  b.Default("penalty", &cost.penalty, "1",
            "cost of a motion whose distance (or final speed, if the function uses it) is not "
            "positive; for a jump: cost per metre of error; of a [[optimize.cost.limit]]: cost per "
            "unit beyond it");
  b.Default("goal", &cost.goal, "m", "for a jump: distance along x at which it must end at rest");
  b.Default("tolerance", &cost.tolerance, "m", "for a jump: tolerated error");
  b.Optional("short_by", &cost.short_by, "m",
             "for a jump: how far it may end short of its goal; default: the tolerance");
  b.Default("end", &cost.end, "1",
            "for a jump: what must be as it began and at rest: the centre of mass, or the state, "
            "that is every point");
  b.Default(
      "acceleration_weight", &cost.acceleration_weight, "N2 m2 s4",
      "for a jump: ε of the integral of κ Σ τ² + ε Σ φ̈² + π P, P the sum of the powers of the "
      "hinges, all counted as positive");
  b.Default("torque_weight", &cost.torque_weight, "1", "for a jump: κ of that integral");
  b.Default("work_weight", &cost.work_weight, "N m s",
            "for a jump: π of that integral, not rounded");
  b.Optional("weights", &weights, "", "weights of a weighted sum");
  b.Optional("limit", &cost.limits, "",
             "what a motion must keep, whatever the function: [[optimize.cost.limit]]");
  if (!weights) return;
  cost.weights = weights->weights;
  for (const auto& [mode, weight] : weights->energy_of) {
    cost.mode_weights.push_back({mode, false, weight});
  }
  for (const auto& [mode, weight] : weights->net_energy_of) {
    cost.mode_weights.push_back({mode, true, weight});
  }
  for (const auto& [figure, weight] : weights->probe)
    cost.figure_weights.push_back({figure, weight});
}

void Bind(KeyBinder& b, SearchKeys& keys) {
  b.Title("[optimize]");
  b.Optional("backend", &keys.backend, "1",
             "label of the backend to search; may be omitted if there is only one");
  b.Optional("body", &keys.body, "1", "the body whose motion is measured; default: the first");
  b.Required("trials", &keys.trials, "1",
             "number of runs of each search, including the initial one");
  b.Optional("seconds", &keys.seconds, "s",
             "CPU time that each search may also take: no trial begins later");
  b.Default("restarts", &keys.restarts, "1",
            "number of searches by each method, with seeds run.seed, run.seed + 1, …");
  b.Required("cost", &keys.cost, "", "the cost of a motion");
  b.Required("vary", &keys.vary, "", "the numbers to vary: [[optimize.vary]]");
  b.Optional("against", &keys.against, "1",
             "labels of backends that run unchanged and are evaluated with the same cost");
  b.Optional("methods", &keys.methods, "",
             "the search methods: [optimize.methods.LABEL]; default: annealing");
}

void Bind(KeyBinder& b, MethodKeys& keys) {
  b.Title("[optimize.methods.LABEL]");
  b.Optional("method", &keys.method, "1", "name of the method, if it differs from the label");
}

}  // namespace pliant
