// The tables of a scene file: every element of a scene with its keys, bound to the struct of
// models/scene that it becomes.
//
//   void Bind(KeyBinder& b, std::vector<Nail>& nails)
//
// adds what one table [[nail]] makes: `points = "corners"` makes four nails. Elements refer to
// bodies and points by name; ReadContext::scene knows those that have been read.

#ifndef PLIANT_EXPERIMENTS_FILES_SCENE_KEYS_H_
#define PLIANT_EXPERIMENTS_FILES_SCENE_KEYS_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "experiments/files/keys.h"
#include "experiments/files/point_names.h"
#include "models/geometry/path.h"
#include "models/scene/scene.h"

namespace pliant {

// The part of a scene that has been read.
struct SceneSoFar {
  Scene scene;
  // Of all bodies, once these have been read: their points, and the first of each name.
  Eigen::Matrix3Xd start;
  std::unordered_map<std::string, int> body_of;

  // The names of elements with a mistake, which are not in the scene, by kind; "" where the name is the mistake.
  std::map<std::string, std::set<std::string>> spoiled;

  Eigen::Vector3d Start(const PointRef& point) const { return start.col(scene.Index(point)); }

  // Throws Consequence() if `name`, which the scene does not have, may be an element with a mistake. Adds the names
  // of these to `names` otherwise.
  void ThrowIfSpoiled(const std::string& kind, const std::string& name,
                      std::vector<std::string>* names) const;
};

EnumWords<Path::Interpolation> WordsOf(Path::Interpolation);

// A rotation about an axis; a bare number turns about z.
void Bind(KeyBinder& b, Eigen::AngleAxisd& rotation);
using RotationValue = std::variant<double, Eigen::AngleAxisd>;
Eigen::AngleAxisd ToRotation(const RotationValue& rotation);

// The motion of an obstacle.
void Bind(KeyBinder& b, Path& path);
template <>
inline Path Unread<Path>() {
  return Path::Still(Eigen::Vector3d::Zero());
}

// The motion of a point, or of a sum of points: positions, or offsets from where it starts.
struct LedPath {
  Path path = Path::Still(Eigen::Vector3d::Zero());
  bool from_start = false;

  Path From(const Eigen::Vector3d& start) const;
};
void Bind(KeyBinder& b, LedPath& path);

// The outline of a profile: a shape file, or the same keys in the body itself.
struct Outline {
  std::vector<std::array<double, 2>> points;
  std::vector<double> masses;
  std::vector<std::array<int, 2>> edges;
  std::vector<std::array<int, 3>> faces;
};
void Bind(KeyBinder& b, Outline& outline);

struct MaterialDamping {
  double mass = 0.0, stiffness = 0.0;  // 1/s, s
};
void Bind(KeyBinder& b, MaterialDamping& damping);

// What a body is made of; its density unless the body gives its mass, its elasticity unless the body is rigid.
struct MaterialTable {
  Material material;
  std::optional<double> youngs_modulus, poisson_ratio;
  std::optional<double> density;  // kg/m³
};
void Bind(KeyBinder& b, MaterialTable& table);

// The shapes of bodies and of obstacles. A table has the keys that all of them have and those of its
// shape, by which `bind` makes the body called `name`, or the shape of the obstacle.
struct BodyShape {
  ShapeKind kind;
  const char* word;
  const char* meaning;  // a sentence
  Body (*bind)(KeyBinder& b, const std::string& name);
};
std::span<const BodyShape> BodyShapes();

struct ObstacleWord {
  const char* word;
  const char* meaning;  // a sentence; may be empty
  ObstacleShape (*bind)(KeyBinder& b);
};
std::span<const ObstacleWord> ObstacleWords();  // in the order of ObstacleShape

// The keys that all bodies, all obstacles have.
std::vector<KeyInfo> DescribeBody();
std::vector<KeyInfo> DescribeObstacle();

// The keys of one table of each kind; where the shape decides, those of all shapes.
void Bind(KeyBinder& b, std::vector<Body>& bodies);
void Bind(KeyBinder& b, std::vector<Obstacle>& obstacles);
void Bind(KeyBinder& b, std::vector<Nail>& nails);
void Bind(KeyBinder& b, std::vector<Attachment>& attachments);
void Bind(KeyBinder& b, std::vector<Slider>& sliders);
void Bind(KeyBinder& b, Combination::Term& term);
void Bind(KeyBinder& b, std::vector<Combination>& combinations);
void Bind(KeyBinder& b, std::vector<Limit>& limits);
void Bind(KeyBinder& b, std::vector<Spring>& springs);
void Bind(KeyBinder& b, std::vector<TimedForce>& forces);
void Bind(KeyBinder& b, std::vector<Impulse>& impulses);
void Bind(KeyBinder& b, std::vector<Notice>& notices);
void Bind(KeyBinder& b, std::vector<Morph>& morphs);
void Bind(KeyBinder& b, std::vector<Behaviour>& behaviours);

// [contact.A.B]: its keys; the names of its table are those of the bodies.
void Bind(KeyBinder& b, BodyContact& contact);

// A sequence of forces on each point.
struct ForceHistory {
  std::vector<double> times;  // when each begins, and the end
  std::vector<Eigen::Vector3d> forces;
};
void Bind(KeyBinder& b, ForceHistory& history);

// The kinds of tables that make up a scene, in the order in which they are read.
struct ElementKind {
  const char* name;     // of its tables: "nail" of [[nail]]
  const char* meaning;  // description of the list on the format page
  std::vector<KeyInfo> (*describe)();
  // Adds what `table` makes to the scene. Returns how many elements of this kind there are then.
  size_t (*read)(FileValue* table, SceneSoFar* so_far);
};
std::span<const ElementKind> ElementKinds();

// The keys of the scene itself: its own, and the tables of each kind.
struct SceneTables {
  Scene scene;  // without elements
  std::vector<std::vector<FileValue*>> of_kind;
  std::optional<FileValue*> contacts;  // a table for body A of tables for body B
};
void Bind(KeyBinder& b, SceneTables& tables);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_SCENE_KEYS_H_
