#include "experiments/bundles/exported_motion.h"

#include <cmath>
#include <limits>

#include "experiments/files/experiment.h"
#include "experiments/runs/series.h"
#include "models/contact/has_contact.h"
#include "models/elasticity/cell_stress.h"
#include "solvers/contact_forces.h"
#include "solvers/parallel/cancellation.h"
#include "solvers/simulation.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;

constexpr char kFiniteElements[] = "finite-elements";  // they solve the law of a material

bool HasHolds(const Scene& scene) {
  return !scene.nails.empty() || !scene.attachments.empty() || !scene.sliders.empty() ||
         !scene.combinations.empty() || !scene.behaviours.empty();
}

Matrix3Xd RestInWorld(const Scene& scene) {
  Matrix3Xd rest(3, scene.PointCount());
  int offset = 0;
  for (const Body& body : scene.bodies) {
    rest.middleCols(offset, body.size()) =
        (body.orientation.toRotationMatrix() * body.rest).colwise() + body.position;
    offset += body.size();
  }
  return rest;
}

std::optional<Matrix3Xd> ContactForcesOf(const Simulation& simulation) {
  const KnowsContactForces* knowing = simulation.AsKnowsContactForces();
  return knowing == nullptr ? std::nullopt : knowing->ContactForces();
}

// "levels/offsets.2" belongs to level 2: its number, or −1.
int LevelOf(const NamedArray& array) {
  const size_t point = array.name.rfind('.');
  if (array.group != "levels" || point == std::string::npos) return -1;
  return std::atoi(array.name.c_str() + point + 1);
}

// The points of each level, with its arrays that have a vector at each of them.
void AddLevels(const std::vector<NamedArray>& arrays, std::vector<ExportedElements>* elements) {
  for (const NamedArray& points : arrays) {
    const int level = LevelOf(points);
    if (level < 0 || !points.name.starts_with("points.")) continue;
    ExportedElements& of_level = elements->emplace_back();
    of_level.name = "level " + std::to_string(level);
    of_level.points = points.values.transpose();
    for (const NamedArray& array : arrays) {
      if (LevelOf(array) != level || array.name == points.name || array.values.cols() != 3 ||
          array.values.rows() != points.values.rows()) {
        continue;
      }
      const std::string stem = array.name.substr(0, array.name.rfind('.'));
      of_level.arrays.push_back(
          {stem + UnitSuffix(array.unit), array.unit, array.meaning, array.values.transpose()});
    }
  }
}

}  // namespace

ExportedMotion::ExportedMotion(const Bundle& bundle, bool again)
    : bundle_(bundle),
      scene_(*bundle.experiment().scene),
      rest_(RestInWorld(scene_)),
      has_stress_(bundle.experiment().backends[0].backend->info().name == kFiniteElements) {
  for (const Body& body : scene_.bodies) cells_.push_back(CellsOf(body));
  if (!again) return;
  simulation_ = std::move(TranslateFor(bundle.experiment(), 0).simulation);
  if (simulation_ == nullptr) return;
  simulation_->KeepConstraintForces();
  // Frames must have the same arrays, and forces of the last step are not known before there was one.
  simulation_->Restore(bundle_.State(0));
  simulation_->Advance(bundle_.experiment().backends[0].step);
  constraint_forces_ = HasHolds(scene_) && simulation_->ConstraintForces().has_value();
  contact_forces_ = HasContact(scene_) && ContactForcesOf(*simulation_).has_value();
  steps_again_ = constraint_forces_ || contact_forces_ || !simulation_->Arrays("levels").empty();
  if (!steps_again_ && simulation_->Pieces().empty()) simulation_ = nullptr;
}

ExportedMotion::~ExportedMotion() = default;

