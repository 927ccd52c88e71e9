// Binds control tables of data files to the coordinates of a body.

#ifndef PLIANT_SOLVERS_CONTROL_BINDING_H_
#define PLIANT_SOLVERS_CONTROL_BINDING_H_

#include <string>
#include <utility>
#include <vector>

#include "models/problem.h"
#include "models/scene/scene.h"
#include "solvers/control/tables.h"

namespace pliant {

// Runs `bind`; reports a mistake in a table at the parameter it belongs to.
template <typename Bind>
void WithinParameter(const std::string& parameter, Bind bind) {
  try {
    bind();
  } catch (const BadInput& bad) {
    Problem problem = bad.problem();
    problem.where = parameter + (problem.where.empty() ? "" : "." + problem.where);
    throw BadInput(std::move(problem));
  }
}

// One servo for each of the table, on the coordinate of its name among `names`; `kind` names their
// kind: "mode", "hinge". Throws BadInput with paths below the table.
std::vector<PdServo> ServosOn(const std::vector<std::string>& names, const std::string& kind,
                              const std::string& body, const ControlTable& table);

// The body a table names, or the only one. Throws BadInput ("body").
int BodyOfTable(const Scene& scene, const std::string& name);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTROL_BINDING_H_
