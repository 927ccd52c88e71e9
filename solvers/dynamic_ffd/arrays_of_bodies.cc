#include "solvers/dynamic_ffd/arrays_of_bodies.h"

#include <limits>
#include <string>

namespace pliant::dynamic_ffd {
namespace {

using Eigen::VectorXd;

constexpr char kModes[] = "modes";
constexpr char kEquations[] = "equations";

std::vector<std::string> ModeLabels(const FfdPart& part) {
  std::vector<std::string> labels;
  for (int k = 0; k < part.body.modes(); ++k) labels.push_back(ModeName(part, k));
  return labels;
}

// Of v: of the twist, then of the amplitudes.
std::vector<std::string> VelocityLabels(const FfdPart& part) {
  std::vector<std::string> labels = {"translation x", "translation y"};
  if (part.body.dimension() == 2) {
    labels.emplace_back("rotation z");
  } else {
    labels.insert(labels.end(), {"translation z", "rotation x", "rotation y", "rotation z"});
  }
  for (const std::string& mode : ModeLabels(part)) labels.push_back(mode);
  return labels;
}

void AddModes(const DynamicFfdSystem& system, size_t b, const std::string& body, const VectorXd& q,
              const VectorXd& v, std::vector<NamedArray>* arrays) {
  const FfdPart& part = system.parts()[b];
  const int modes = part.body.modes();
  if (modes == 0) return;
  const VectorXd gamma = Coordinates(part, q).tail(modes);
  const auto labels = ModeLabels(part);
  const auto add = [&](const std::string& name, const std::string& unit, const std::string& meaning,
                       const VectorXd& values) {
    arrays->push_back({kModes, name + "." + body, unit, meaning, labels, {}, values});
  };
  add("amplitudes", "1", "γ of each mode", gamma);
  add("rates", "1/s", "γ̇", Velocities(part, v).tail(modes));
  if (part.powers.empty()) {
    add("energies", "J", "γ_k (K γ)_k: their sum is V = γᵀ K γ",
        gamma.cwiseProduct(part.stiffness * gamma));
  }
  for (const ModeControl& control : system.controls()) {
    if (control.body() != static_cast<int>(b)) continue;
    VectorXd targets = VectorXd::Constant(modes, std::numeric_limits<double>::quiet_NaN());
    const auto& servos = control.servos().servos();
    for (size_t s = 0; s < servos.size(); ++s) {
      targets[servos[s].coordinate] = control.targets()[static_cast<Eigen::Index>(s)];
    }
    add("targets", "1", "γ⁰ of the servos; NaN where a mode has none", targets);
  }
}

void AddEquations(const FfdPart& part, const std::string& body, const VectorXd& q,
                  const VectorXd& v, const VectorXd& a, std::vector<NamedArray>* arrays) {
  const auto labels = VelocityLabels(part);
  const auto q_part = Coordinates(part, q);
  const auto v_part = Velocities(part, v);
  const Eigen::MatrixXd M = part.inertia->MassMatrix(q_part);
  VectorXd h = VectorXd::Zero(part.body.velocities());
  part.inertia->Place(q_part);
  part.inertia->AddVelocityForces(v_part, h);
  const VectorXd rate = Velocities(part, a);
  const std::string units = "kg, kg m, kg m² by row and column";
  const std::string forces = "N, N m, J";
  arrays->push_back({kEquations, "M." + body, units, "mass matrix M(q)", labels, labels, M});
  arrays->push_back({kEquations,
                     "Q." + body,
                     forces,
                     "generalized forces of everything but inertia, as M v̇ − h",
                     labels,
                     {},
                     M * rate - h});
  arrays->push_back({kEquations,
                     "h." + body,
                     forces,
                     "velocity-dependent inertial forces h(q, v)",
                     labels,
                     {},
                     h});
  arrays->push_back({kEquations,
                     "acceleration." + body,
                     "m/s², rad/s², 1/s²",
                     "v̇ of M(q) v̇ = Q + h",
                     labels,
                     {},
                     rate});
}

}  // namespace

std::vector<ArrayGroup> ArrayGroups() {
  return {{kModes, "amplitudes, rates, energies and targets of the modes of each body"},
          {kEquations, "M(q), Q, h and v̇ of M(q) v̇ = Q + h [Faloutsos 1995, Eq. 4.21]"}};
}

std::vector<NamedArray> ArraysOfBodies(DynamicFfdSystem* system, double t, const VectorXd& q,
                                       const VectorXd& v, std::string_view group) {
  std::vector<NamedArray> arrays;
  VectorXd a;
  const bool equations = group.empty() || group == kEquations;
  if (equations) {
    Exchange unused;
    system->Rates(t, q, v, &a, &unused);
  }
  for (size_t b = 0; b < system->parts().size(); ++b) {
    const std::string& body = system->scene()->bodies[b].name;
    if (group.empty() || group == kModes) AddModes(*system, b, body, q, v, &arrays);
    if (equations) AddEquations(system->parts()[b], body, q, v, a, &arrays);
  }
  return arrays;
}

}  // namespace pliant::dynamic_ffd
