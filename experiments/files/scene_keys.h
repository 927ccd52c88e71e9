// The tables of a scene file, each with its keys.

#ifndef PLIANT_EXPERIMENTS_FILES_SCENE_KEYS_H_
#define PLIANT_EXPERIMENTS_FILES_SCENE_KEYS_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "experiments/files/keys.h"
#include "models/geometry/path.h"
#include "models/scene/scene.h"

namespace pliant {

EnumWords<ShapeKind> WordsOf(ShapeKind);
EnumWords<Path::Interpolation> WordsOf(Path::Interpolation);

struct SceneKeys {
  static constexpr char kTitle[] = "the scene";
  std::string name;
  std::string description;
  int dimension = 3;
  Eigen::Vector3d gravity{0.0, -9.81, 0.0};
  std::vector<FileValue*> body;
  std::optional<std::vector<FileValue*>> obstacle, nail, attachment, spring, force, impulse;
  std::optional<std::vector<FileValue*>> slider, combination, limit;
  std::optional<std::vector<FileValue*>> notice, morph, behaviour;
  void Bind(KeyBinder& b);
};

// The unit vector along `vector`. Throws FileError at `place` where it has no direction; `what` is
// what the message calls it.
Eigen::Vector3d Direction(const Eigen::Vector3d& vector, const FilePlace& place,
                          const std::string& what);

// Rotation about an axis; a bare number turns about z.
struct AxisAngleKeys {
  static constexpr char kTitle[] = "{axis, angle}";
  Eigen::Vector3d axis;
  double angle = 0.0;
  void Bind(KeyBinder& b);
};
using RotationValue = std::variant<double, AxisAngleKeys>;
// Throws FileError at `place` for an axis without direction.
Eigen::AngleAxisd ToRotation(const RotationValue& rotation, const FilePlace& place);

using SpinValue = std::variant<double, Eigen::Vector3d>;

// One point of a body: its index, its place in the grid, or a mark or group that has one point.
struct PointValue {
  std::variant<int, std::vector<int>, std::string> is;
};
template <>
struct Codec<PointValue> : Codec<decltype(PointValue::is)> {
  static std::string Words() { return "point"; }
  static PointValue Read(FileValue* value, const ReadContext& context) {
    return {Codec<decltype(PointValue::is)>::Read(value, context)};
  }
};
// Several: the name of a group, or a list.
using PointsValue = std::variant<std::string, std::vector<PointValue>>;

// {name = …, …}, by name.
template <typename T>
struct Codec<std::map<std::string, T>> {
  static std::string Words() { return "{name = " + Codec<T>::Words() + ", …}"; }
  static bool Accepts(const FileValue& value) { return value.table() != nullptr; }
  static std::map<std::string, T> Read(FileValue* value, const ReadContext& context) {
    std::map<std::string, T> values;
    for (FileValue::Entry& entry : *value->table()) {
      const std::string what = "'" + entry.key + "' of " + context.what;
      values.emplace(entry.key, ReadValue<T>(&entry.value, {what, context.dimension}));
    }
    return values;
  }
  static FileData Write(const std::map<std::string, T>& values) {
    FileValue::Table table;
    for (const auto& [name, value] : values) {
      table.push_back({name, {}, {Codec<T>::Write(value), {}}});
    }
    return table;
  }
};

// What all bodies have; each shape adds keys of its own.
struct BodyKeys {
  static constexpr char kTitle[] = "[[body]]";
  std::string name;
  ShapeKind shape = ShapeKind::kProfile;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  std::optional<RotationValue> rotation;
  std::optional<std::vector<double>> stretch;
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  std::optional<SpinValue> angular_velocity;
  std::optional<std::map<std::string, PointValue>> marks;
  void Bind(KeyBinder& b);
};

// The outline of a profile: a shape file, or the same keys in the body itself.
struct OutlineKeys {
  static constexpr char kTitle[] = "a shape file";
  std::vector<std::array<double, 2>> points;
  std::vector<double> masses;
  std::optional<std::vector<std::array<int, 2>>> edges;
  std::optional<std::vector<std::array<int, 3>>> faces;
  void Bind(KeyBinder& b);
};
struct ProfileKeys {
  static constexpr char kTitle[] = "[[body]] with shape = \"profile\"";
  std::optional<std::string> file;
  OutlineKeys outline;
  std::optional<double> mass;
  void Bind(KeyBinder& b);
};

struct ChainKeys {
  static constexpr char kTitle[] = "[[body]] with shape = \"chain\"";
  Eigen::Vector3d from, to;
  int points = 0;
  double mass = 0.0;
  void Bind(KeyBinder& b);
};

enum class SheetPlane { kXy, kXz, kYz };
EnumWords<SheetPlane> WordsOf(SheetPlane);

struct SheetKeys {
  static constexpr char kTitle[] = "[[body]] with shape = \"sheet\"";
  std::array<double, 2> size;
  std::array<int, 2> points;
  SheetPlane plane = SheetPlane::kXy;
  double mass = 0.0;
  void Bind(KeyBinder& b);
};

struct BlockKeys {
  static constexpr char kTitle[] = "[[body]] with shape = \"block\"";
  std::array<double, 3> size;
  std::array<int, 3> points;
  double mass = 0.0;
  void Bind(KeyBinder& b);
};

struct RingKeys {
  static constexpr char kTitle[] = "[[body]] with shape = \"ring\"";
  double radius = 0.0;
  int points = 0;
  double mass = 0.0;
  void Bind(KeyBinder& b);
};

struct TubeKeys {
  static constexpr char kTitle[] = "[[body]] with shape = \"tube\"";
  double radius = 0.0, length = 0.0;
  std::array<int, 2> points;
  double mass = 0.0;
  void Bind(KeyBinder& b);
};

struct TorusKeys {
  static constexpr char kTitle[] = "[[body]] with shape = \"torus\"";
  double radius = 0.0, tube_radius = 0.0;
  std::array<int, 2> points;
  double mass = 0.0;
  void Bind(KeyBinder& b);
};

// Polygons: an OBJ file, or the same in place.
struct PolygonKeys {
  static constexpr char kTitle[] = "a mesh";
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::vector<int>> faces;
  void Bind(KeyBinder& b);
};

EnumWords<SubdivisionScheme> WordsOf(SubdivisionScheme);

struct MeshKeys {
  static constexpr char kTitle[] = "[[body]] with shape = \"mesh\"";
  std::optional<std::string> file;
  PolygonKeys polygons;
  std::optional<std::vector<std::vector<int>>> lines;
  double scale = 1.0;
  SubdivisionScheme scheme = SubdivisionScheme::kCatmullClark;
  int subdivisions = 0;
  double mass = 0.0;
  void Bind(KeyBinder& b);
};

struct PointOfKeys {
  static constexpr char kTitle[] = "{body, point}";
  std::string body;
  PointValue point;
  void Bind(KeyBinder& b);
};

// One point or several of one body: what nails, springs, forces and impulses act on.
struct TargetKeys {
  std::string name;
  std::string body;
  std::optional<PointValue> point;
  std::optional<PointsValue> points;
  void Bind(KeyBinder& b);
};

struct PathKeys {
  static constexpr char kTitle[] = "{times, keys, interpolation}";
  std::vector<double> times;
  std::vector<Eigen::Vector3d> keys;
  Path::Interpolation interpolation = Path::Interpolation::kCubic;
  void Bind(KeyBinder& b);
};
struct NailPathKeys {
  static constexpr char kTitle[] = "{times, offsets or keys, interpolation}";
  std::optional<std::string> drag;
  double tolerance = 0.005;
  std::vector<double> times;
  std::optional<std::vector<Eigen::Vector3d>> offsets, keys;
  Path::Interpolation interpolation = Path::Interpolation::kCubic;
  void Bind(KeyBinder& b);
};

// When it holds: nails, attachments, sliders, combinations.
struct HoldKeys {
  double from = 0.0;
  std::optional<double> until;
  void Bind(KeyBinder& b);
};

struct NailKeys {
  static constexpr char kTitle[] = "[[nail]]";
  TargetKeys target;
  std::optional<NailPathKeys> path;
  HoldKeys hold;
  double preroll = 0.0;
  void Bind(KeyBinder& b);
};

struct AttachmentKeys {
  static constexpr char kTitle[] = "[[attachment]]";
  std::string name;
  PointOfKeys a, b;
  bool apart = false;
  HoldKeys hold;
  void Bind(KeyBinder& binder);
};

struct SliderKeys {
  static constexpr char kTitle[] = "[[slider]]";
  TargetKeys target;
  std::optional<Eigen::Vector3d> direction, normal, through;
  std::optional<std::vector<Eigen::Vector3d>> along;
  bool closed = false;
  std::optional<std::string> on;
  std::optional<double> within;
  HoldKeys hold;
  void Bind(KeyBinder& b);
};

EnumWords<Limit::Kind> WordsOf(Limit::Kind);

struct LimitKeys {
  static constexpr char kTitle[] = "[[limit]]";
  std::string name;
  Limit::Kind measure = Limit::Kind::kLength;
  std::vector<PointOfKeys> points;
  std::optional<double> at_least, at_most;
  void Bind(KeyBinder& b);
};

struct TermKeys {
  static constexpr char kTitle[] = "{body, point, weight}";
  std::string body;
  PointValue point;
  double weight = 1.0;
  void Bind(KeyBinder& b);
};

struct CombinationKeys {
  static constexpr char kTitle[] = "[[combination]]";
  std::string name;
  std::vector<TermKeys> terms;
  std::optional<Eigen::Vector3d> value;
  std::optional<NailPathKeys> path;
  HoldKeys hold;
  void Bind(KeyBinder& b);
};

struct BehaviourKeys {
  static constexpr char kTitle[] = "[[behaviour]]";
  std::string name;
  std::variant<std::string, std::vector<std::string>> script;
  std::optional<std::map<std::string, Eigen::Vector3d>> places;
  void Bind(KeyBinder& b);
};

using AnchorValue = std::variant<std::string, Eigen::Vector3d>;

struct SpringKeys {
  static constexpr char kTitle[] = "[[spring]]";
  TargetKeys target;
  std::optional<AnchorValue> anchor;
  std::optional<PointOfKeys> to;
  double stiffness = 0.0;
  double damping = 0.0;
  double rest_length = 0.0;
  void Bind(KeyBinder& b);
};

struct ForceHistoryKeys {
  static constexpr char kTitle[] = "{times, forces}";
  std::vector<double> times;
  std::vector<Eigen::Vector3d> forces;
  void Bind(KeyBinder& b);
};

struct ForceKeys {
  static constexpr char kTitle[] = "[[force]]";
  TargetKeys target;
  std::optional<Eigen::Vector3d> force;
  std::optional<ForceHistoryKeys> history;
  std::optional<double> from, until;
  void Bind(KeyBinder& b);
};

struct ImpulseKeys {
  static constexpr char kTitle[] = "[[impulse]]";
  TargetKeys target;
  Eigen::Vector3d impulse;
  double time = 0.0;
  void Bind(KeyBinder& b);
};

struct NoticeKeys {
  static constexpr char kTitle[] = "[[notice]]";
  std::string name, body;
  std::optional<double> delay, looks_down;
  Eigen::Vector3d gaze = Eigen::Vector3d::UnitX();
  void Bind(KeyBinder& b);
};

struct MorphKeys {
  static constexpr char kTitle[] = "[[morph]]";
  std::string name, body;
  std::optional<std::vector<Eigen::Vector3d>> points;
  std::optional<std::vector<double>> stretch;
  double from = 0.0, until = 0.0;
  void Bind(KeyBinder& b);
};

enum class ObstacleKind { kPlane, kSphere, kBox, kCapsule, kSolid };
EnumWords<ObstacleKind> WordsOf(ObstacleKind);

struct ObstacleKeys {
  static constexpr char kTitle[] = "[[obstacle]]";
  std::string name;
  ObstacleKind shape = ObstacleKind::kPlane;
  double friction = 0.0;
  double restitution = 0.0;
  std::optional<Eigen::Vector3d> position;
  std::optional<PathKeys> path;
  void Bind(KeyBinder& b);
};

struct PlaneKeys {
  static constexpr char kTitle[] = "[[obstacle]] with shape = \"plane\"";
  std::optional<Eigen::Vector3d> normal;
  std::optional<double> slope;
  void Bind(KeyBinder& b);
};
struct SphereKeys {
  static constexpr char kTitle[] = "[[obstacle]] with shape = \"sphere\"";
  double radius = 0.0;
  void Bind(KeyBinder& b);
};
struct BoxKeys {
  static constexpr char kTitle[] = "[[obstacle]] with shape = \"box\"";
  std::array<double, 3> half_size;
  std::optional<RotationValue> rotation;
  void Bind(KeyBinder& b);
};
struct CapsuleKeys {
  static constexpr char kTitle[] = "[[obstacle]] with shape = \"capsule\"";
  Eigen::Vector3d half_axis;
  double radius = 0.0;
  void Bind(KeyBinder& b);
};

struct SolidKeys {
  static constexpr char kTitle[] = "[[obstacle]] with shape = \"solid\"";
  std::optional<std::string> file;
  PolygonKeys polygons;
  double scale = 1.0;
  std::optional<RotationValue> rotation;
  void Bind(KeyBinder& b);
};

// The keys every body or obstacle has, together with those of its shape.
template <typename CommonKeys, typename ShapeKeys>
struct Shaped {
  static constexpr const char* kTitle = ShapeKeys::kTitle;
  CommonKeys common;
  ShapeKeys shape;
  void Bind(KeyBinder& b) {
    common.Bind(b);
    shape.Bind(b);
  }
};

// The shape that `table` names. Where it names none, a misspelled key is told first.
template <typename Enum, typename CommonKeys, typename... ShapeKeys>
Enum ReadShape(FileValue* table) {
  if (FileValue* shape = table->Find("shape")) return ReadValue<Enum>(shape, {"'shape'"});
  std::vector<std::string> known;
  auto add = [&known](const std::vector<std::string>& names) {
    known.insert(known.end(), names.begin(), names.end());
  };
  (add(KeyNames<Shaped<CommonKeys, ShapeKeys>>()), ...);
  RequireKnownKeys(*table, CommonKeys::kTitle, known);
  FailAt(table->place, std::string(CommonKeys::kTitle) + " lacks the key 'shape'",
         "expected " + Codec<Enum>::Words());
}

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_SCENE_KEYS_H_
