#include "solvers/dynamic_ffd/mode_entry.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Vector3d;

std::optional<double> Number(const NamedMatrix& entry, const std::string& name) {
  const auto found = entry.scalars.find(name);
  return found == entry.scalars.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> Text(const NamedMatrix& entry, const std::string& name) {
  const auto found = entry.texts.find(name);
  return found == entry.texts.end() ? std::nullopt : std::optional(found->second);
}

std::string Of(const NamedMatrix& entry) { return "mode '" + entry.name + "'"; }

Eigen::Matrix3Xd ReadDrawn(const NamedMatrix& entry, int rows, int points,
                           const ModeTableProblems& problems) {
  if (entry.values.rows() != rows || entry.values.cols() != points) {
    problems.Fail(
        Of(entry) + " has " + std::to_string(entry.values.rows()) + " rows of " +
            std::to_string(entry.values.cols()) + " displacements",
        "the lattice needs " + std::to_string(rows) + " rows of " + std::to_string(points));
  }
  if (!entry.values.allFinite()) {
    problems.Fail("a displacement of " + Of(entry) + " is not a finite number", "");
  }
  Eigen::Matrix3Xd displacements = Eigen::Matrix3Xd::Zero(3, points);
  displacements.topRows(rows) = entry.values;
  return displacements;
}

// The number of the axis that the text `key` names, `otherwise` when it is absent.
int ReadAxis(const NamedMatrix& entry, const std::string& key, int otherwise,
             const ModeTableProblems& problems) {
  const std::optional<std::string> word = Text(entry, key);
  if (!word) return otherwise;
  if (word->size() == 1 && *word >= "x" && *word <= "z") return (*word)[0] - 'x';
  problems.Fail("'" + key + "' of " + Of(entry) + " cannot be '" + *word + "'",
                "give \"x\", \"y\" or \"z\", and an angle for directions between x and y");
}

ModeShape ReadShape(const NamedMatrix& entry, const std::string& word,
                    const ModeTableProblems& problems) {
  ModeShape shape;
  std::vector<std::string> words;
  bool known = false;
  for (const auto& [name, kind] : ModeShapeKinds()) {
    words.push_back(name);
    if (name != word) continue;
    shape.kind = kind;
    known = true;
  }
  if (!known) {
    problems.Fail("unknown shape '" + word + "' of " + Of(entry), DidYouMean(word, words));
  }
  const bool leans = shape.kind == ModeShapeKind::kShear || shape.kind == ModeShapeKind::kBend;
  if (!leans && Text(entry, "toward")) {
    problems.Fail("a " + word + " has no direction 'toward' (" + Of(entry) + ")",
                  "give it an axis only");
  }
  const int axis = ReadAxis(entry, "axis", 0, problems);
  const int toward = ReadAxis(entry, "toward", axis == 0 ? 1 : 0, problems);
  if (axis == toward) {
    problems.Fail("'toward' of " + Of(entry) + " is its axis", "give it another axis");
  }
  const Eigen::AngleAxisd turn(Number(entry, "angle").value_or(0.0), Vector3d::UnitZ());
  shape.axis = turn * Vector3d(Vector3d::Unit(axis));
  shape.toward = turn * Vector3d(Vector3d::Unit(toward));
  shape.amount = Number(entry, "amount").value_or(shape.amount);
  if (shape.amount == 0.0) {
    problems.Fail("the amount of " + Of(entry) + " is 0, so the mode moves nothing",
                  "give another amount");
  }
  return shape;
}

std::vector<BlendPart> ReadBlend(const NamedMatrix& entry, const ModeTable& modes,
                                 const ModeTableProblems& problems) {
  std::vector<BlendPart> blend;
  std::vector<std::string> names;
  for (const DeformationMode& mode : modes.modes) names.push_back(mode.name);
  for (const auto& [name, weight] : entry.weights.at("blend")) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      problems.Fail(
          "no mode '" + name + "' stands before " + Of(entry) + ", which is meant to blend it",
          DidYouMean(name, names));
    }
    if (!std::isfinite(weight)) {
      problems.Fail("a weight of " + Of(entry) + " is not a finite number", "");
    }
    blend.push_back({static_cast<int>(found - names.begin()), weight});
  }
  if (blend.empty()) {
    problems.Fail(Of(entry) + " blends nothing", "write blend = {\"a mode\" = 1.0, …}");
  }
  return blend;
}

// The number of the lattice that the entry names, the first unless it names one.
int ReadLattice(const NamedMatrix& entry, const ModeTable& modes,
                const ModeTableProblems& problems) {
  const std::optional<std::string> name = Text(entry, "lattice");
  if (!name) return 0;
  std::vector<std::string> names;
  for (size_t i = 0; i < modes.lattices.size(); ++i) {
    if (modes.lattices[i].name == *name) return static_cast<int>(i);
    names.push_back(modes.lattices[i].name);
  }
  problems.Fail("no lattice '" + *name + "' for " + Of(entry), DidYouMean(*name, names));
}

void RequireNotNegative(const NamedMatrix& entry, const std::string& name,
                        const ModeTableProblems& problems) {
  if (Number(entry, name).value_or(0.0) < 0.0) {
    problems.Fail(name + " of " + Of(entry) + " is negative", "");
  }
}

