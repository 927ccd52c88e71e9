#include "experiments/bundles/plan_arrays.h"

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/bundles/hdf5.h"
#include "experiments/bundles/storage.h"

namespace pliant {
namespace {

using hdf5::Handle;

// A matrix with the unit and the meaning of its numbers; a vector has one column. With `rows` a list of matrices.
struct Array {
  std::string unit, meaning;
  hsize_t columns = 1;
  std::vector<double> values = {};  // row by row
  hsize_t rows = 0;                 // of each matrix of the list

  void Add(double value) { values.push_back(value); }
  template <typename Vector>
  void Add(const Vector& row) {
    values.insert(values.end(), row.data(), row.data() + row.size());
  }
};

class PlanArrays {
 public:
  explicit PlanArrays(const std::filesystem::path& path)
      : path_(path),
        file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose) {
    Check(file_.get(), "cannot create the file");
  }

  void Group(const char* name) {
    const Handle group(H5Gcreate2(file_.get(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Gclose);
    Check(group.get(), "cannot create a group");
  }

  // `labels`: what numbers stand for, a line each.
  void Write(const std::string& name, const Array& array, const std::string& labels = "") {
    std::vector<hsize_t> extent = {array.values.size() / array.columns};
    if (array.rows > 0) extent = {extent[0] / array.rows, array.rows};
    if (array.columns > 1) extent.push_back(array.columns);
    const Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                       H5Sclose);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation.get(), 0);
    const Handle dataset(H5Dcreate2(file_.get(), name.c_str(), H5T_IEEE_F64LE, space.get(),
                                    H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                         H5Dclose);
    Check(dataset.get(), "cannot create a dataset");
    if (!array.values.empty()) {
      Check(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                     array.values.data()),
            "cannot write");
    }
    SetText(dataset, "unit", array.unit);
    SetText(dataset, "meaning", array.meaning);
    if (!labels.empty()) SetText(dataset, "labels", labels);
  }

  void Close() { Check(file_.Close() ? 0 : -1, "cannot close the file"); }

 private:
  void SetText(const Handle& dataset, const char* name, const std::string& text) {
    Check(hdf5::SetText(dataset.get(), name, text), "cannot write an attribute");
  }
  void Check(hid_t result, const char* what) const {
    if (result < 0) throw StorageError(path_.string() + ": " + what + ": " + hdf5::Reason());
  }

