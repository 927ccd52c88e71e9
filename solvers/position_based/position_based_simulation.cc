#include "solvers/position_based/position_based_simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/scene/forces.h"
#include "models/scene/metrics.h"
#include "models/scene/number_text.h"
#include "solvers/holds/held_points.h"
#include "solvers/projection/scene_edges.h"
#include "solvers/projection/solver_grids.h"

namespace pliant::position_based {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr int kMostAssemblySweeps = 2000;
// Beyond these a run has diverged.
constexpr double kFarthestPoint = 1e6;  // m
constexpr double kFastestPoint = 1e6;   // m/s

Eigen::Map<const Eigen::VectorXd> AsVector(const Matrix3Xd& m) { return {m.data(), m.size()}; }

// The bodies of a scene that are grids and bend.
std::vector<GridPatch> GridPatches(const Scene& scene, const std::vector<bool>& rigid) {
  std::vector<GridPatch> patches;
  for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
    const Body& body = scene.bodies[b];
    if (rigid[b]) continue;
    if (body.shape != ShapeKind::kChain && body.shape != ShapeKind::kSheet) continue;
    const GridSize grid{body.grid[0], body.grid[1]};
    const int edges = grid.nv * (grid.nu - 1) + grid.nu * (grid.nv - 1);
    if (static_cast<int>(body.edges.size()) == edges) patches.push_back({scene.Offset(b), grid});
  }
  return patches;
}

DistanceSolver MakeSolver(const Scene& scene, const PositionBasedOptions& options) {
  const std::vector<bool> rigid = RigidBodiesOf(scene, options.rigid_bodies);
  const std::vector<Edge> edges = SceneEdges(scene, rigid);
  return {
      edges,
      EdgeLengths(edges, UnstretchedPoints(scene)),
      scene.Masses(),
      GridPatches(scene, rigid),
      {options.order, options.relaxation, options.compliance, std::isfinite(options.break_force)}};
}

}  // namespace

PositionBasedSimulation::PositionBasedSimulation(std::shared_ptr<const Scene> scene,
                                                 const PositionBasedOptions& options)
    : Simulation(scene),
      options_(options),
      masses_(scene->Masses()),
      contact_finder_(scene, options.bounce, options.obstacle_contact,
                      RigidBodiesOf(*scene, options.rigid_bodies)),
      tolerance_(GapTolerance(*scene, options.tolerance)),
      tensions_(options, masses_.maxCoeff(),
                std::isfinite(options.break_force) ? EdgesAcross(*scene) : 0),
      solver_(MakeSolver(*scene, options)),
      holds_(HoldsOf(*scene)),
      nails_(this->scene()),
      guides_(*scene),
      surfaces_(*scene, options.surfaces(), RigidBodiesOf(*scene, options.rigid_bodies),
                UnstretchedPoints(*scene), tolerance_),
      points_(UnstretchedPoints(*scene)),
      velocities_(scene->InitialVelocities()),
      rigid_(*scene, options.pieces(), points_),
      ledger_(*scene),
      loads_(scene, options.shape_stiffness, !rigid_.empty()) {
  if (std::isfinite(options.break_force)) broken_.assign(solver_.strips().edges(), 0);
  if (options.solver_levels > 1) {
    coarse_.emplace(SolverGrids(*scene, options.solver_levels), options.solver_levels, points_,
                    masses_, nails_.Points(0.0));
  }
  if (coarse_) coarse_impulses_.setZero(3, points_.cols());
  nail_impulses_.setZero(3, static_cast<Eigen::Index>(scene->nails.size()));
  if (!scene->obstacles.empty() || !guides_.empty() || !scene->attachments.empty() ||
      !rigid_.empty() || surfaces_.act()) {
    before_ = velocities_;
  }
  std::erase_if(holds_, [this](const Hold& h) { return h.nail() && !rigid_.Has(h.point); });
  Assemble();
}

// A point may have several nails, at different times.
void PositionBasedSimulation::SwitchHolds(double end) {
  for (const bool on : {false, true}) {
    for (size_t i = 0; i < scene().nails.size(); ++i) {
      const int point = scene().Index(scene().nails[i].point);
      if (rigid_.Has(point) || nails_.Acts(static_cast<int>(i), end) != on) continue;
      if (on) {
        solver_.Hold(point);
      } else {
        solver_.Release(point, masses_[point]);
      }
    }
  }
  for (Hold& hold : holds_) {
    hold.on = nails_.Acts(hold, end);
    // Between two nails nothing can move.
    if (!hold.nail() && solver_.IsHeld(hold.point) && solver_.IsHeld(hold.to)) hold.on = false;
  }
  if (coarse_) {
    coarse_->HoldNailed(
        end, [this]() -> const Eigen::VectorXd& { return masses_; }, &nails_);
  }
}

