// The observations and the saved state of a simulation of linearly deformable bodies.

#include <algorithm>
#include <string>
#include <utility>

#include "solvers/array_blocks.h"
#include "solvers/contact/forces_of_pairs.h"
#include "solvers/linear_deformation/arrays_of_scene.h"
#include "solvers/linear_deformation/deformed_grid.h"
#include "solvers/linear_deformation/linear_deformation_simulation.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::VectorXd;

struct Figures {
  std::optional<double> smallest_determinant, largest_force, redundant, matching_work,
      behaviours_done;
  std::vector<std::optional<double>> contact_forces;  // by pair
};

const ExtraColumns<Figures>& ExtraTable() {
  static const ExtraColumns<Figures> columns = {
      {{"smallest_det", "1",
        "smallest det m of bodies that have the dimension of their "
        "world: 1 at rest, 0 collapsed, negative mirrored"},
       &Figures::smallest_determinant},
      {{"largest_constraint_force_N", "N", "largest force of a nail or attachment, its multiplier"},
       &Figures::largest_force},
      {{"redundant_constraints", "1",
        "number of directions in which the constraint matrix S is singular; they are left out"},
       &Figures::redundant},
      {{"velocity_matching_work_J", "J",
        "work of the impulses that match velocities when a constraint begins to hold or a path has "
        "a corner; part of the work of damping, and of moved nails or control"},
       &Figures::matching_work},
      {{"behaviours_done", "1", "number of behaviours that have ended"}, &Figures::behaviours_done},
      ContactForceColumn(&Figures::contact_forces),
  };
  return columns;
}

double LargestRow(const ConstraintVectors& rows) { return rows.rowwise().norm().maxCoeff(); }

}  // namespace

std::vector<SeriesColumn> LinearDeformationExtras() { return Describe(ExtraTable()); }

std::vector<MethodPieces> LinearDeformationSimulation::Pieces() const {
  MethodPieces grids{"deformed box", {}};
  for (size_t b = 0; b < system_->bodies().size(); ++b) {
    const LinearBody& body = system_->bodies()[b];
    if (body.basis().family() == BasisFamily::kBernstein) grids.name = "control points";
    AddDeformedGrid(body, q_.segment(system_->first(static_cast<int>(b)), body.coordinates()),
                    &grids);
  }
  return {std::move(grids)};
}

void LinearDeformationSimulation::DoObserve(Observation* o) const {
  system_->Points(q_, &o->points);
  if (!o->velocities) o->velocities.emplace();
  system_->Points(v_, &*o->velocities);
  o->sums.reset();
  if (system_->has_boxes()) o->sums = system_->Sums(q_, v_);
  o->elastic_energy = system_->ElasticEnergy(q_);
  o->spring_energy = system_->forces().SpringEnergy(o->points);
  if (system_->pushes()) o->contact_energy = system_->ContactEnergy(time(), o->points);
  o->work = work_;
  o->explains_momentum = true;
  o->iterations.reset();
  if (counts_iterations_) o->iterations = integrator_.evaluations();

  Figures figures;
  for (size_t b = 0; b < system_->bodies().size(); ++b) {
    const LinearBody& body = system_->bodies()[b];
    const auto determinant = SmallestDeterminant(
        body, q_.segment(system_->first(static_cast<int>(b)), body.coordinates()));
    if (!determinant) continue;
    std::optional<double>& smallest = figures.smallest_determinant;
    smallest = std::min(smallest.value_or(*determinant), *determinant);
  }

  o->constraint_error.reset();
  o->constraint_rate.reset();
  o->condition_number.reset();
  o->regularisation.reset();
  figures.matching_work = matching_work_;
  if (switches_.has_behaviours()) figures.behaviours_done = switches_.behaviours_done();
  if (!system_->constraints().empty()) {
    Exchange unused;
    system_->Rates(time(), q_, v_, &rates_, &unused);
    const PointConstraints::Workspace& state = system_->constraint_state();
    const ConstraintMatrix& matrix = system_->constraints().matrix();
    o->constraint_error = LargestRow(state.gap);
    o->constraint_rate = LargestRow(state.rate);
    o->condition_number = matrix.condition_number();
    o->regularisation = 0.0;  // nothing is added: singular directions are left out and counted
    figures.largest_force = LargestRow(state.multipliers);
    figures.redundant = system_->constraints().redundant();
  }
  figures.contact_forces = SizesOfPairForces();
  Fill(ExtraTable(), figures, &o->extras);
}

// Of the present state, and of impulses the mean over the last step.
std::vector<std::optional<double>> LinearDeformationSimulation::SizesOfPairForces() const {
  if (system_->bumps()) {
    ContactFigures figures;
    system_->tallied_impulses().Show(&figures);
    return figures.force;
  }
  TallyForces();
  return tally_.Forces();
}

void LinearDeformationSimulation::TallyForces() const {
  tally_.Begin();
  if (system_->pushes() && !tally_.empty()) {
    system_->TallyContactForces(time(), q_, v_, &tally_);
  }
}

std::optional<Eigen::Matrix3Xd> LinearDeformationSimulation::PairForces() const {
  if (system_->bumps()) return std::nullopt;
  TallyForces();
  return ForcesOfPairs(&tally_);
}