  std::filesystem::path path_;
  Handle file_;
};

constexpr char kCoordinates[] = "m, m, rad, rad, rad, rad";
constexpr char kRates[] = "m/s, m/s, rad/s, rad/s, rad/s, rad/s";
constexpr char kOrder[] = " (x, y, base angle, base hinge, mid hinge, head hinge)";

void WriteNodes(const LampTrajectory& motion, PlanArrays* file) {
  Array time{"s", "of each node"}, phase{"1", "number of its phase, from 0"};
  Array q{kCoordinates, std::string("coordinates") + kOrder, 6};
  Array rates{kRates, "their rates", 6};
  for (size_t p = 0; p < motion.phases.size(); ++p) {
    const LampPhase& of = motion.phases[p];
    for (size_t i = 0; i < of.nodes.size(); ++i) {
      time.Add(of.start + static_cast<double>(i) * of.step());
      phase.Add(static_cast<double>(p));
      q.Add(of.nodes[i].q);
      rates.Add(of.nodes[i].v);
    }
  }
  file->Group("nodes");
  file->Write("nodes/time", time);
  file->Write("nodes/phase", phase);
  file->Write("nodes/q", q);
  file->Write("nodes/q_dot", rates);
}

void WriteSamples(const std::vector<LampJumpProgram::Sample>& samples, PlanArrays* file) {
  Array time{"s", "where the laws of motion are imposed"},
      phase{"1", "number of its phase, from 0"};
  Array span{"s", "time for which the sample stands in the cost"};
  Array q{kCoordinates, std::string("coordinates") + kOrder, 6};
  Array rates{kRates, "their rates", 6};
  Array accelerations{"m/s², m/s², rad/s², rad/s², rad/s², rad/s²", "their accelerations", 6};
  Array floor{"N, N, N m", "F_x, F_y and clockwise moment about the middle of the underside", 3};
  Array torques{"N m", "torques of the base hinge, the mid hinge and the head hinge", 3};
  for (const LampJumpProgram::Sample& sample : samples) {
    time.Add(sample.time);
    phase.Add(static_cast<double>(sample.phase));
    span.Add(sample.span);
    q.Add(sample.motion.q);
    rates.Add(sample.motion.v);
    accelerations.Add(sample.motion.acceleration);
    floor.Add(Eigen::Vector3d(sample.motion.force.head<3>()));
    torques.Add(Eigen::Vector3d(sample.motion.force.tail<3>()));
  }
  file->Group("samples");
  file->Write("samples/time", time);
  file->Write("samples/phase", phase);
  file->Write("samples/span", span);
  file->Write("samples/q", q);
  file->Write("samples/q_dot", rates);
  file->Write("samples/q_ddot", accelerations);
  file->Write("samples/floor", floor);
  file->Write("samples/torques", torques);
}

// The number of `text` among the labels so far, and a line of its own when it is new.
double LabelOf(const std::string& text, std::vector<std::string>* labels) {
  auto found = std::find(labels->begin(), labels->end(), text);
  if (found == labels->end()) found = labels->insert(labels->end(), text);
  return static_cast<double>(found - labels->begin());
}

void WriteConstraints(const std::vector<PlanRecord::Constraint>& constraints, PlanArrays* file) {
  Array kind{"1", "number of the kind of constraint: a line of labels, from 0"};
  Array time{"s", "when the constraint holds"};
  Array value{"see kind", "c of c = 0, g of g ≥ 0"};
  Array multiplier{"N² m² s by the unit of the value", "Lagrange multiplier: y of c, z of g"};
  Array scale{"1 by the unit of the value", "factor of the scaled violation"};
  std::vector<std::string> labels;
  for (const PlanRecord::Constraint& row : constraints) {
    const bool equality = row.kind == RowKind::kEquality;
    kind.Add(LabelOf((equality ? "= 0 [" : ">= 0 [") + row.unit + "] " + row.name, &labels));
    time.Add(row.time);
    value.Add(row.value);
    multiplier.Add(row.multiplier);
    scale.Add(row.scale);
  }
  file->Group("constraints");
  file->Write("constraints/kind", kind, hdf5::LinesOf(labels));
  file->Write("constraints/time", time);
  file->Write("constraints/value", value);
  file->Write("constraints/multiplier", multiplier);
  file->Write("constraints/scale", scale);
}

void WriteIterations(const std::vector<PlanRecord::Iteration>& iterations, PlanArrays* file) {
  Array mesh{"s", "step of the mesh"}, stage{"1", "number of the stage: a line of labels, from 0"};
  Array penalty{"1", "of the augmented Lagrangian, or the barrier parameter of an interior point"};
  Array inner{"1", "inner iterations, or steps tried"};
  Array cost{"N² m² s", "J after it"}, violation{"1", "largest scaled violation after it"};
  Array radius{"1",
               "trust region of the inner iterations at their end, or the share of the step taken"};
  std::vector<std::string> labels;
  for (const PlanRecord::Iteration& iteration : iterations) {
    mesh.Add(iteration.mesh_step);
    stage.Add(LabelOf(std::string(iteration.result.stage), &labels));
    penalty.Add(iteration.result.penalty);
    inner.Add(static_cast<double>(iteration.result.inner_iterations));
    cost.Add(iteration.result.cost);
    violation.Add(iteration.result.violation);
    radius.Add(iteration.result.radius);
  }
  file->Group("iterations");
  file->Write("iterations/mesh_step", mesh);
  file->Write("iterations/stage", stage, hdf5::LinesOf(labels));
  file->Write("iterations/penalty", penalty);
  file->Write("iterations/inner_iterations", inner);
  file->Write("iterations/cost", cost);
  file->Write("iterations/violation", violation);
  file->Write("iterations/radius", radius);
}

void WriteFeedback(const PlanRecord::Feedback& feedback, PlanArrays* file) {
  constexpr hsize_t kRows = articulated_lamp::kLampHinges,
                    kColumns = 2 * articulated_lamp::kLampDof;
  Array time{"s", "of each K, which is linear between the times of a phase"};
  Array phase{"1", "number of its phase, from 0"};
  Array gains{
      "N m by the unit of the deviation: m, m, rad, rad, rad, rad, m/s, m/s, rad/s, rad/s, "
      "rad/s, rad/s",
      "K: torques −K (δq; δq̇) of the base hinge, the mid hinge and the head hinge for "
      "deviations from the plan",
      kColumns,
      {},
      kRows};
  for (const PlanRecord::Feedback::Step& one : feedback.steps) {
    time.Add(one.time);
    phase.Add(static_cast<double>(one.phase));
    for (Eigen::Index i = 0; i < one.gains.rows(); ++i) {
      gains.Add(Eigen::VectorXd(one.gains.row(i)));
    }
  }
  file->Group("feedback");
  file->Write("feedback/weights", {"N² m², N² m² s², m",
                                   "of an angle, of a rate, and the length by which a position "
                                   "counts as an angle",
                                   1,
                                   {feedback.angle, feedback.rate, feedback.length}});
  file->Write("feedback/time", time);
  file->Write("feedback/phase", phase);
  file->Write("feedback/gains", gains);
}

}  // namespace

void WritePlanArrays(const std::filesystem::path& path, const PlanRecord& plan) {
  hdf5::Prepare();
  PlanArrays file(path);
  file.Write("cost", {"N² m² s", "J", 1, {plan.cost}});
  const OptimalityResiduals& residuals = plan.residuals;
  file.Write("residuals",
             {"1",
              "stationarity, complementarity and feasibility",
              1,
              {residuals.stationarity, residuals.complementarity, residuals.feasibility}});
  file.Write(
      "origin",
      {"m", "of the coordinates of the plan, in the world", 1, {plan.origin.x(), plan.origin.y()}});
  WriteNodes(plan.motion, &file);
  WriteSamples(plan.samples, &file);
  WriteConstraints(plan.constraints, &file);
  WriteIterations(plan.iterations, &file);
  if (plan.feedback) WriteFeedback(*plan.feedback, &file);
  file.Close();
}

}  // namespace pliant