// [Palazzi 1993, Sec. 3.4].
void PositionBasedSimulation::Assemble() {
  solver_.Load(points_);
  SwitchHolds(time());
  PlaceNailedPoints(time());
  solver_.Begin(std::numeric_limits<double>::infinity());  // as if without compliance
  guides_.Begin();
  WorstMisfit worst = FindWorst(time());
  for (int i = 0; i < kMostAssemblySweeps && worst.size > tolerance_; ++i) {
    Sweep(i, time());
    worst = FindWorst(time());
  }
  assembly_gap_ = worst.size;
  solver_.Store(points_);
  rigid_.Points(points_);
  rigid_.PointVelocities(velocities_);
  elastic_energy_ = solver_.ElasticEnergy();
}

StepOutcome PositionBasedSimulation::DoAdvance(double step) {
  const double hidden = rigid_.HiddenEnergy(masses_);
  nails_.Begin(time(), StepEnd(), points_, velocities_);
  SwitchHolds(StepEnd());
  ApplyForces(step);                        // 1
  Dynamics(step);                           // 2
  const StepOutcome outcome = Solve(step);  // 3
  StepBalance balance(scene(), options_.velocity_update, step);
  UpdateVelocities(step, &balance);  // 4
  balance.AddInner(hidden - rigid_.HiddenEnergy(masses_) + rigid_.WorkOfTurnedArms() / step);
  if (!broken_.empty()) Tear(step);
  Account(step, &balance);
  last_step_ = step;
  static const std::string positions = "positions of points", speeds = "velocities of points";
  const StepOutcome far = CheckBounded(AsVector(points_), kFarthestPoint, positions);
  if (far.kind == StepOutcome::Kind::kDiverged) return far;
  const StepOutcome fast = CheckBounded(AsVector(velocities_), kFastestPoint, speeds);
  if (fast.kind == StepOutcome::Kind::kDiverged) return fast;
  return outcome;
}

void PositionBasedSimulation::ApplyForces(double step) {
  loads_.Find(time(), StepEnd(), step, points_, velocities_);
  if (!rigid_.empty()) {
    rigid_.SetForces(loads_.Forces(), scene().gravity);
    rigid_.PointAccelerations(loads_.accelerations());
  }
  if (viewer_) Show("forces", points_, "N", loads_.Forces());
}

Vector3d PositionBasedSimulation::FreePoint(int point, const Vector3d& velocity,
                                            const Vector3d& acceleration, double step) const {
  const double lag = options_.velocity_update == VelocityUpdate::kEulerCromer ? 0.0 : 0.5;
  return points_.col(point) + step * velocity - (lag * step * step) * acceleration;
}

Vector3d PositionBasedSimulation::PresentPoint(int point) const {
  return rigid_.Has(point) ? rigid_.Point({1, {point}, {1.0}}) : solver_.At(point);
}

void PositionBasedSimulation::Dynamics(double step) {
  if (before_.size() > 0) before_ = velocities_;
  rigid_.Dynamics(step);
  FindContacts(step);
  if (surfaces_.act()) {
    surfaces_.Begin({points_, velocities_, [this](int p) { return loads_.Acceleration(p); }}, step,
                    StepEnd());
  }
  loads_.ForEachAcceleration([&](int p, const Vector3d& a) { velocities_.col(p) += step * a; });
  loads_.ForEachAcceleration([&](int p, const Vector3d& a) {
    solver_.SetPoint(p, FreePoint(p, velocities_.col(p), a, step));
  });
  if (viewer_) Show("free motion", PresentPoints());
}

void PositionBasedSimulation::FindContacts(double step) {
  contacts_.clear();
  if (scene().obstacles.empty()) return;
  free_.resize(3, points_.cols());
  loads_.ForEachAcceleration([&](int p, const Vector3d& a) {
    free_.col(p) = FreePoint(p, velocities_.col(p) + step * a, a, step);
  });
  rigid_.Points(free_);
  const double farthest = (free_ - points_).colwise().norm().maxCoeff();
  const PointsInMotion start{points_, velocities_,
                             [this](int p) { return loads_.Acceleration(p); }};
  contact_finder_.Find(time(), step, start, free_, kContactMargin * farthest, &contacts_);
  contact_finder_.FindPlaces(time(), step, start, free_, kContactMargin * farthest, &contacts_);
  std::erase_if(contacts_, [this](const Contact& c) {
    return std::all_of(c.at.point.begin(), c.at.point.begin() + c.at.count,
                       [this](int p) { return solver_.IsHeld(p); });
  });
}

