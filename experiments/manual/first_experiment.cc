#include "experiments/manual/first_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "models/problem.h"

namespace pliant {
namespace {

struct Shape {
  const char* word;
  const char* what;  // "A block"
  const char* body;  // its keys below [[scene.body]] and [scene.body.material]
  const char* side;  // the points of its two sides
  const char* other_side;
  double mass;  // kg
  int points;
  const char* modes;        // a table of data/modes
  const char* lattice;      // instead of a table
  const char* order;        // of linear-deformation where nothing or one side is held
  std::array<double, 3> y;  // m, of what lies below: where it is met, for each of FirstHolds()
  const char* compliance;   // m/N, of an edge as the material has it; empty: it does not deform
};

constexpr char kQuadratic[] =
    "order = 2                        # quadratic: an affine body cannot bend\n";

constexpr Shape kShapes[] = {
    {"block",
     "A block",
     R"(shape = "block"
size = [1.0, 0.3, 0.3]           # m
points = [7, 3, 3]

[scene.body.material]
density = 1000                   # kg/m³
youngs_modulus = {youngs}             # Pa
poisson_ratio = 0.3
damping = {{stiffness = 0.002}}    # s
)",
     "\"x-\"",
     "\"x+\"",
     90.0,
     63,
     "",
     R"(free_lattice = true              # all displacements of this lattice
modes = {degree_x = 2, degree_y = 1, degree_z = 1, size_x = 1.0, size_y = 0.3, size_z = 0.3}
)",
     kQuadratic,
     {-0.3, -0.2, -0.17},
     "7e-5"},
    {"rigid-block",
     "A rigid block",
     R"(shape = "block"
size = [0.6, 0.3, 0.3]           # m
points = [5, 3, 3]
rigid = true                     # keeps its shape in every formulation

[scene.body.material]
density = 1000                   # kg/m³; what deforms has more: youngs_modulus, poisson_ratio
)",
     "\"x- top z-\"",
     "\"x+ top z-\"",
     54.0,
     45,
     "",
     "",
     "",
     {-0.3, -0.3, -0.2},
     ""},
    {"sheet",
     "A sheet",
     R"(shape = "sheet"
plane = "xz"
size = [1.0, 1.0]                # m
points = [17, 17]

[scene.body.material]
density = 100                    # kg/m³
youngs_modulus = 1e5             # Pa
poisson_ratio = 0.3
thickness = 0.01                 # m
damping = {stiffness = 0.002}    # s
)",
     "\"border x-\"",
     "\"border x+\"",
     1.0,
     289,
     "sheet.toml",
     "",
     "",
     {-0.3, -0.3, -0.04},
     "1e-3"},
    {"chain",
     "A chain",
     R"(shape = "chain"
from = [-0.5, 0, 0]              # m
to = [0.5, 0, 0]
points = 17

[scene.body.material]
density = 1000                   # kg/m³
youngs_modulus = 1e6             # Pa
poisson_ratio = 0.3
thickness = 0.02                 # m
damping = {stiffness = 0.002}    # s
)",
     "\"start\"",
     "\"end\"",
     0.4,
     17,
     "chain.toml",
     "",
     "",
     {-0.3, -0.3, -0.04},
     "1.6e-4"},
};

constexpr char kHead[] = R"(# {what} that {holds}{below}.
#
# Change a value, then ask again what each formulation makes of it:
#
#   pliant check FILE       every mistake, and what each backend would do; writes nothing
#   pliant compare FILE     runs all backends, prints a table, writes a report
#   pliant explain WORD     what the manual says of a key below or of a figure in the table

title = "{what} that {holds}{below}"

[scene]
name = "{word}"
gravity = [0, -9.81, 0]          # m/s²

[[scene.body]]
name = "body"
{body})";

constexpr char kNail[] = R"(
[[scene.nail]]                   # holds these points where they start
name = "{}"
body = "body"
points = {}
)";

constexpr double kBallRadius = 0.2;  // m

constexpr char kFloor[] = R"(
[[scene.obstacle]]
name = "floor"
shape = "plane"
normal = [0, 1, 0]
position = [0, {:.4g}, 0]         # m
friction = 0.3
)";

constexpr char kBall[] = R"(
[[scene.obstacle]]
name = "ball"
shape = "sphere"
radius = 0.2                     # m
position = [0.1, {:.4g}, 0]       # m
friction = 0.3
)";

constexpr char kRun[] = R"(
[run]
duration = 1.0                   # s
step = 0.0002                    # s
record_every = 0.02              # s

[[probe]]                        # a column of your own: how far the centre of mass has moved
name = "centre"
measure = "displacement"
component = "y"
of = {{body = "body", points = "all"}}
)";

// A point of mass m on a spring of K = m g / 1 mm; a tenth of its critical damping.
constexpr double kSink = 1e-3;  // m

