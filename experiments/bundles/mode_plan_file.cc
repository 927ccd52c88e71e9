#include "experiments/bundles/mode_plan_file.h"

#include <array>
#include <complex>

#include "experiments/bundles/plan_json.h"
#include "experiments/bundles/storage.h"
#include "solvers/spacetime/methods.h"

namespace pliant {
namespace {

constexpr int kModePlanFormat = 1;

Json PairOf(std::complex<double> number) {
  return {NumberToJson(number.real()), NumberToJson(number.imag())};
}

Json RowsOf(const Eigen::MatrixXd& matrix) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) rows.push_back(ListOf(matrix.row(i)));
  return rows;
}

Json JsonOf(const DeformableCharacter& character) {
  Json first = Json::array(), second = Json::array();
  for (Eigen::Index k = 0; k < character.first.size(); ++k) {
    first.push_back(PairOf(character.first[k]));
    Json row = Json::array();
    for (Eigen::Index l = 0; l < character.first.size(); ++l)
      row.push_back(PairOf(character.second(k, l)));
    second.push_back(row);
  }
  return {{"modes", character.modes},
          {"acts", character.acts},
          {"mass_kg", character.mass},
          {"first_moments_kg_m", first},
          {"second_moments_kg_m2", second},
          {"stiffness_J", RowsOf(character.stiffness)},
          {"damping_J_s", RowsOf(character.damping)},
          {"lower", ListOf(character.lower)},
          {"upper", ListOf(character.upper)},
          {"half_width_m", character.half_width},
          {"gravity_m_s2", character.gravity}};
}

Json JsonOf(const DeformableJumpProblem& problem) {
  return {{"character", JsonOf(problem.character)},
          {"friction", problem.friction},
          {"distance_m", problem.distance},
          {"start", ListOf(problem.start)},
          {"end", ListOf(problem.end)},
          {"durations_s", problem.duration},
          {"longest_durations_s", problem.longest},
          {"time_weight", problem.time_weight}};
}

Json JsonOf(const DeformableMotion::Phase& phase, const char* contact) {
  Json nodes = Json::array();
  for (int i = 0; i <= phase.intervals(); ++i) {
    nodes.push_back({{"time_s", phase.start + phase.duration * i / phase.intervals()},
                     {"q", ListOf(phase.q[i])},
                     {"q_dot", ListOf(phase.v[i])}});
  }
  return {{"contact", contact},
          {"start_s", phase.start},
          {"duration_s", phase.duration},
          {"nodes", nodes},
          {"samples", Json::array()}};
}

}  // namespace

void WriteModePlan(const std::filesystem::path& folder, const DeformablePlanRecord& record) {
  const DeformableJumpPlan& plan = record.plan;
  static constexpr std::array<const char*, DeformableJumpProblem::kPhases> contacts = {
      "stance", "flight", "stance"};
  Json phases = Json::array();
  for (size_t p = 0; p < plan.motion.phases.size(); ++p)
    phases.push_back(JsonOf(plan.motion.phases[p], contacts[p]));
  for (const PlacedDeformableSample& sample : SamplesOf(record.problem.character, plan.motion)) {
    phases[sample.phase]["samples"].push_back(
        {{"time_s", sample.time},
         {"span_s", sample.span},
         {"q", ListOf(sample.motion.q)},
         {"q_dot", ListOf(sample.motion.v)},
         {"q_ddot", ListOf(sample.motion.a)},
         {"floor", ListOf(sample.motion.force.head<3>())},
         {"forces", ListOf(sample.motion.force.tail(sample.motion.force.size() - 3))}});
  }
  const SpacetimeSummary& summary = plan.summary();
  const Json json = {{"format", kModePlanFormat},
                     {"problem", JsonOf(record.problem)},
                     {"method", WordOf(summary.method)},
                     {"mesh_step_s", plan.best().step},
                     {"origin_m", ListOf(record.origin)},
                     {"cost_N2_m2_s", NumberToJson(summary.final_cost)},
                     {"residuals", ResidualsToJson(summary.residuals)},
                     {"phases", phases},
                     {"constraints", ConstraintsToJson(plan.constraints)}};
  WriteFile(folder / kModePlanFile, json.dump(1) + "\n");
}

}  // namespace pliant
