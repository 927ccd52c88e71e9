#include "solvers/dynamic_ffd/ffd_simulation.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/contact/forces_of_pairs.h"
#include "solvers/dynamic_ffd/arrays_of_bodies.h"
#include "solvers/dynamic_ffd/control_binding.h"
#include "solvers/dynamic_ffd/mode_change.h"
#include "solvers/linear_algebra/condition.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Beyond it a run has diverged: nothing in a scene is at the scale of planets.
constexpr double kLargestValue = 1e9;

constexpr int kNoSlot = -1;  // of a mode whose energy is not counted

// A stage begins with a step that begins up to this fraction of a step before it.
constexpr double kSameStep = 1e-9;

struct Figures {
  std::optional<double> equilibrated, modes_schur, largest_amplitude, effort;
  std::optional<double> modes_off_plan, base_off_plan;
  std::optional<double> plan_cost, plan_stationarity, plan_feasibility, plan_momentum_defect,
      plan_duration;
  std::vector<std::optional<double>> poses;           // by body
  std::vector<std::optional<double>> contact_forces;  // by pair
};

const ExtraColumns<Figures>& ExtraTable() {
  static const ExtraColumns<Figures> columns = {
      {{"condition_number_equilibrated", "1",
        "condition number of M(q) scaled to a unit diagonal, for the worst body"},
       &Figures::equilibrated},
      {{"condition_number_modes_schur", "1",
        "condition number of the modes' inertia without rigid motion, for the worst body"},
       &Figures::modes_schur},
      {{"largest_amplitude", "1", "largest |γ| of all modes and bodies"},
       &Figures::largest_amplitude},
      {{"deformation_effort_J", "J",
        "integral of the sum over the modes of |generalized force × rate|, including "
        "potentials, damping and servos"},
       &Figures::effort},
      {{"active_pose.{body}", "1",
        "number of the active pose of body '{body}', from 0, if it is controlled"},
       &Figures::poses},
      ContactForceColumn(&Figures::contact_forces),
      {{"modes_off_plan", "1", "largest |γ − γ of the plan| of all modes"},
       &Figures::modes_off_plan},
      {{"base_off_plan_m", "m", "distance of the middle of the base from the plan"},
       &Figures::base_off_plan},
      {{"plan_cost_N2_m2_s", "N² m² s", "J of the plan that is followed"}, &Figures::plan_cost},
      {{"plan_stationarity", "1", "residual of stationarity of the plan"},
       &Figures::plan_stationarity},
      {{"plan_feasibility", "1", "worst scaled violation of the plan"}, &Figures::plan_feasibility},
      {{"plan_momentum_defect", "1",
        "share of the momentum of a flight of the plan that comes from nowhere between samples"},
       &Figures::plan_momentum_defect},
      {{"plan_duration_s", "s", "time that the plan takes"}, &Figures::plan_duration},
  };
  return columns;
}

// Inertia of the modes free of rigid motion, M_γγ − M_γr M_rr⁻¹ M_rγ: in one unit (kg m²), while M
// mixes three, and independent of the origin of the body.
MatrixXd ModesSchur(const MatrixXd& mass, int rigid) {
  const auto modes = mass.rows() - rigid;
  const MatrixXd coupling = mass.topRightCorner(rigid, modes);
  return mass.bottomRightCorner(modes, modes) -
         coupling.transpose() * mass.topLeftCorner(rigid, rigid).llt().solve(coupling);
}

void Raise(std::optional<double>* largest, double value) {
  *largest = std::max(largest->value_or(value), value);
}

}  // namespace

std::vector<SeriesColumn> DynamicFfdExtras() { return Describe(ExtraTable()); }

DynamicFfdSimulation::DynamicFfdSimulation(std::shared_ptr<const Scene> scene,
                                           std::unique_ptr<DynamicFfdSystem> system,
                                           const IntegratorOptions& integrator, VectorXd q,
                                           VectorXd v, std::vector<FfdStage> later,
                                           std::vector<StepLimit> step_limits)
    : Simulation(std::move(scene)),
      stages_(std::move(later)),
      system_(system.get()),
      integrator_(integrator),
      counts_iterations_(integrator.scheme == Scheme::kImplicitMidpoint ||
                         integrator.scheme == Scheme::kBogackiShampine),
      forces_(this->scene()),
      q_(std::move(q)),
      v_(std::move(v)),
      tally_(this->scene()) {
  stages_.insert(stages_.begin(), FfdStage{0.0, std::move(system), std::move(step_limits)});
  for (const Body& body : this->scene().bodies) {
    const std::string of = " of body '" + body.name + "'";
    names_.push_back({"position" + of, "amplitudes of the modes" + of, "velocity" + of,
                      "mass matrix" + of + " (singular)"});
  }
  NameModes();
  system_->StartControl(0.0, &q_, &v_);
  system_->UpdateContact(0.0, q_, v_);
}

