#include "solvers/response/backend.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "solvers/response/response_simulation.h"

namespace pliant {
namespace {

// Why a body cannot be a surface of this method; empty when it can.
std::string WhyNoSurface(const Scene& scene, const Body& body) {
  const std::string sizes = "needs a sheet of 2^k + 1 points a side";
  if (body.shape == ShapeKind::kChain) {
    if (scene.dimension != 2) return "a curve has a pressed side only in the plane; " + sizes;
  } else if (body.shape != ShapeKind::kSheet) {
    return "only surfaces: " + sizes + " or a planar chain of as many";
  } else if (body.grid[0] != body.grid[1]) {
    return "its grid is not square; " + sizes;
  }
  const int points = body.grid[0];
  if (DyadicLevel(points)) return "";
  const DyadicNeighbours nearest = NearestDyadic(points);
  return std::to_string(points) + " points a side cannot be halved down to 2; the nearest sizes " +
         "are " + std::to_string(nearest.below) + " and " + std::to_string(nearest.above);
}

// Is there anything that the surfaces would ever answer to? Obstacles that neither move nor touch
// wait for surfaces to come to them, and these do not come.
bool SomethingPresses(const Scene& scene) {
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  return std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                     [&start](const Obstacle& obstacle) {
                       if (obstacle.motion.moves()) return true;
                       const Eigen::Vector3d origin = obstacle.motion.At(0.0).position;
                       for (Eigen::Index i = 0; i < start.cols(); ++i) {
                         if (SignedDistance(obstacle.shape, origin, start.col(i)).distance < 0.0)
                           return true;
                       }
                       return false;
                     });
}

// Does the spring hold its point to where the point starts?
bool IsFoundation(const Scene& scene, const Eigen::Matrix3Xd& start, const Spring& spring) {
  if (spring.b || spring.rest_length != 0.0) return false;
  const double extent = (start.rowwise().maxCoeff() - start.rowwise().minCoeff()).norm();
  return (start.col(scene.Index(spring.a)) - spring.anchor).norm() <= 1e-9 * extent;
}

void RecordBodies(const Scene& scene, TranslationRecord* record) {
  for (const Body& body : scene.bodies) {
    const std::string name = "body." + body.name;
    const std::string why_not = WhyNoSurface(scene, body);
    record->Say(name, why_not.empty() ? Fidelity::kExact : Fidelity::kUnsupported,
                why_not.empty() ? "its masses play no part" : why_not);
    record->Say(name + ".velocity", Fidelity::kUnsupported,
                "a surface without inertia cannot keep a velocity");
    record->Say(name + ".stretch", Fidelity::kApproximated,
                "the stretched shape is taken for the shape at rest: it does not spring back");
  }
}

void RecordObstacles(const Scene& scene, TranslationRecord* record) {
  for (const Obstacle& obstacle : scene.obstacles) {
    const std::string name = "obstacle." + obstacle.name;
    record->Say(name, Fidelity::kExact,
                "presses the surface towards its back; from behind it is drawn through");
    record->Say(name + ".friction", Fidelity::kApproximated,
                std::string("turns the direction in which vertices are displaced, from the normal "
                            "(0) to the motion of the obstacle (1); not Coulomb's law") +
                    (obstacle.friction > 1.0 ? "; a coefficient above 1 counts as 1" : ""));
    record->Say(name + ".motion", Fidelity::kExact, "");
  }
}

void RecordForces(const Scene& scene, TranslationRecord* record) {
  const std::string no_forces = "the method knows no forces and no inertia";
  if (SomethingPresses(scene)) {
    record->Say("gravity", Fidelity::kIgnored, "surfaces answer without forces");
  } else {
    record->Say("gravity", Fidelity::kUnsupported,
                "surfaces answer only to what presses them, and nothing here does");
  }
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  // Springs may share a name; the worst word on them stands, so it is spoken last.
  for (const Spring& spring : scene.springs) {
    if (spring.stiffness == 0.0 || !IsFoundation(scene, start, spring)) continue;
    record->Say("spring." + spring.name, Fidelity::kApproximated,
                "an elastic foundation: elastic offsets and their relaxation stand in for it, not "
                "its stiffness");
  }
  for (const Spring& spring : scene.springs) {
    if (spring.stiffness == 0.0 || IsFoundation(scene, start, spring)) continue;
    record->Say("spring." + spring.name, Fidelity::kUnsupported,
                no_forces + "; only springs that hold points to where they start have a stand-in");
  }
  record->Say("spring.*", Fidelity::kIgnored,
              "dampers without stiffness: there is no velocity to damp");
  record->Say("nail.*", Fidelity::kUnsupported, "the method has no pinned points");
  record->Say("attachment.*", Fidelity::kUnsupported, "the method has no ties between surfaces");
  record->Say("force.*", Fidelity::kUnsupported, no_forces);
  record->Say("impulse.*", Fidelity::kUnsupported, no_forces);
  SayCartoonEffectsIgnored(record);
}

class ResponseBackend final : public Backend {
 public:
  const BackendInfo& info() const override {
    static const BackendInfo info = {
        .name = "kinematic-response",
        .title = "kinematic collision response",
        .source = "Harrison 1994",
        .summary =
            "a surface of several resolutions moves out of what presses it; each level takes its "
            "share of the displacement and recovers in its own time",
        .losses =
            "no masses, forces, energy or velocity; a surface moves only where it is pressed, from "
            "the side its normal points to; how levels share a displacement depends on the step "
            "to first order",
        .condition_of = "",
        .extras = ResponseExtras()};
    return info;
  }

  std::vector<ParameterInfo> Parameters() const override {
    return DescribeParameters<ResponseOptions>();
  }

  Translation Translate(std::shared_ptr<const Scene> scene,
                        const ParameterValues& parameters) const override {
    const auto options = BindParameters<ResponseOptions>(parameters);
    Translation translation{TranslationRecord(*scene), nullptr, {}};
    RecordBodies(*scene, &translation.record);
    RecordObstacles(*scene, &translation.record);
    RecordForces(*scene, &translation.record);
    if (!translation.record.supported()) return translation;
    for (const Body& body : scene->bodies) {
      options.RequireLevels(*DyadicLevel(body.grid[0]) + 1, body.name);
    }
    translation.simulation = std::make_unique<ResponseSimulation>(std::move(scene), options);
    return translation;
  }
};

}  // namespace

const Backend& KinematicResponseBackend() {
  static const ResponseBackend backend;
  return backend;
}

}  // namespace pliant