void ExportedMotion::GoTo(size_t frame) {
  const Eigen::VectorXd state = bundle_.State(frame);
  if (frame > 0 && steps_again_) {
    const double step = bundle_.experiment().backends[0].step;
    simulation_->Restore(bundle_.State(frame - 1));
    const auto steps = std::llround((bundle_.Time(frame) - simulation_->time()) / step);
    for (long long i = 0; i < steps; ++i) {
      ThrowIfCancelled();
      if (simulation_->Advance(step).kind == StepOutcome::Kind::kDiverged) break;
    }
    Observation reached;
    simulation_->Observe(&reached);
    if (simulation_->Save() == state && reached.points == bundle_.Points(frame)) return;
    ++elsewhere_;
  }
  simulation_->Restore(state);
}

ExportedFrame ExportedMotion::At(size_t number) {
  ExportedFrame frame;
  frame.time = bundle_.Time(number);
  frame.points = bundle_.Points(number);
  MatrixXd body(1, frame.points.cols());
  int offset = 0;
  for (size_t b = 0; b < scene_.bodies.size(); ++b) {
    body.middleCols(offset, scene_.bodies[b].size()).setConstant(static_cast<double>(b));
    offset += scene_.bodies[b].size();
  }
  frame.arrays.push_back({"body", "1", "number of the body", body});
  if (const std::optional<Matrix3Xd> velocities = bundle_.Velocities(number)) {
    frame.arrays.push_back({"velocity_m_s", "m/s", "velocity", *velocities});
  }
  AddShape(&frame);
  if (simulation_ != nullptr) {
    GoTo(number);
    AddForces(&frame);
    AddElements(&frame);
  }
  return frame;
}

void ExportedMotion::AddShape(ExportedFrame* frame) const {
  frame->arrays.push_back({"rest_m", "m", "the rest shape where the body starts", rest_});
  frame->arrays.push_back({"displacement_m", "m", "from the rest shape", frame->points - rest_});
  MatrixXd strain(6, frame->points.cols());
  int offset = 0;
  for (size_t b = 0; b < scene_.bodies.size(); ++b) {
    const Body& body = scene_.bodies[b];
    frame->strains.push_back(
        CellStrains(body, cells_[b], frame->points.middleCols(offset, body.size())));
    const bool has_stress = has_stress_ && elasticity::HasCellStress(body, cells_[b]);
    frame->stresses.push_back(
        has_stress ? elasticity::CellStresses(body, cells_[b],
                                              frame->points.middleCols(offset, body.size()))
                   : MatrixXd(6, 0));
    strain.middleCols(offset, body.size()) = PointStrains(body, cells_[b], frame->strains.back());
    offset += body.size();
  }
  frame->arrays.push_back(
      {"strain", "1", "Green's strain in the body frame: xx, yy, zz, xy, yz, xz", strain});
}

void ExportedMotion::AddForces(ExportedFrame* frame) const {
  const MatrixXd unknown =
      MatrixXd::Constant(3, frame->points.cols(), std::numeric_limits<double>::quiet_NaN());
  if (constraint_forces_) {
    const std::optional<Matrix3Xd> forces = simulation_->ConstraintForces();
    frame->arrays.push_back({"constraint_force_N", "N",
                             "of nails, attachments, sliders, combinations and behaviours",
                             forces ? MatrixXd(*forces) : unknown});
  }
  if (contact_forces_) {
    const std::optional<Matrix3Xd> forces = ContactForcesOf(*simulation_);
    frame->arrays.push_back({"contact_force_N", "N", "of obstacles and of other bodies",
                             forces ? MatrixXd(*forces) : unknown});
  }
}

void ExportedMotion::AddElements(ExportedFrame* frame) const {
  for (const MethodPieces& pieces : simulation_->Pieces()) {
    ExportedElements& elements = frame->elements.emplace_back();
    elements.name = pieces.name;
    elements.points = pieces.ends;
    for (int i = 0; i + 1 < static_cast<int>(pieces.ends.cols()); i += 2) {
      elements.lines.push_back({i, i + 1});
    }
  }
  AddLevels(simulation_->Arrays("levels"), &frame->elements);
}

}  // namespace pliant
