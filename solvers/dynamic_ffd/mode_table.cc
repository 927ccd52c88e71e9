#include "solvers/dynamic_ffd/mode_table.h"

#include <algorithm>
#include <optional>
#include <set>

#include "solvers/dynamic_ffd/lattice_plan.h"
#include "solvers/dynamic_ffd/mode_entry.h"

namespace pliant::dynamic_ffd {
namespace {

std::optional<double> Number(const MatrixTable& table, const std::string& name) {
  const auto found = table.scalars.find(name);
  return found == table.scalars.end() ? std::nullopt : std::optional(found->second);
}

// Rows of the matrices; of the dimension of the scene when no mode is drawn.
int RowsOf(const MatrixTable& table, int dimension, const ModeTableProblems& problems) {
  for (const NamedMatrix& entry : table.entries) {
    const auto rows = static_cast<int>(entry.values.rows());
    if (rows == 0) continue;
    if (rows == 2 || rows == 3) return rows;
    problems.Fail("mode '" + entry.name + "' has " + std::to_string(rows) + " rows",
                  "give one row of displacements along x, one along y, and in space one along z");
  }
  return dimension;
}

std::vector<std::string> Joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<LatticePlan> ReadLattices(const MatrixTable& table, int rows,
                                      const ModeTableProblems& problems) {
  const std::vector<std::string> material = {"youngs_modulus", "poisson_ratio", "density",
                                             "thickness"};
  const auto group = table.groups.find("lattice");
  if (group == table.groups.end()) {
    problems.RequireKnown(table.scalars, Joined(LatticeNumbers(), material), "the mode table");
    problems.RequireKnown(table.texts, LatticeTexts(), "the mode table");
    return {ReadLatticePlan({"", {}, table.scalars, table.texts, {}}, rows, problems)};
  }
  problems.RequireKnown(table.scalars, material, "a mode table with [[lattice]] tables");
  problems.RequireKnown(table.texts, {}, "a mode table with [[lattice]] tables");
  std::vector<LatticePlan> lattices;
  for (size_t i = 0; i < group->second.size(); ++i) {
    const NamedMatrix& entry = group->second[i];
    const ModeTableProblems here(problems, "lattice[" + std::to_string(i) + "]");
    for (const LatticePlan& other : lattices) {
      if (other.name == entry.name) {
        here.Fail("two lattices are named '" + entry.name + "'", "rename one");
      }
    }
    here.RequireKnown(entry.scalars, LatticeNumbers(), "lattice '" + entry.name + "'");
    here.RequireKnown(entry.texts, LatticeTexts(), "lattice '" + entry.name + "'");
    lattices.push_back(ReadLatticePlan(entry, rows, here));
  }
  return lattices;
}

std::optional<ModeMaterial> ReadMaterial(const MatrixTable& table,
                                         const ModeTableProblems& problems) {
  const auto modulus = Number(table, "youngs_modulus"), ratio = Number(table, "poisson_ratio");
  ModeMaterial material{{modulus.value_or(0.0), ratio.value_or(0.0)},
                        Number(table, "density"),
                        Number(table, "thickness")};
  if (!modulus) {
    if (ratio || material.density || material.thickness) {
      problems.Fail("the material of the mode table has no youngs_modulus",
                    "give youngs_modulus in Pa");
    }
    return std::nullopt;
  }
  if (!(*modulus > 0.0)) problems.Fail("youngs_modulus is not positive", "give it in Pa");
  if (!(material.elastic.poisson_ratio > -1.0 && material.elastic.poisson_ratio < 0.5)) {
    problems.Fail("poisson_ratio is out of range", "it must be more than -1 and less than 0.5");
  }
  for (const auto& [name, value] :
       {std::pair{"density", material.density}, std::pair{"thickness", material.thickness}}) {
    if (value && !(*value > 0.0)) {
      problems.Fail(std::string(name) + " is not positive", "give it in SI units");
    }
  }
  return material;
}

}  // namespace

ModeTable ReadModeTable(const MatrixTable& table, int dimension) {
  const ModeTableProblems problems(table);
  if (table.entries.empty() && table.scalars.empty() && table.groups.empty()) {
    problems.Fail("no deformation modes are given",
                  dimension == 2
                      ? "set modes = \"rod\" or another table of data/modes; \"rigid\" for "
                        "bodies that do not deform"
                      : "set modes = \"sheet\" or another table of data/modes; "
                        "\"rigid-in-space\" for bodies that do not deform");
  }
  for (const auto& [kind, entries] : table.groups) {
    if (kind == "lattice") continue;
    problems.Fail("unknown tables [[" + kind + "]] in a mode table",
                  DidYouMean(kind, {"entry", "lattice"}));
  }
  const int rows = RowsOf(table, dimension, problems);
  ModeTable modes;
  modes.lattices = ReadLattices(table, rows, problems);
  modes.material = ReadMaterial(table, problems);
  std::set<std::string> names;
  for (size_t k = 0; k < table.entries.size(); ++k) {
    const NamedMatrix& entry = table.entries[k];
    const ModeTableProblems here(problems, "entry[" + std::to_string(k) + "]");
    if (!names.insert(entry.name).second) {
      here.Fail("two modes are named '" + entry.name + "'", "rename one");
    }
    modes.modes.push_back(ReadModeEntry(entry, rows, modes, here));
    for (const BlendPart& part : modes.modes.back().blend) modes.modes[part.mode].in_use = false;
  }
  return modes;
}

std::string PlaceOfMode(int k) { return "modes.entry[" + std::to_string(k) + "]"; }

void UseModes(const std::vector<std::string>& names, ModeTable* table) {
  if (names.empty()) return;
  std::vector<std::string> known;
  for (DeformationMode& mode : table->modes) {
    mode.in_use = false;
    known.push_back(mode.name);
  }
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      throw BadInput(
          {"use_modes", "the mode table has no mode '" + name + "'", DidYouMean(name, known)});
    }
    DeformationMode& mode = table->modes[found - known.begin()];
    if (mode.in_use) throw BadInput({"use_modes", "mode '" + name + "' is selected twice", ""});
    mode.in_use = true;
  }
}

}  // namespace pliant::dynamic_ffd
