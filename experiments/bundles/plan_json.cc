#include "experiments/bundles/plan_json.h"

namespace pliant {

Json ConstraintsToJson(const std::vector<ConstraintRecord>& constraints) {
  Json kinds = Json::array();
  for (const ConstraintRecord& row : constraints) {
    Json* kind = nullptr;
    for (Json& one : kinds) {
      if (one["name"] == row.name) kind = &one;
    }
    if (kind == nullptr) {
      const bool equality = row.kind == RowKind::kEquality;
      kinds.push_back({{"name", row.name},
                       {"unit", row.unit},
                       {"kind", equality ? "= 0" : ">= 0"},
                       {"time_s", Json::array()},
                       {"value", Json::array()},
                       {"multiplier", Json::array()},
                       {"scale", Json::array()}});
      kind = &kinds.back();
    }
    (*kind)["time_s"].push_back(row.time);
    (*kind)["value"].push_back(NumberToJson(row.value));
    (*kind)["multiplier"].push_back(NumberToJson(row.multiplier));
    (*kind)["scale"].push_back(row.scale);
  }
  return kinds;
}

Json ResidualsToJson(const OptimalityResiduals& residuals) {
  return {{"stationarity", NumberToJson(residuals.stationarity)},
          {"complementarity", NumberToJson(residuals.complementarity)},
          {"feasibility", NumberToJson(residuals.feasibility)}};
}

}  // namespace pliant