std::vector<StepLimit> DynamicFfdSimulation::StepLimits() const {
  std::vector<StepLimit> limits;
  for (const FfdStage& stage : stages_) {
    limits.insert(limits.end(), stage.step_limits.begin(), stage.step_limits.end());
  }
  return limits;
}

bool DynamicFfdSimulation::Retune(const ParameterValues& parameters) {
  if (parameters.size() != 1 || parameters.begin()->first != "control") return false;
  const auto* table = ValueAs<ControlTable>(parameters.begin()->second);
  if (table == nullptr) return false;
  std::vector<std::vector<ModeControl>> controls;
  for (const FfdStage& stage : stages_) controls.push_back(BindControl(*table, *stage.system));
  for (size_t s = 0; s < stages_.size(); ++s) {
    stages_[s].system->RemoveControls();
    for (ModeControl& control : controls[s]) stages_[s].system->AddControl(std::move(control));
  }
  system_->StartControl(0.0, &q_, &v_);
  powers_known_ = false;  // they depend on the servos
  return true;
}

// Modes of one name share an entry, in whatever body and stage they are. No force of deformation
// acts on a driven amplitude.
void DynamicFfdSimulation::NameModes() {
  for (const FfdStage& stage : stages_) {
    std::vector<int>& slots = slots_.emplace_back();
    for (const FfdPart& part : stage.system->parts()) {
      for (int k = 0; k < part.body.modes(); ++k) {
        if (k >= part.body.free_modes()) {
          slots.push_back(kNoSlot);
          continue;
        }
        const std::string name = ModeName(part, k);
        const auto entry =
            std::find_if(energies_.begin(), energies_.end(),
                         [&](const ModeEnergy& energy) { return energy.mode == name; });
        slots.push_back(static_cast<int>(entry - energies_.begin()));
        if (entry == energies_.end()) energies_.push_back({name});
      }
    }
  }
}

StepOutcome DynamicFfdSimulation::DoAdvance(double step) {
  if (stage_ + 1 < stages_.size()) EnterStages(step);
  system_->BeginStep(time(), step, q_, v_);
  if (!scene().impulses.empty()) ApplyImpulses();
  // That of the end of the last step, unless an impulse came between.
  if (!powers_known_) system_->ModePowers(time(), q_, v_, &powers_);
  const StepOutcome stepped = Integrate(step);
  system_->EndStep(StepEnd(), &q_, &v_, &work_);
  system_->HoldLimits(StepEnd(), &q_, &v_, &work_);
  if (StepOutcome bounded = CheckState(); bounded.kind == StepOutcome::Kind::kDiverged) {
    return bounded;
  }
  AddModeEnergies(step);
  // The next step begins with the servos at other targets than this one ended with.
  if (system_->UpdateControl(StepEnd(), step, q_)) powers_known_ = false;
  work_[WorkClass::kContact] += system_->UpdateContact(StepEnd(), q_, v_);
  return stepped;
}

// Where a barrier keeps bodies apart, in as many pieces as it needs.
StepOutcome DynamicFfdSimulation::Integrate(double step) {
  SurfaceBarrier* barrier = system_->barrier();
  if (barrier == nullptr) return integrator_.Step(*system_, time(), step, &q_, &v_, &work_);
  // A singular matrix of a piece that is taken back is not one of the step.
  const auto take = [this](double t, double h) -> StepOutcome {
    const StepOutcome stepped = integrator_.Step(*system_, t, h, &q_, &v_, &work_);
    const FfdPart* singular = system_->TakeSingular();
    if (singular == nullptr) return stepped;
    return {StepOutcome::Kind::kDiverged, names_[singular - system_->parts().data()].mass_matrix};
  };
  const StepOutcome stepped = barrier_step_.Step(
      time(), step, take, [this](const VectorXd& q, Eigen::Matrix3Xd* x) { system_->Points(q, x); },
      barrier, &q_, &v_, &work_);
  const std::string news = barrier_step_.News(*barrier, scene());
  if (!news.empty()) Happened(StepEnd(), news);
  return stepped;
}