bool PositionBasedSimulation::FindSurfaceContacts() {
  if (!surfaces_.act()) return false;
  free_.resize(3, points_.cols());
  solver_.Store(free_);
  rigid_.Points(free_);
  return surfaces_.Find(free_) > 0;
}

StepOutcome PositionBasedSimulation::Solve(double step) {
  for (Hold& hold : holds_) hold.impulse.setZero();
  PlaceNailedPoints(StepEnd());
  solver_.Begin(step);
  coarse_impulses_.setZero();
  for (Contact& contact : contacts_) {
    contact.where = contact.at;
    contact.goal = contact.way;
    for (int i = 0; i < contact.at.count; ++i) {
      contact.goal += contact.at.weight[i] * PresentPoint(contact.at.point[i]);
    }
  }
  FindSurfaceContacts();

  guides_.Begin();
  WorstMisfit worst = FindWorst(StepEnd());
  const double first = worst.size;
  int sweeps = 0;
  tensions_.Begin(step, first);
  // The tolerance is a length, and asks for no complementarity: contacts of rigid pieces have an accuracy of their own.
  const auto unresolved = [&] {
    return FirstUnresolved(corrections(), PieceMover(solver_, rigid_));
  };
  const auto is_done = [&] {
    return (worst.size == 0.0 ||
            (worst.size <= tolerance_ && sweeps >= options_.min_sweeps && tensions_.resolved())) &&
           !unresolved();
  };
  while (sweeps < options_.max_sweeps && !is_done()) {
    worst.size = Sweep(sweeps, StepEnd());
    tensions_.Swept(worst.size);
    ++sweeps;
    if (viewer_) ShowSweep(sweeps, worst.size);
    // The misfits met during a sweep show when it is worth measuring the state it leaves.
    if (worst.size <= tolerance_ || sweeps == options_.max_sweeps) worst = FindWorst(StepEnd());
    if (worst.size <= tolerance_ && FindSurfaceContacts()) worst = FindWorst(StepEnd());
  }
  ledger_.CountSweeps(sweeps, first, worst.size);
  FindNailImpulses();
  using Kind = StepOutcome::Kind;
  if (!(worst.size <= tolerance_)) return {Kind::kNotConverged, Describe(worst)};
  if (!tensions_.resolved()) return {Kind::kNotConverged, TensionResolution::kQuantity};
  const auto left = sweeps == options_.max_sweeps ? unresolved() : std::nullopt;
  if (left) return {Kind::kNotConverged, Describe(*left)};
  return {};
}

double PositionBasedSimulation::Sweep(int number, double time) {
  if (coarse_) {
    coarse_->Sweep([this](int p) { return solver_.At(p); },
                   [this](int p, const Vector3d& by) {
                     solver_.SetPoint(p, solver_.At(p) + by);
                     coarse_impulses_.col(p) += masses_[p] * by;
                   },
                   [this](int p, const Vector3d& impulse) {
                     LeaveToOthers(p, impulse);
                     coarse_impulses_.col(p) += impulse;
                   });
  }
  PieceMover mover(solver_, rigid_);
  for (Hold& hold : holds_) Relax(mover, &hold);
  guides_.Relax(time, &mover);
  const double met = solver_.Sweep(number);
  for (Contact& contact : contacts_) Relax(mover, &contact);
  surfaces_.Relax(&mover);
  return met;
}

void PositionBasedSimulation::PlaceNailedPoints(double time) {
  nail_impulses_.setZero();
  held_.clear();
  for (size_t i = 0; i < scene().nails.size(); ++i) {
    const int point = scene().Index(scene().nails[i].point), nail = static_cast<int>(i);
    if (rigid_.Has(point) || !nails_.Acts(nail, time)) continue;
    const Vector3d place = nails_.Place(nail, time);
    nail_impulses_.col(nail) = masses_[point] * (place - solver_.At(point));
    held_.push_back({point, nail});
    solver_.SetPoint(point, place);
  }
  for (Hold& hold : holds_) {
    if (hold.nail()) hold.goal = nails_.Place(hold.index, time);
  }
  std::sort(held_.begin(), held_.end());
}

