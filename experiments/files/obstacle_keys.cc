// [[obstacle]]: its shape and its motion.

#include <algorithm>
#include <cmath>

#include "experiments/files/mesh_reader.h"
#include "experiments/files/scene_keys.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

void BindRotation(KeyBinder& b, std::optional<RotationValue>* rotation) {
  b.Optional("rotation", rotation, "rad", "orientation; a single number turns about z");
}

ObstacleShape BindPlane(KeyBinder& b) {
  std::optional<Direction> normal;
  std::optional<double> slope;
  b.Optional("normal", &normal, "1", "direction out of the solid, of any length; default: +y");
  b.Optional("slope", &slope, "rad",
             "instead of normal: angle by which the plane rises towards +x");
  b.AtMostOne({"normal", "slope"}, "a plane");
  Plane plane;
  if (slope) plane.normal = {-std::sin(*slope), std::cos(*slope), 0.0};
  if (normal) plane.normal = normal->unit;
  return plane;
}

ObstacleShape BindSphere(KeyBinder& b) {
  Sphere sphere;
  b.Required("radius", &sphere.radius, "m", "radius");
  return sphere;
}

ObstacleShape BindBox(KeyBinder& b) {
  std::array<double, 3> half_size{};
  std::optional<RotationValue> rotation;
  b.Required("half_size", &half_size, "m", "half its extent along its three axes");
  BindRotation(b, &rotation);
  Box box{{half_size[0], half_size[1], half_size[2]}};
  if (rotation) box.axes = ToRotation(*rotation).toRotationMatrix();
  return box;
}

ObstacleShape BindCapsule(KeyBinder& b) {
  Capsule capsule;
  b.Required("half_axis", &capsule.half_axis, "m", "from the centre to the end of the axis");
  b.Required("radius", &capsule.radius, "m", "radius about the axis");
  return capsule;
}

ObstacleShape BindSolid(KeyBinder& b) {
  std::optional<std::string> file;
  Polygons polygons;
  std::optional<RotationValue> rotation;
  b.Optional("file", &file, "1", "OBJ file with the following two keys");
  if (b.reading()) InlineMeshFile(b.table(), false);
  BindPolygons(b, &polygons);
  BindScale(b, &polygons);
  BindRotation(b, &rotation);
  if (!b.reads()) return Solid();
  if (rotation) {
    polygons.vertices = ToRotation(*rotation).toRotationMatrix() * polygons.vertices;
  }
  try {
    return Solid{ConvexPieces(polygons.vertices, polygons.mesh)};
  } catch (const BadInput& bad) {
    FailInMesh(*b.table(), bad.problem());
  }
}

constexpr auto kWords = std::to_array<ObstacleWord>({
    {"plane", "A half space.", BindPlane},
    {"sphere", "", BindSphere},
    {"box", "", BindBox},
    {"capsule", "All points near a segment.", BindCapsule},
    {"solid",
     "A closed mesh of which every connected part is convex: a concave solid consists of convex "
     "pieces.",
     BindSolid},
});
static_assert(kWords.size() == std::variant_size_v<ObstacleShape>);

// A number of kWords.
enum class ObstacleIndex : size_t {};
EnumWords<ObstacleIndex> WordsOf(ObstacleIndex) {
  EnumWords<ObstacleIndex> words;
  for (const ObstacleWord& word : kWords)
    words.emplace_back(word.word, ObstacleIndex(words.size()));
  return words;
}

// The keys of every obstacle.
void BindCommon(KeyBinder& b, Obstacle* obstacle) {
  ObstacleIndex shape{};
  std::optional<Vector3d> position;
  std::optional<Path> path;
  b.Required("name", &obstacle->name, "1", "name of the element in the translation record");
  b.Required("shape", &shape, "1", "kind of shape; determines the other keys");
  b.Default("friction", &obstacle->friction, "1", "Coulomb coefficient; 0: without friction");
  b.Default("restitution", &obstacle->restitution, "1",
            "ratio of the speeds after and before a bounce, 0 to 1; used by contact that acts by "
            "impulses");
  b.Optional("position", &position, "m",
             "position of the origin: the centre, or a point of the plane; default: [0, 0, 0]");
  b.Optional("path", &path, "", "instead of position: path of the obstacle, which does not turn");
  b.AtMostOne({"path", "position"}, "an obstacle");
  if (position) obstacle->motion = Path::Still(*position);
  if (path) obstacle->motion = *path;
}

}  // namespace

std::span<const ObstacleWord> ObstacleWords() { return kWords; }

std::vector<KeyInfo> DescribeObstacle() {
  Obstacle obstacle;
  return DescribeTable([&](KeyBinder& b) { BindCommon(b, &obstacle); });
}

void Bind(KeyBinder& b, std::vector<Obstacle>& obstacles) {
  const auto shape = b.Peek<ObstacleIndex>("shape");
  const auto given = [&](size_t i) { return shape && static_cast<size_t>(*shape) == i; };
  b.Title("[[obstacle]]");
  for (size_t i = 0; i < kWords.size(); ++i) {
    if (given(i)) b.Title(std::string("[[obstacle]] with shape = \"") + kWords[i].word + '"');
  }
  Obstacle obstacle;
  BindCommon(b, &obstacle);
  if (b.reading() && !shape) return;
  for (size_t i = 0; i < kWords.size(); ++i) {
    if (shape && !given(i)) continue;
    obstacle.shape = kWords[i].bind(b);
  }
  if (b.reads()) obstacles.push_back(std::move(obstacle));
}

}  // namespace pliant