std::string Penalty(const Shape& shape, const FirstChoice& choice) {
  if (choice.below == "nothing") return "";
  const double mass = shape.mass / shape.points, stiffness = mass * 9.81 / kSink;
  return fmt::format(
      "contact_stiffness = {:.2g}          # N/m: each point sinks in by 1 mm under its weight\n"
      "contact_damping = {:.2g}\n"
      "contact_tangential_stiffness = {:.2g}\n"
      "contact_tangential_damping = {:.2g}\n",
      stiffness, 0.2 * std::sqrt(stiffness * mass), stiffness, 0.2 * std::sqrt(stiffness * mass));
}

// Does it hang between two sides, and deform?
bool IsStretched(const Shape& shape, const FirstChoice& choice) {
  return choice.held == "both-sides" && *shape.compliance != '\0';
}

// Sweeps correct the lengths of edges. Nothing can move that is taut between two walls, but what gaps are left over moves,
// and no energy pays for it.
std::string Sweeps(const Shape& shape, const FirstChoice& choice) {
  if (IsStretched(shape, choice)) {
    return fmt::format(R"(
# Not here: displacement-constraints. Its segments are rigid, and taut between two sides: they cannot sag.

[backends.position-based]
compliance = {}                # m/N of an edge: one without would be as taut
)",
                       shape.compliance);
  }
  const std::string keeps_shape =
      choice.shape == "block"
          ? "shape_stiffness = 3000.0         # 1/s²: edges alone resist no shear\n"
          : "";
  return "\n[backends.displacement-constraints]\n" + keeps_shape + "\n[backends.position-based]\n" +
         keeps_shape;
}

std::string Backends(const Shape& shape, const FirstChoice& choice, const std::string& modes) {
  const std::string penalty = Penalty(shape, choice);
  std::string text = "\n[backends.dynamic-ffd]\n";
  text += *shape.modes == '\0' ? shape.lattice : fmt::format("modes = \"{}\"\n", modes);
  text += penalty + "\n[backends.linear-deformation]\n" +
          (IsStretched(shape, choice) ? kQuadratic : shape.order) + penalty + Sweeps(shape, choice);
  // It works on surfaces, and holds no points.
  if (choice.shape == "sheet" && choice.held == "nothing" && choice.below != "nothing") {
    text += "\n[backends.kinematic-response]\n" + penalty;
  }
  return text +
         "\n[backends.finite-elements]      # the continuum; slower\nstep = 0.01                   "
         "   # s\n";
}

void MustBeOneOf(const std::string& word, const std::string& of,
                 const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), word) == words.end()) {
    throw BadInput({"", fmt::format("--{} cannot be '{}'", of, word), DidYouMean(word, words)});
  }
}

}  // namespace

const std::vector<std::string>& FirstShapes() {
  static const std::vector<std::string> words = {"block", "rigid-block", "sheet", "chain"};
  return words;
}
const std::vector<std::string>& FirstHolds() {
  static const std::vector<std::string> words = {"nothing", "one-side", "both-sides"};
  return words;
}
const std::vector<std::string>& FirstObstacles() {
  static const std::vector<std::string> words = {"nothing", "floor", "ball"};
  return words;
}

std::string ModeTableOf(const std::string& shape) {
  for (const Shape& known : kShapes) {
    if (shape == known.word) return known.modes;
  }
  return "";
}

std::string FirstExperimentText(const FirstChoice& choice, const std::string& modes) {
  MustBeOneOf(choice.shape, "shape", FirstShapes());
  MustBeOneOf(choice.held, "held", FirstHolds());
  MustBeOneOf(choice.below, "below", FirstObstacles());
  const Shape& shape = *std::find_if(std::begin(kShapes), std::end(kShapes),
                                     [&](const Shape& s) { return choice.shape == s.word; });
  const std::string holds = choice.held == "nothing"    ? "falls"
                            : choice.held == "one-side" ? "is held at one side"
                                                        : "is held at two sides";
  const std::string below = choice.below == "nothing" ? "" : " above a " + choice.below;
  const auto hold = std::find(FirstHolds().begin(), FirstHolds().end(), choice.held);
  const double y = shape.y[static_cast<size_t>(hold - FirstHolds().begin())];
  // Held at one side, the block of 1e5 Pa folds down.
  const std::string body =
      choice.shape == "block"
          ? fmt::format(fmt::runtime(shape.body),
                        fmt::arg("youngs", choice.held == "one-side" ? "1e6" : "1e5"))
          : shape.body;
  std::string text =
      fmt::format(kHead, fmt::arg("what", shape.what), fmt::arg("holds", holds),
                  fmt::arg("below", below), fmt::arg("word", choice.shape), fmt::arg("body", body));
  if (choice.held != "nothing") text += fmt::format(kNail, "wall", shape.side);
  if (choice.held == "both-sides") text += fmt::format(kNail, "other wall", shape.other_side);
  if (choice.below == "floor") text += fmt::format(kFloor, y);
  if (choice.below == "ball") text += fmt::format(kBall, y - kBallRadius);
  return text + fmt::format(kRun) + Backends(shape, choice, modes);
}

}  // namespace pliant
