// The observations and the saved state of a simulation by finite elements.

#include <Eigen/Geometry>
#include <cstdint>
#include <string>

#include "solvers/array_blocks.h"
#include "solvers/finite_elements/finite_element_simulation.h"
#include "solvers/state_stream.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Figures : ContactFigures {
  std::optional<double> smallest_determinant, factorisations;
};

const ExtraColumns<Figures>& ExtraTable() {
  static const ExtraColumns<Figures> columns = [] {
    ExtraColumns<Figures> all = {
        {{"element_det", "1",
          "smallest det F over the quadrature points of all elements: 1 at rest, 0 collapsed, "
          "negative inside out"},
         &Figures::smallest_determinant},
        {{"factorisations", "1", "sparse Cholesky factorisations since the start"},
         &Figures::factorisations},
    };
    AddContactColumns(&all);
    return all;
  }();
  return columns;
}

}  // namespace

std::vector<ArrayGroup> FiniteElementArrays() {
  return {{"nodes", "positions, velocities and masses of the nodes of each body"},
          {"equations", "of each body: unbalanced elastic forces, and det F of each element"}};
}

std::vector<SeriesColumn> FiniteElementExtras() { return Describe(ExtraTable()); }

std::optional<Matrix3Xd> FiniteElementSimulation::ConstraintForces() const {
  if (!multipliers_) return std::nullopt;
  Matrix3Xd forces = Matrix3Xd::Zero(3, scene().PointCount());
  rows_.AddPointForces(scene(), *multipliers_, &forces);
  return forces;
}

void FiniteElementSimulation::DoObserve(Observation* o) const {
  o->points = state_.q * bodies_.embedding().transpose();
  o->velocities = state_.v * bodies_.embedding().transpose();
  const Matrix3Xd momenta = state_.v * bodies_.mass();
  MaterialSums sums;
  sums.kinetic_energy = 0.5 * momenta.cwiseProduct(state_.v).sum();
  const Vector3d moment = state_.q * node_masses_;
  sums.mass = node_masses_.sum();
  sums.centre = moment / sums.mass;
  sums.gravitational_energy = -LoadPart(time()) * gravity_.acceleration().dot(moment);
  sums.momentum = momenta.rowwise().sum();
  for (Eigen::Index i = 0; i < momenta.cols(); ++i) {
    sums.angular_momentum += Vector3d(state_.q.col(i)).cross(Vector3d(momenta.col(i)));
  }
  o->sums = sums;
  o->elastic_energy = bodies_.Energy(state_.q);
  o->spring_energy = point_forces_.SpringEnergy(state_.q * point_forces_.places().transpose());
  if (!contact_.empty()) o->contact_energy = contact_.Energy(time(), state_.q);
  o->work = work_;
  // The impulse of generalised-α is not that of the forces at one time.
  o->explains_momentum = !generalised_alpha() && !statics();
  o->iterations = time_step_.iterations();
  o->constraint_error.reset();
  o->constraint_rate.reset();
  if (rows_.size() > 0) {
    o->constraint_error =
        (reduction_.C() * state_.q.reshaped() - rows_.Values(time())).cwiseAbs().maxCoeff();
    o->constraint_rate =
        (reduction_.C() * state_.v.reshaped() - rows_.Rates(time())).cwiseAbs().maxCoeff();
  }
  Figures figures;
  figures.smallest_determinant = bodies_.SmallestDeterminant(state_.q);
  figures.factorisations = static_cast<double>(time_step_.factorisations());
  impulses_.Show(contact_, {load_start_.q, state_.q, load_start_.time, time()}, &figures);
  Fill(ExtraTable(), figures, &o->extras);
}