void RequireOneOf(const NamedMatrix& entry, const std::string& a, const std::string& b,
                  const ModeTableProblems& problems) {
  if (!Number(entry, a) || !Number(entry, b)) return;
  problems.Fail(Of(entry) + " gives both " + a + " and " + b, "give one of them");
}

// An exponent that leaves a curvature everywhere, with a stiffness that is not that of a vibration
// or of a material, which belong to p = 2.
void RequirePower(const NamedMatrix& entry, const DeformationMode& mode, bool of_material,
                  const ModeTableProblems& problems) {
  if (mode.exponent < 2.0) {
    problems.Fail("exponent of " + Of(entry) + " is below 2",
                  "the potential stiffness |γ|^exponent needs curvature everywhere");
  }
  if (mode.exponent == 2.0) return;
  if (mode.frequency || mode.damping_ratio) {
    problems.Fail(
        "the frequency of " + Of(entry) + " depends on its amplitude, as its exponent is not 2",
        "give stiffness and damping in place of frequency and damping_ratio");
  }
  if (of_material && !mode.stiffness) {
    problems.Fail("the stiffness of " + Of(entry) +
                      " comes from the material, whose energy is quadratic: its exponent must be 2",
                  "give the mode a stiffness, or remove the exponent");
  }
}

}  // namespace

void ModeTableProblems::Fail(const std::string& what, const std::string& mend) const {
  throw BadInput({where_, file_.empty() ? what : what + " (in " + file_ + ")", mend});
}

void ModeTableProblems::RequireKnown(const std::map<std::string, double>& scalars,
                                     const std::vector<std::string>& known,
                                     const std::string& of) const {
  for (const auto& [name, value] : scalars) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      Fail("unknown number '" + name + "' of " + of, DidYouMean(name, known));
    }
    if (!std::isfinite(value)) Fail("'" + name + "' of " + of + " is not a finite number", "");
  }
}

void ModeTableProblems::RequireKnown(const std::map<std::string, std::string>& texts,
                                     const std::vector<std::string>& known,
                                     const std::string& of) const {
  for (const auto& [name, text] : texts) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      Fail("unknown text '" + name + "' of " + of, DidYouMean(name, known));
    }
  }
}

DeformationMode ReadModeEntry(const NamedMatrix& entry, int rows, const ModeTable& modes,
                              const ModeTableProblems& problems) {
  const bool drawn = entry.values.size() > 0;
  const std::optional<std::string> shape = Text(entry, "shape");
  const bool blended = entry.weights.contains("blend");
  for (const auto& [name, weights] : entry.weights) {
    if (name != "blend") {
      problems.Fail("unknown table '" + name + "' of " + Of(entry), DidYouMean(name, {"blend"}));
    }
  }
  if (int{drawn} + int{shape.has_value()} + int{blended} != 1) {
    problems.Fail(Of(entry) + " must be defined in exactly one way",
                  "give it values, a shape or a blend");
  }
  std::vector<std::string> numbers = {"stiffness",    "frequency",     "exponent",
                                      "damping",      "damping_ratio", "initial",
                                      "initial_rate", "lower",         "upper"};
  std::vector<std::string> texts = {"lattice"};
  if (shape) {
    numbers.insert(numbers.end(), {"amount", "angle"});
    texts.insert(texts.end(), {"shape", "axis", "toward"});
  }
  problems.RequireKnown(entry.scalars, numbers, Of(entry));
  problems.RequireKnown(entry.texts, texts, Of(entry));

  DeformationMode mode;
  mode.name = entry.name;
  mode.lattice = ReadLattice(entry, modes, problems);
  if (drawn) {
    const LatticeBases& bases = modes.lattices[mode.lattice].bases;
    const int points = bases[0].size() * bases[1].size() * bases[2].size();
    mode.displacements = ReadDrawn(entry, rows, points, problems);
  } else if (shape) {
    mode.shape = ReadShape(entry, *shape, problems);
  } else {
    mode.blend = ReadBlend(entry, modes, problems);
    for (const BlendPart& part : mode.blend) {
      if (modes.modes[part.mode].lattice == mode.lattice) continue;
      problems.Fail(Of(entry) + " blends '" + modes.modes[part.mode].name +
                        "', which belongs to another lattice",
                    "put both on the same lattice");
    }
  }
  for (const char* name : {"stiffness", "frequency", "damping", "damping_ratio"}) {
    RequireNotNegative(entry, name, problems);
  }
  RequireOneOf(entry, "stiffness", "frequency", problems);
  RequireOneOf(entry, "damping", "damping_ratio", problems);
  mode.stiffness = Number(entry, "stiffness");
  mode.frequency = Number(entry, "frequency");
  mode.damping = Number(entry, "damping").value_or(mode.damping);
  mode.damping_ratio = Number(entry, "damping_ratio");
  mode.initial = Number(entry, "initial").value_or(mode.initial);
  mode.initial_rate = Number(entry, "initial_rate").value_or(mode.initial_rate);
  mode.lower = Number(entry, "lower").value_or(mode.lower);
  mode.upper = Number(entry, "upper").value_or(mode.upper);
  if (mode.lower >= mode.upper) {
    problems.Fail("limits of " + Of(entry) + " are empty: lower is not below upper", "");
  }
  mode.exponent = Number(entry, "exponent").value_or(mode.exponent);
  RequirePower(entry, mode, modes.material.has_value(), problems);
  return mode;
}

}  // namespace pliant::dynamic_ffd
