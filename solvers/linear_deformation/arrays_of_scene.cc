#include "solvers/linear_deformation/arrays_of_scene.h"

#include <string>

namespace pliant::linear_deformation {
namespace {

using Eigen::VectorXd;

constexpr char kMultipliers[] = "multipliers";
constexpr char kEquations[] = "equations";

std::vector<std::string> Axes(int dimension) {
  const std::vector<std::string> axes = {"x", "y", "z"};
  return {axes.begin(), axes.begin() + dimension};
}

void AddBodies(const Scene& scene, const LinearDeformationSystem& system, const VectorXd& q,
               const VectorXd& v, const VectorXd& a, std::vector<NamedArray>* arrays) {
  for (size_t b = 0; b < system.bodies().size(); ++b) {
    const LinearBody& body = system.bodies()[b];
    const std::string& name = scene.bodies[b].name;
    const auto axes = Axes(body.world_dimension());
    const auto flattened = [&](const VectorXd& all) -> Eigen::MatrixXd {
      return Eigen::Map<const RowMajorMatrix>(all.data() + system.first(static_cast<int>(b)),
                                              body.world_dimension(), body.columns());
    };
    const auto add = [&](const std::string& what, const std::string& unit,
                         const std::string& meaning, const std::vector<std::string>& rows,
                         const Eigen::MatrixXd& values) {
      arrays->push_back({kEquations, what + "." + name, unit, meaning, rows, {}, values});
    };
    add("R", "m", "generalized coordinates of x = R p(r)", axes, flattened(q));
    add("R_dot", "m/s", "their rates", axes, flattened(v));
    add("R_ddot", "m/s²", "accelerations under all forces and constraints", axes, flattened(a));
    add("M", "kg", "M = Σ m p pᵀ, constant", {}, body.mass_matrix());
    add("W", "1/kg", "its inverse", {}, body.inverse_mass());
  }
}

}  // namespace

std::vector<ArrayGroup> ArrayGroups() {
  return {{kMultipliers, "force λ, gap and rate of the gap of each constraint that holds"},
          {kEquations,
           "R, its rates, M and W of each body, and the constraint matrix S [Witkin & Welch 1990, "
           "Eq. 8]"}};
}

std::vector<NamedArray> ArraysOfScene(const Scene& scene, LinearDeformationSystem* system, double t,
                                      const VectorXd& q, const VectorXd& v,
                                      std::string_view group) {
  std::vector<NamedArray> arrays;
  VectorXd a;
  Exchange unused;
  system->Rates(t, q, v, &a, &unused);
  const PointConstraints& constraints = system->constraints();
  const auto& names = constraints.names();
  if ((group.empty() || group == kMultipliers) && !constraints.empty()) {
    const PointConstraints::Workspace& state = system->constraint_state();
    const auto axes = Axes(static_cast<int>(state.multipliers.cols()));
    const auto add = [&](const char* name, const char* unit, const char* meaning,
                         const ConstraintVectors& rows) {
      arrays.push_back({kMultipliers, name, unit, meaning, names, axes, rows});
    };
    add("lambda", "N", "multipliers: the force that closes each constraint", state.multipliers);
    add("gap", "m", "what each constraint misses", state.gap);
    add("gap_rate", "m/s", "its rate", state.rate);
  }
  if (group.empty() || group == kEquations) {
    AddBodies(scene, *system, q, v, a, &arrays);
    if (!constraints.empty() && constraints.matrix().size() > 0) {
      arrays.push_back({kEquations,
                        "S",
                        "1/kg",
                        "constraint matrix J W Jᵀ, one row for each point that is held",
                        {},
                        {},
                        constraints.matrix().Dense()});
    }
  }
  return arrays;
}

}  // namespace pliant::linear_deformation
