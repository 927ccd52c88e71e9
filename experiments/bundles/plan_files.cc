#include "experiments/bundles/plan_files.h"

#include <string>
#include <utility>
#include <vector>

#include "experiments/bundles/csv.h"
#include "experiments/bundles/json_numbers.h"
#include "experiments/bundles/plan_arrays.h"
#include "experiments/bundles/plan_json.h"
#include "experiments/bundles/plan_poses.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/control_keys.h"
#include "experiments/files/writer.h"
#include "solvers/spacetime/methods.h"
#include "solvers/spacetime/transcription_words.h"

namespace pliant {
namespace {

constexpr int kPlanFormat = 1;  // of plan.json

Json LimitsOf(const articulated_lamp::AngleLimits& limits) {
  return {NumberToJson(limits.lower), NumberToJson(limits.upper)};
}

const char* WordOf(LampContact contact) {
  switch (contact) {
    case LampContact::kStance:
      return "stance";
    case LampContact::kSlide:
      return "slide";
    case LampContact::kFlight:
      return "flight";
  }
  return "";
}

std::string WordOf(LampTranscription transcription) {
  for (const auto& [word, named] : TranscriptionWords()) {
    if (named == transcription) return word;
  }
  return "";
}

Json JsonOf(const articulated_lamp::LampParameters& lamp) {
  Json links = Json::array();
  for (const articulated_lamp::LampLink& link : lamp.links) {
    links.push_back({{"mass_kg", link.mass},
                     {"length_m", link.length},
                     {"centre_m", link.centre},
                     {"inertia_kg_m2", link.inertia}});
  }
  Json hinges = Json::array();
  for (const articulated_lamp::AngleLimits& limits : lamp.hinge_limits) {
    hinges.push_back(LimitsOf(limits));
  }
  return {{"links", links},
          {"half_width_m", lamp.half_width},
          {"hinge_limits_rad", hinges},
          {"tilt_limits_rad", LimitsOf(lamp.tilt_limits)}};
}

Json JsonOf(const LampJumpProblem& problem) {
  Json rises = Json::array();
  for (const LampJumpProblem::Rise& rise : problem.rises) {
    rises.push_back({{"name", rise.name},
                     {"left_m", NumberToJson(rise.left)},
                     {"right_m", NumberToJson(rise.right)},
                     {"height_m", rise.height},
                     {"incline", rise.incline}});
  }
  Json in_run = nullptr;
  if (problem.in_run) {
    in_run = {{"slope_rad", problem.in_run->slope},
              {"length_m", problem.in_run->length},
              {"friction", problem.in_run->friction}};
  }
  Json beams = Json::array();
  for (const LampJumpProblem::Beam& beam : problem.beams) {
    beams.push_back({{"name", beam.name},
                     {"left_m", NumberToJson(beam.left)},
                     {"right_m", NumberToJson(beam.right)},
                     {"bottom_m", beam.bottom}});
  }
  Json stops = Json::array(), shortest = Json::array(), longest = Json::array();
  for (const LampJumpProblem::Stop& stop : problem.stops) {
    stops.push_back({{"distance_m", stop.distance},
                     {"height_m", stop.height},
                     {"friction", stop.friction.value_or(problem.friction)}});
  }
  for (const LampJumpProblem::Phase& phase : problem.Phases()) {
    shortest.push_back(phase.shortest);
    longest.push_back(phase.longest);
  }
  const bool soft = problem.landing == LampJumpProblem::Landing::kSoft;
  return {{"lamp", JsonOf(problem.lamp)},
          {"gravity_m_s2", problem.gravity},
          {"friction", problem.friction},
          {"landing_friction", problem.landing_friction.value_or(problem.friction)},
          {"start_pose_rad", ListOf(problem.start_pose)},
          {"end_pose_rad", ListOf(problem.end_pose)},
          {"distance_m", problem.distance},
          {"end_height_m", problem.end_height},
          {"floor_height_m", problem.floor_height},
          {"rises", rises},
          {"beams", beams},
          {"beam_clearance_m", problem.beam_clearance},
          {"in_run", in_run},
          {"stops", stops},
          {"loop", problem.loop},
          {"durations_s", shortest},
          {"longest_durations_s", longest},
          {"landing", soft ? "soft" : "plastic"},
          {"torque_limit_N_m", NumberToJson(problem.torque_limit)},
          {"torque_weight", problem.cost.torque},
          {"acceleration_weight", problem.cost.acceleration},
          {"work_weight", problem.cost.work},
          {"rounded_power_W", problem.cost.rounded_power},
          {"time_weight", problem.cost.time}};
}

Json NodesOf(const LampPhase& phase) {
  Json nodes = Json::array();
  for (size_t i = 0; i < phase.nodes.size(); ++i) {
    nodes.push_back({{"time_s", phase.start + static_cast<double>(i) * phase.step()},
                     {"q", ListOf(phase.nodes[i].q)},
                     {"q_dot", ListOf(phase.nodes[i].v)}});
  }
  return nodes;
}

Json SamplesOf(const std::vector<LampJumpProgram::Sample>& samples, int phase) {
  Json list = Json::array();
  for (const LampJumpProgram::Sample& sample : samples) {
    if (sample.phase != phase) continue;
    list.push_back({{"time_s", sample.time},
                    {"span_s", sample.span},
                    {"q", ListOf(sample.motion.q)},
                    {"q_dot", ListOf(sample.motion.v)},
                    {"q_ddot", ListOf(sample.motion.acceleration)},
                    {"floor", ListOf(sample.motion.force.head<3>())},
                    {"torques", ListOf(sample.motion.force.tail<3>())}});
  }
  return list;
}

Json JsonOf(const JumpStartResult& start) {
  return {{"ended", std::string(ToString(start.termination))},
          {"method", WordOf(start.method)},
          {"mesh_step_s", start.mesh_step},
          {"feasible", start.feasible},
          {"cost_N2_m2_s", NumberToJson(start.cost)},
          {"violation", NumberToJson(start.violation)},
          {"momentum_defect", NumberToJson(start.momentum_defect)}};
}

Json JsonOf(const PlanRecord& plan) {
  Json terms = Json::object();
  for (const SpacetimeSummary::CostTerm& term : plan.cost_terms) {
    terms[term.name] = NumberToJson(term.value);
  }
  Json phases = Json::array();
  for (size_t p = 0; p < plan.motion.phases.size(); ++p) {
    const LampPhase& phase = plan.motion.phases[p];
    phases.push_back({{"contact", WordOf(phase.contact)},
                      {"start_s", phase.start},
                      {"duration_s", phase.duration},
                      {"nodes", NodesOf(phase)},
                      {"samples", SamplesOf(plan.samples, static_cast<int>(p))}});
  }
  Json json = {{"format", kPlanFormat},
               {"problem", JsonOf(plan.problem)},
               {"transcription", WordOf(plan.transcription)},
               {"method", WordOf(plan.method)},
               {"mesh_step_s", plan.mesh_step},
               {"origin_m", ListOf(plan.origin)},
               {"cost_N2_m2_s", NumberToJson(plan.cost)},
               {"cost_terms_N2_m2_s", terms},
               {"residuals", ResidualsToJson(plan.residuals)},
               {"phases", phases},
               {"constraints", ConstraintsToJson(plan.constraints)}};
  if (plan.starts.size() > 1) {
    json["start"] = plan.start;
    for (const JumpStartResult& start : plan.starts) json["starts"].push_back(JsonOf(start));
  }
  return json;
}

using Row = std::vector<std::optional<double>>;

template <typename Vector>
void Append(const Vector& numbers, Row* row) {
  row->insert(row->end(), numbers.data(), numbers.data() + numbers.size());
}

const std::vector<std::string> kMotionColumns = {"time_s",
                                                 "phase",
                                                 "x_m",
                                                 "y_m",
                                                 "base_angle_rad",
                                                 "base_hinge_rad",
                                                 "mid_hinge_rad",
                                                 "head_hinge_rad",
                                                 "x_rate_m_s",
                                                 "y_rate_m_s",
                                                 "base_rate_rad_s",
                                                 "base_hinge_rate_rad_s",
                                                 "mid_hinge_rate_rad_s",
                                                 "head_hinge_rate_rad_s"};

void WriteNodes(const std::filesystem::path& path, const LampTrajectory& motion) {
  CsvWriter csv(path, kMotionColumns);
  for (size_t p = 0; p < motion.phases.size(); ++p) {
    const LampPhase& phase = motion.phases[p];
    for (size_t i = 0; i < phase.nodes.size(); ++i) {
      Row row = {phase.start + static_cast<double>(i) * phase.step(), static_cast<double>(p)};
      Append(phase.nodes[i].q, &row);
      Append(phase.nodes[i].v, &row);
      csv.Row(row);
    }
  }
  csv.Close();
}

void WriteSamples(const std::filesystem::path& path,
                  const std::vector<LampJumpProgram::Sample>& samples) {
  std::vector<std::string> columns = kMotionColumns;
  for (const char* more :
       {"x_acceleration_m_s2", "y_acceleration_m_s2", "base_acceleration_rad_s2",
        "base_hinge_acceleration_rad_s2", "mid_hinge_acceleration_rad_s2",
        "head_hinge_acceleration_rad_s2", "floor_x_N", "floor_y_N", "floor_moment_N_m",
        "torque_base_hinge_N_m", "torque_mid_hinge_N_m", "torque_head_hinge_N_m", "span_s"}) {
    columns.emplace_back(more);
  }
  CsvWriter csv(path, columns);
  for (const LampJumpProgram::Sample& sample : samples) {
    Row row = {sample.time, static_cast<double>(sample.phase)};
    Append(sample.motion.q, &row);
    Append(sample.motion.v, &row);
    Append(sample.motion.acceleration, &row);
    Append(sample.motion.force, &row);
    row.emplace_back(sample.span);
    csv.Row(row);
  }
  csv.Close();
}

void WriteIterations(const std::filesystem::path& path,
                     const std::vector<PlanRecord::Iteration>& iterations) {
  std::string text =
      "stage,mesh_step_s,penalty,inner_iterations,cost_N2_m2_s,violation,radius,wall_time_s\n";
  for (const PlanRecord::Iteration& iteration : iterations) {
    const SpacetimeIteration& result = iteration.result;
    text += CsvCell(std::string(result.stage)) + "," +
            CsvNumbers({iteration.mesh_step, result.penalty,
                        static_cast<double>(result.inner_iterations), result.cost, result.violation,
                        result.radius, result.seconds}) +
            "\n";
  }
  WriteFile(path, text);
}

}  // namespace

void WritePlan(const std::filesystem::path& folder, const PlanRecord& plan) {
  WriteFile(folder / kPlanFile, JsonOf(plan).dump(1) + "\n");
  WritePlanArrays(folder / kPlanArraysFile, plan);
  WriteNodes(folder / kPlanNodesFile, plan.motion);
  WriteSamples(folder / kPlanSamplesFile, plan.samples);
  WriteIterations(folder / kPlanIterationsFile, plan.iterations);
  if (plan.problem.loop) return;  // poses begin and end at rest
  WriteFile(folder / kPlanPosesFile,
            "# The plan as poses of one spline: with timed = true and interpolation = \"spline\" a "
            "start of "
            "searches.\n\n" +
                WriteToml(WriteControl(PosesOf(plan))));
}

}  // namespace pliant