void PositionBasedSimulation::LeaveToOthers(int point, const Vector3d& impulse) {
  const auto found = std::lower_bound(held_.begin(), held_.end(), std::array{point, 0});
  if (found != held_.end() && (*found)[0] == point) nail_impulses_.col((*found)[1]) -= impulse;
}

void PositionBasedSimulation::FindNailImpulses() {
  if (held_.empty()) return;
  const auto without = [this](int p, const Vector3d& impulse) { LeaveToOthers(p, impulse); };
  solver_.ForEachGivenToHeld(without);
  for (const Hold& hold : holds_) {
    if (!hold.on || hold.nail()) continue;
    without(hold.point, hold.impulse);
    without(hold.to, -hold.impulse);
  }
  guides_.ForEachSlid([&](int p, const Vector3d& by, const Slider&) { without(p, by); });
  guides_.ForEachLimited(without);
  if (!surfaces_.act()) return;
  for (const auto& [point, nail] : held_)
    nail_impulses_.col(nail) -= surfaces_.impulses().col(point);
}

WorstMisfit PositionBasedSimulation::FindWorst(double time) {
  const DistanceSolver::Misfit misfit = solver_.LargestMisfit();
  return WorstOf({WorstMisfit::Kind::kBody, misfit.edge, misfit.size}, corrections(), time,
                 PieceMover(solver_, rigid_));
}

Matrix3Xd PositionBasedSimulation::PresentPoints() const {
  Matrix3Xd points(3, points_.cols());
  solver_.Store(points);
  rigid_.Points(points);
  return points;
}

void PositionBasedSimulation::Show(const std::string& phase, const Matrix3Xd& points,
                                   const std::string& unit, const Matrix3Xd& vectors) const {
  StepPicture picture;
  picture.phase = phase;
  picture.points = points;
  picture.unit = unit;
  if (!unit.empty()) {
    picture.origins = points;
    picture.vectors = vectors;
  }
  viewer_(picture);
}

void PositionBasedSimulation::ShowSweep(int sweeps, double gap) const {
  if (!IsShownSweep(sweeps)) return;
  Show("sweep " + std::to_string(sweeps) + ": lengths off by " + Digits(gap, 2) + " m",
       PresentPoints());
}

void PositionBasedSimulation::Tear(double step) {
  const std::vector<int> torn = solver_.EdgesBeyond(options_.break_force * step * step);
  torn_energy_ = 0.0;
  if (torn.empty()) return;
  torn_energy_ = solver_.ElasticEnergy();
  for (const int edge : torn) {
    broken_[edge] = 1;
    solver_.Break(edge);
  }
  torn_energy_ -= solver_.ElasticEnergy();
  RemoveTornFaces();
  const auto [a, b] = solver_.strips().Ends(torn[0]);
  Happened(StepEnd(), NameOfBreak(scene(), torn.size(), a, b));
}

void PositionBasedSimulation::RemoveTornFaces() {
  std::vector<Edge> torn;
  for (size_t e = 0; e < broken_.size(); ++e) {
    if (broken_[e] != 0) torn.push_back(solver_.strips().Ends(static_cast<int>(e)));
  }
  surfaces_.Tear(torn);
}

// Sweeps without velocities, as those of the initial assembly.
void PositionBasedSimulation::LeadOut(StepBalance* balance) {
  if (surfaces_.size() == 0) return;
  surfaces_.LeadOut();
  WorstMisfit worst = FindWorst(StepEnd());
  if (worst.size <= tolerance_) return;
  const auto place = [this] {
    Vector3d sum = Vector3d::Zero();
    for (int p = 0, count = scene().PointCount(); p < count; ++p) {
      sum += masses_[p] * PresentPoint(p);
    }
    return sum;
  };
  const Vector3d before = place();
  held_impulses_.Keep(holds_);
  for (int i = 0; i < options_.max_sweeps && worst.size > tolerance_; ++i) {
    Sweep(i, StepEnd());
    worst = FindWorst(StepEnd());
    if (worst.size <= tolerance_ && FindSurfaceContacts()) worst = FindWorst(StepEnd());
  }
  held_impulses_.PutBack(&holds_);
  balance->AddDrift(place() - before);
}

}  // namespace pliant::position_based