std::optional<Eigen::Matrix3Xd> LinearDeformationSimulation::PairImpulses() const {
  if (!system_->bumps()) return std::nullopt;
  ContactFigures figures;
  system_->tallied_impulses().Show(&figures);
  Eigen::Matrix3Xd impulses(3, static_cast<Eigen::Index>(figures.impulse_x.size()));
  for (Eigen::Index p = 0; p < impulses.cols(); ++p) {
    const auto pair = static_cast<size_t>(p);
    impulses.col(p) << *figures.impulse_x[pair], *figures.impulse_y[pair], *figures.impulse_z[pair];
  }
  return impulses;
}

std::optional<Eigen::Matrix3Xd> LinearDeformationSimulation::ConstraintForces() const {
  Eigen::Matrix3Xd forces = Eigen::Matrix3Xd::Zero(3, scene().PointCount());
  if (system_->constraints().empty()) return forces;
  Exchange unused;
  system_->Rates(time(), q_, v_, &rates_, &unused);
  system_->constraints().AddPointForces(scene(), switches_.Holding(), system_->constraint_state(),
                                        &forces);
  return forces;
}

std::optional<Eigen::Matrix3Xd> LinearDeformationSimulation::ContactForces() const {
  if (system_->barrier() != nullptr) return std::nullopt;
  Eigen::Matrix3Xd forces = Eigen::Matrix3Xd::Zero(3, scene().PointCount());
  if (system_->pushes()) system_->AddContactForces(time(), q_, v_, forces);
  if (!system_->bumps()) return forces;
  if (last_step_ == 0.0) return std::nullopt;
  if (system_->contact_impulses().cols() > 0) forces += system_->contact_impulses() / last_step_;
  return forces;
}

std::vector<NamedArray> LinearDeformationSimulation::Arrays(std::string_view group) const {
  return ArraysOfScene(scene(), system_.get(), time(), q_, v_, group);
}

std::vector<StateBlock> LinearDeformationSimulation::DoStateLayout() const {
  StateBlocks layout;
  const auto add_coordinates = [&](const std::string& what, const std::string& unit) {
    for (size_t b = 0; b < system_->bodies().size(); ++b) {
      layout.Add(what + " of body '" + scene().bodies[b].name + "', row by row",
                 system_->bodies()[b].coordinates(), unit);
    }
  };
  add_coordinates("coordinates R", "m");
  add_coordinates("rates of R", "m/s");
  layout.AddExchange();
  layout.Add("evaluations", 1, "1");
  layout.Add("started: 1 after the first step", 1, "1");
  layout.Add("next substep", 1, "s");
  layout.Add("work of matching", 1, "J");
  layout.Add("1 while constraints contradict each other", 1, "1");
  layout.Add("1 for each body that has collapsed", collapsed_.size(), "1");
  switches_.AddTo(&layout);
  layout.Add("entry points of contacts, whether there is one, and normals there",
             system_->EntryPointStateSize(), "m, 1");
  if (system_->TallyStateSize() > 0) system_->tallied_impulses().AddTo(&layout);
  return layout.Take();
}

int LinearDeformationSimulation::DoStateSize() const {
  return static_cast<int>(q_.size() + v_.size() + collapsed_.size()) + Exchange::kNumbers + 5 +
         switches_.StateSize() + system_->ContactStateSize();
}

void LinearDeformationSimulation::DoSave(Eigen::Ref<VectorXd> state) const {
  const auto n = q_.size(), bodies = collapsed_.size();
  state.head(n) = q_;
  state.segment(n, n) = v_;
  state.segment<Exchange::kNumbers>(2 * n) = work_.Numbers();
  Eigen::Index at = 2 * n + Exchange::kNumbers;
  state[at++] = static_cast<double>(integrator_.evaluations());
  state[at++] = started_ ? 1.0 : 0.0;
  state[at++] = integrator_.substep();
  state[at++] = matching_work_;
  state[at++] = contradicts_ ? 1.0 : 0.0;
  state.segment(at, bodies) = collapsed_;
  switches_.Save(state.segment(at + bodies, switches_.StateSize()));
  system_->SaveContact(state.tail(system_->ContactStateSize()));
}

void LinearDeformationSimulation::DoRestore(const Eigen::Ref<const VectorXd>& state) {
  const auto n = q_.size(), bodies = collapsed_.size();
  last_step_ = 0.0;
  q_ = state.head(n);
  v_ = state.segment(n, n);
  work_ = Exchange::FromNumbers(state.segment<Exchange::kNumbers>(2 * n));
  Eigen::Index at = 2 * n + Exchange::kNumbers;
  integrator_.set_evaluations(static_cast<std::int64_t>(state[at++]));
  started_ = state[at++] != 0.0;
  integrator_.set_substep(state[at++]);
  matching_work_ = state[at++];
  contradicts_ = state[at++] != 0.0;
  collapsed_ = state.segment(at, bodies);
  switches_.Restore(state.segment(at + bodies, switches_.StateSize()));
  if (!switches_.idle()) system_->SetConstraints(switches_.Holding());
  system_->RestoreContact(state.tail(system_->ContactStateSize()));
}

}  // namespace pliant::linear_deformation