void DynamicFfdSimulation::AddModeEnergies(double step) {
  system_->ModePowers(StepEnd(), q_, v_, &next_powers_);
  const std::vector<int>& slots = slots_[stage_];
  for (Eigen::Index k = 0; k < powers_.size(); ++k) {
    if (slots[k] == kNoSlot) continue;
    ModeEnergy& energy = energies_[slots[k]];
    energy.spent += 0.5 * step * (std::abs(powers_[k]) + std::abs(next_powers_[k]));
    energy.work += 0.5 * step * (powers_[k] + next_powers_[k]);
  }
  powers_.swap(next_powers_);
  powers_known_ = true;
}

double DynamicFfdSimulation::deformation_effort() const {
  double effort = 0.0;
  for (const ModeEnergy& energy : energies_) effort += energy.spent;
  return effort;
}

// Stages whose time has come.
void DynamicFfdSimulation::EnterStages(double step) {
  while (stage_ + 1 < stages_.size() && stages_[stage_ + 1].from <= time() + kSameStep * step) {
    DynamicFfdSystem& next = *stages_[stage_ + 1].system;
    VectorXd q(next.coordinates()), v(next.velocities());
    for (size_t b = 0; b < next.parts().size(); ++b) {
      const FfdPart& from = system_->parts()[b];
      const FfdPart& to = next.parts()[b];
      // By the masses that move, so that momentum stays.
      const bool of_volume =
          from.volume && to.volume && from.volume->points() == to.volume->points();
      const CarriedState carried =
          CarryOver(of_volume ? *from.volume : from.body, Coordinates(from, q_),
                    Velocities(from, v_), of_volume ? *to.volume : to.body);
      q.segment(to.first_q, to.body.coordinates()) = carried.q;
      Velocities(to, &v) = carried.v;
    }
    VectorXd control(system_->ControlStateSize()), contact(system_->ContactStateSize());
    system_->SaveControl(control);
    next.RestoreControl(control);
    system_->SaveContact(contact);
    next.RestoreContact(contact);
    work_[WorkClass::kControl] += next.Energy(time(), q, v) - system_->Energy(time(), q_, v_);
    q_ = std::move(q);
    v_ = std::move(v);
    system_ = &next;
    ++stage_;
    next.UpdateContact(time(), q_, v_);
    powers_known_ = false;
  }
}

// Impulses of the step act at its beginning.
void DynamicFfdSimulation::ApplyImpulses() {
  impulses_.setZero(3, forces_.masses().size());
  if (!forces_.AddImpulses(time(), StepEnd(), impulses_)) return;
  // Bodies in prescribed motion do not feel them.
  for (size_t b = 0; b < system_->parts().size(); ++b) {
    const FfdPart& part = system_->parts()[b];
    if (system_->IsLed(b)) {
      impulses_.middleCols(part.first_point, part.body.points()).setZero();
    }
  }
  system_->ApplyImpulses(q_, impulses_, &v_, &work_);
  powers_known_ = false;
}

StepOutcome DynamicFfdSimulation::CheckState() {
  const std::vector<FfdPart>& parts = system_->parts();
  if (const FfdPart* singular = system_->TakeSingular()) {
    return {StepOutcome::Kind::kDiverged, names_[singular - parts.data()].mass_matrix};
  }
  // Almost always everything is within the smallest bound; false for NaN too.
  if ((q_.array().abs() <= kLargestAmplitude).all() &&
      (v_.array().abs() <= kLargestAmplitude).all()) {
    return {};
  }
  for (size_t b = 0; b < parts.size(); ++b) {
    const FfdBody& body = parts[b].body;
    const auto q = q_.segment(parts[b].first_q, body.coordinates());
    const auto v = v_.segment(parts[b].first_v, body.velocities());
    StepOutcome outcome =
        CheckBounded(q.tail(body.modes()), kLargestAmplitude, names_[b].amplitudes);
    if (outcome.kind != StepOutcome::Kind::kAdvanced) return outcome;
    outcome = CheckBounded(q.head(body.pose_size()), kLargestValue, names_[b].pose);
    if (outcome.kind != StepOutcome::Kind::kAdvanced) return outcome;
    outcome = CheckBounded(v, kLargestValue, names_[b].velocities);
    if (outcome.kind != StepOutcome::Kind::kAdvanced) return outcome;
  }
  return {};
}

std::vector<MethodPieces> DynamicFfdSimulation::Pieces() const {
  MethodPieces lattices{"lattice", {}};
  for (const FfdPart& part : system_->parts()) {
    lattices.Add(ControlPointsOf(part.net, part.body, Coordinates(part, q_)), part.net.lines);
  }
  return {std::move(lattices)};
}