std::vector<NamedArray> FiniteElementSimulation::Arrays(std::string_view group) const {
  std::vector<NamedArray> arrays;
  const std::vector<std::string> axes = {"x", "y", "z"};
  for (int p = 0; p < bodies_.part_count(); ++p) {
    const ElasticPart& part = bodies_.part(p);
    const std::string body = "." + scene().bodies[p].name;
    const int first = bodies_.first(p), count = part.node_count();
    const Matrix3Xd q = state_.q.middleCols(first, count);
    if (group.empty() || group == "nodes") {
      arrays.push_back({"nodes", "q" + body, "m", "position of each node", axes, {}, q});
      arrays.push_back({"nodes",
                        "v" + body,
                        "m/s",
                        "velocity of each node",
                        axes,
                        {},
                        state_.v.middleCols(first, count)});
      arrays.push_back({"nodes",
                        "mass" + body,
                        "kg",
                        "row sums of the mass matrix",
                        {},
                        {},
                        node_masses_.segment(first, count)});
    }
    if (!group.empty() && group != "equations") continue;
    Matrix3Xd gradient = Matrix3Xd::Zero(3, count);
    AddGradient(part, q, gradient);
    arrays.push_back(
        {"equations", "gradient" + body, "N", "∂E/∂q of each node", axes, {}, gradient});
    VectorXd determinants(part.element_count());
    Matrix3Xd x;
    for (int e = 0; e < part.element_count(); ++e) {
      x = q(Eigen::all, part.nodes(e));
      determinants[e] = part.SmallestDeterminant(e, x);
    }
    arrays.push_back(
        {"equations", "det_F" + body, "1", "smallest det F of each element", {}, {}, determinants});
  }
  return arrays;
}

int FiniteElementSimulation::DoStateSize() const {
  const auto numbers = static_cast<int>(state_.q.size());
  return (generalised_alpha() || statics() ? 3 : 2) * numbers + (statics() ? 1 : 0) +
         Exchange::kNumbers + 2 + static_cast<int>(inverted_.size()) + impulses_.numbers();
}

std::vector<StateBlock> FiniteElementSimulation::DoStateLayout() const {
  StateBlocks blocks;
  blocks.Add("positions of nodes", state_.q.size(), "m");
  blocks.Add("velocities of nodes", state_.q.size(), "m/s");
  if (generalised_alpha()) blocks.Add("accelerations of nodes", state_.q.size(), "m/s²");
  if (statics()) {
    blocks.Add("positions of nodes where the load step began", state_.q.size(), "m");
    blocks.Add("time where it began", 1, "s");
  }
  blocks.AddExchange();
  blocks.Add("iterations, factorisations", 2, "1");
  impulses_.AddTo(&blocks);
  blocks.Add("bodies with elements inside out", inverted_.size(), "1");
  return blocks.Take();
}

void FiniteElementSimulation::DoSave(Eigen::Ref<VectorXd> state) const {
  const auto n = state_.q.size();
  state.head(n) = state_.q.reshaped();
  state.segment(n, n) = state_.v.reshaped();
  Eigen::Index at = 2 * n;
  if (generalised_alpha()) {
    state.segment(at, n) = state_.a.reshaped();
    at += n;
  }
  if (statics()) {
    state.segment(at, n) = load_start_.q.reshaped();
    state[at + n] = load_start_.time;
    at += n + 1;
  }
  state.segment<Exchange::kNumbers>(at) = work_.Numbers();
  at += Exchange::kNumbers;
  state[at++] = static_cast<double>(time_step_.iterations());
  state[at++] = static_cast<double>(time_step_.factorisations());
  StateWriter write(state.segment(at, impulses_.numbers()));
  impulses_.Save(&write);
  state.tail(inverted_.size()) = inverted_;
}

void FiniteElementSimulation::DoRestore(const Eigen::Ref<const VectorXd>& state) {
  const auto n = state_.q.size();
  state_.q.reshaped() = state.head(n);
  state_.v.reshaped() = state.segment(n, n);
  Eigen::Index at = 2 * n;
  if (generalised_alpha()) {
    state_.a.reshaped() = state.segment(at, n);
    at += n;
  }
  if (statics()) {
    load_start_.q.reshaped() = state.segment(at, n);
    load_start_.time = state[at + n];
    at += n + 1;
  }
  work_ = Exchange::FromNumbers(state.segment<Exchange::kNumbers>(at));
  at += Exchange::kNumbers;
  const auto iterations = static_cast<std::int64_t>(state[at++]);
  time_step_.set_counts(iterations, static_cast<std::int64_t>(state[at++]));
  const Eigen::Ref<const VectorXd> impulses = state.segment(at, impulses_.numbers());
  StateReader read(impulses);
  impulses_.Restore(&read);
  inverted_ = state.tail(inverted_.size());
  multipliers_.reset();
  contact_.Begin({state_.q, state_.q, time(), time()});
}

}  // namespace pliant::finite_elements