void DynamicFfdSimulation::DoObserve(Observation* o) const {
  system_->Points(q_, &o->points);
  if (!o->velocities) o->velocities.emplace();
  system_->PointVelocities(q_, v_, o->points, &*o->velocities);
  o->sums = system_->Sums(q_, v_);
  o->elastic_energy = system_->ModeEnergy(q_);
  o->spring_energy = forces_.SpringEnergy(o->points);
  o->constraint_energy = system_->constraints().Energy(time(), o->points);
  o->contact_energy = system_->ContactEnergy(time(), o->points);
  o->work = work_;
  o->explains_momentum = std::all_of(stages_.begin(), stages_.end(), [](const FfdStage& stage) {
    return stage.system->explains_momentum();
  });
  const auto gap = system_->constraints().LargestGap(time(), o->points, *o->velocities);
  o->constraint_error = gap ? std::optional(gap->error) : std::nullopt;
  o->constraint_rate = gap ? std::optional(gap->rate) : std::nullopt;
  o->iterations.reset();
  if (counts_iterations_) o->iterations = integrator_.evaluations();

  o->condition_number.reset();
  o->regularisation = 0.0;
  Figures figures;
  figures.poses.resize(scene().bodies.size());
  for (const FfdPart& part : system_->parts()) {
    const auto q = q_.segment(part.first_q, part.body.coordinates());
    const auto free = part.body.velocities() - part.body.driven();
    const MatrixXd mass = part.inertia->MassMatrix(q).topLeftCorner(free, free);
    Raise(&o->condition_number, ConditionNumber(mass));
    Raise(&figures.equilibrated, EquilibratedConditionNumber(mass));
    Raise(&o->regularisation, part.inertia->added_axis_inertia());
    if (part.body.free_modes() == 0) continue;
    Raise(&figures.modes_schur, ConditionNumber(ModesSchur(mass, part.body.twist_size())));
    Raise(&figures.largest_amplitude,
          q.segment(part.body.pose_size(), part.body.free_modes()).cwiseAbs().maxCoeff());
  }
  figures.effort = deformation_effort();
  for (const ModeControl& control : system_->controls()) {
    figures.poses[control.body()] = control.state().pose;
  }
  if (const auto& plan = system_->plan()) {
    const PlannedModes::Distance off = plan->From(time(), system_->parts().front(), q_);
    figures.modes_off_plan = off.modes;
    figures.base_off_plan = off.base;
    const SpacetimeSummary& summary = plan->plan().summary();
    figures.plan_cost = summary.final_cost;
    figures.plan_stationarity = summary.residuals.stationarity;
    figures.plan_feasibility = summary.residuals.feasibility;
    figures.plan_momentum_defect = plan->plan().momentum_defect();
    figures.plan_duration = plan->plan().motion.duration();
  }
  tally_.Begin();
  if (!tally_.empty()) {
    system_->TallyContactForces(time(), o->points, *o->velocities, &tally_);
  }
  figures.contact_forces = tally_.Forces();
  Fill(ExtraTable(), figures, &o->extras);
}

std::optional<DeformablePlanRecord> DynamicFfdSimulation::deformable_plan() const {
  return system_->plan() ? std::optional(system_->plan()->Record()) : std::nullopt;
}

std::optional<Eigen::Matrix3Xd> DynamicFfdSimulation::ConstraintForces() const {
  Eigen::Matrix3Xd forces = Eigen::Matrix3Xd::Zero(3, scene().PointCount());
  if (system_->constraints().empty()) return forces;
  Eigen::Matrix3Xd x, v;
  system_->Points(q_, &x);
  system_->PointVelocities(q_, v_, x, &v);
  Exchange unused;
  system_->constraints().AddForces(time(), x, v, forces, &unused);
  return forces;
}

std::optional<Eigen::Matrix3Xd> DynamicFfdSimulation::ContactForces() const {
  if (system_->barrier() != nullptr) return std::nullopt;
  Eigen::Matrix3Xd forces = Eigen::Matrix3Xd::Zero(3, scene().PointCount());
  Eigen::Matrix3Xd x, v;
  system_->Points(q_, &x);
  system_->PointVelocities(q_, v_, x, &v);
  system_->AddContactForces(time(), x, v, forces);
  return forces;
}

std::optional<Eigen::Matrix3Xd> DynamicFfdSimulation::PairForces() const {
  tally_.Begin();
  if (!tally_.empty()) {
    Eigen::Matrix3Xd x, v;
    system_->Points(q_, &x);
    system_->PointVelocities(q_, v_, x, &v);
    system_->TallyContactForces(time(), x, v, &tally_);
  }
  return ForcesOfPairs(&tally_);
}

std::vector<NamedArray> DynamicFfdSimulation::Arrays(std::string_view group) const {
  return ArraysOfBodies(system_, time(), q_, v_, group);
}

}  // namespace pliant::dynamic_ffd
