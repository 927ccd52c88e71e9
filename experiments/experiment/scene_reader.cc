#include "experiments/experiment/scene_reader.h"

#include <cmath>
#include <map>
#include <set>

#include "experiments/experiment/scene_keys.h"
#include "models/scene/shapes.h"
#include "models/scene/validate.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// Attached points must start together, up to this fraction of the extent of the scene.
constexpr double kAttachmentTolerance = 1e-6;

// Reads the elements of one scene. One table of the file may make several elements ("points =
// corners" makes four nails); `origins_` remembers which table each element came from, so that what
// Validate() finds wrong with "nail[3]" can be told at its place in the file.
class SceneReader {
 public:
  explicit SceneReader(FileValue* table) : table_(table) {}

  Scene Read();

 private:
  struct Target {
    std::vector<PointRef> points;
  };

  void ReadNail(FileValue* table);
  void ReadAttachment(FileValue* table);
  void ReadSpring(FileValue* table);
  void ReadForce(FileValue* table);
  void ReadImpulse(FileValue* table);
  void ReadNotice(FileValue* table);
  void ReadMorph(FileValue* table);

  int BodyNamed(const std::string& name, const FilePlace& place) const;
  PointRef Point(const PointOfKeys& keys, const FileValue& table) const;
  std::vector<PointRef> Points(const TargetKeys& keys, const FileValue& table) const;
  Vector3d Start(const PointRef& ref) const { return start_.col(scene_.Index(ref)); }

  void RequireNames() const;
  void RequireAttachedPointsTogether() const;
  void RequireValid() const;
  const FileValue& Origin(const std::string& kind, size_t element) const;

  FileValue* table_;
  Scene scene_;
  Eigen::Matrix3Xd start_;  // of all points
  std::map<std::string, std::vector<size_t>> origins_;
};

// The points of `body` that `value` names: one, unless it is the name of a group.
std::vector<int> PointsNamed(const Body& body, const PointValue& value, const FilePlace& place) {
  try {
    if (const auto* group = std::get_if<std::string>(&value.is)) return PointGroup(body, *group);
    if (const auto* grid = std::get_if<std::vector<int>>(&value.is))
      return {GridPoint(body, *grid)};
  } catch (const BadInput& bad) {
    FailAt(place, bad.problem().what, bad.problem().mend);
  }
  const int point = std::get<int>(value.is);
  if (point < 0 || point >= body.size()) {
    FailAt(place,
           "point " + std::to_string(point) + " is out of range for body '" + body.name + "'",
           "its points are 0 to " + std::to_string(body.size() - 1));
  }
  return {point};
}

int OnePointNamed(const Body& body, const PointValue& value, const FilePlace& place) {
  const std::vector<int> points = PointsNamed(body, value, place);
  if (points.size() != 1) {
    FailAt(place,
           "this group of body '" + body.name + "' has " + std::to_string(points.size()) +
               " points, but one is wanted",
           "name one point, or use the key 'points' where there is one");
  }
  return points.front();
}

int SceneReader::BodyNamed(const std::string& name, const FilePlace& place) const {
  std::vector<std::string> names;
  for (const Body& body : scene_.bodies) {
    if (body.name == name) return static_cast<int>(names.size());
    names.push_back(body.name);
  }
  FailAt(place, "there is no body '" + name + "'", DidYouMean(name, names));
}

PointRef SceneReader::Point(const PointOfKeys& keys, const FileValue& table) const {
  const int body = BodyNamed(keys.body, PlaceOf(table, "body"));
  return {body, OnePointNamed(scene_.bodies[body], keys.point, PlaceOf(table, "point"))};
}

std::vector<PointRef> SceneReader::Points(const TargetKeys& keys, const FileValue& table) const {
  const int b = BodyNamed(keys.body, PlaceOf(table, "body"));
  const Body& body = scene_.bodies[b];
  if (keys.point.has_value() == keys.points.has_value()) {
    FailAt(keys.point ? PlaceOf(table, "points") : table.place,
           "'" + keys.name + "' needs one of the keys 'point' and 'points'",
           keys.point ? "remove one" : "add point = an index, or points = a group such as \"all\"");
  }
  std::vector<int> points;
  if (keys.point) {
    points = {OnePointNamed(body, *keys.point, PlaceOf(table, "point"))};
  } else if (const auto* group = std::get_if<std::string>(&*keys.points)) {
    points = PointsNamed(body, {*group}, PlaceOf(table, "points"));
  } else {
    const auto& list = std::get<std::vector<PointValue>>(*keys.points);
    if (list.empty()) FailAt(PlaceOf(table, "points"), "the list of points is empty");
    for (size_t i = 0; i < list.size(); ++i) {
      const FilePlace place = PlaceOf(table, "points[" + std::to_string(i) + "]");
      for (int point : PointsNamed(body, list[i], place)) points.push_back(point);
    }
  }
  std::vector<PointRef> refs;
  for (int point : points) refs.push_back({b, point});
  return refs;
}

void SceneReader::ReadNail(FileValue* table) {
  const auto keys = ReadKeys<NailKeys>(table, scene_.dimension);
  const std::vector<PointRef> points = Points(keys.target, *table);
  const FileValue* path_table = table->Find("path");
  if (keys.path && keys.path->keys.has_value() == keys.path->offsets.has_value()) {
    FailAt(path_table->place, "the path of a nail needs one of the keys 'offsets' and 'keys'",
           keys.path->keys ? "remove one" : "add offsets = [[x, y, z], …]");
  }
  if (keys.path && keys.path->keys && points.size() > 1) {
    FailAt(
        PlaceOf(*path_table, "keys"),
        "one path cannot lead " + std::to_string(points.size()) + " points through the same keys",
        "give offsets from where each point starts");
  }
  for (const PointRef& point : points) {
    Nail nail{keys.target.name, point, Path::Still(Start(point))};
    if (keys.path) {
      std::vector<Vector3d> positions = keys.path->keys ? *keys.path->keys : *keys.path->offsets;
      if (keys.path->offsets) {
        for (Vector3d& position : positions) position += Start(point);
      }
      nail.path = MakePath(keys.path->times, positions, keys.path->interpolation, *path_table);
    }
    scene_.nails.push_back(std::move(nail));
  }
}

void SceneReader::ReadAttachment(FileValue* table) {
  const auto keys = ReadKeys<AttachmentKeys>(table, scene_.dimension);
  scene_.attachments.push_back(
      {keys.name, Point(keys.a, *table->Find("a")), Point(keys.b, *table->Find("b"))});
}

void SceneReader::ReadSpring(FileValue* table) {
  const auto keys = ReadKeys<SpringKeys>(table, scene_.dimension);
  const std::string& name = keys.target.name;
  if (keys.anchor.has_value() == keys.to.has_value()) {
    FailAt(keys.anchor ? PlaceOf(*table, "to") : table->place,
           "spring '" + name + "' needs one of the keys 'anchor' and 'to'",
           keys.anchor ? "remove one" : "add anchor = \"start\", or to = {body = …, point = …}");
  }
  std::optional<PointRef> to;
  if (keys.to) to = Point(*keys.to, *table->Find("to"));
  const auto* word = keys.anchor ? std::get_if<std::string>(&*keys.anchor) : nullptr;
  if (word != nullptr && *word != "start") {
    FailAt(PlaceOf(*table, "anchor"), "a spring cannot be anchored to '" + *word + "'",
           "give \"start\" or [x, y, z]");
  }
  for (const PointRef& point : Points(keys.target, *table)) {
    Spring spring{name, point, to};
    if (word != nullptr) {
      spring.anchor = Start(point);
    } else if (keys.anchor) {
      spring.anchor = std::get<Vector3d>(*keys.anchor);
    }
    spring.stiffness = keys.stiffness;
    spring.damping = keys.damping;
    spring.rest_length = keys.rest_length;
    scene_.springs.push_back(spring);
  }
}

void SceneReader::ReadForce(FileValue* table) {
  const auto keys = ReadKeys<ForceKeys>(table, scene_.dimension);
  for (const PointRef& point : Points(keys.target, *table)) {
    TimedForce force{keys.target.name, point, keys.force, keys.from};
    if (keys.until) force.until = *keys.until;
    scene_.forces.push_back(force);
  }
}

void SceneReader::ReadImpulse(FileValue* table) {
  const auto keys = ReadKeys<ImpulseKeys>(table, scene_.dimension);
  for (const PointRef& point : Points(keys.target, *table)) {
    scene_.impulses.push_back({keys.target.name, point, keys.impulse, keys.time});
  }
}

void SceneReader::ReadNotice(FileValue* table) {
  const auto keys = ReadKeys<NoticeKeys>(table, scene_.dimension);
  const double length = keys.gaze.norm();
  if (!(length > 0.0) || !std::isfinite(length)) {
    FailAt(PlaceOf(*table, "gaze"), "the gaze has no direction", "give a vector that is not zero");
  }
  scene_.notices.push_back({keys.name, BodyNamed(keys.body, PlaceOf(*table, "body")), keys.delay,
                            keys.looks_down, keys.gaze / length});
}

void SceneReader::ReadMorph(FileValue* table) {
  const auto keys = ReadKeys<MorphKeys>(table, scene_.dimension);
  Morph morph{keys.name, BodyNamed(keys.body, PlaceOf(*table, "body")), {}, keys.from, keys.until};
  if (keys.points.has_value() == keys.stretch.has_value()) {
    FailAt(keys.points ? PlaceOf(*table, "stretch") : table->place,
           "morph '" + keys.name + "' needs one of the keys 'points' and 'stretch'",
           keys.points ? "remove one" : "add one");
  }
  const Body& body = scene_.bodies[morph.body];
  if (keys.points) {
    morph.target.resize(3, static_cast<Eigen::Index>(keys.points->size()));
    for (size_t n = 0; n < keys.points->size(); ++n) {
      morph.target.col(static_cast<Eigen::Index>(n)) = (*keys.points)[n];
    }
  } else {
    const std::vector<double>& factors = *keys.stretch;
    const bool planar = scene_.dimension == 2 && factors.size() == 2;
    if (!planar && factors.size() != 3) {
      FailAt(PlaceOf(*table, "stretch"),
             "'stretch' has " + std::to_string(factors.size()) + " entries", "it must have 3");
    }
    const Vector3d stretch(factors[0], factors[1], planar ? 1.0 : factors[2]);
    if (!(stretch.minCoeff() > 0.0)) {
      FailAt(PlaceOf(*table, "stretch"), "the stretch of a morph collapses or mirrors the body",
             "give positive factors");
    }
    const Vector3d centre = body.rest * body.mass / body.mass.sum();
    morph.target = (stretch.asDiagonal() * (body.rest.colwise() - centre)).colwise() + centre;
  }
  scene_.morphs.push_back(std::move(morph));
}

// Elements are told apart by name, in translation records and in overrides.
void RequireDistinctNames(const char* kind, const std::vector<FileValue*>& tables) {
  std::set<std::string> names;
  for (const FileValue* table : tables) {
    const FileValue* name = table->Find("name");
    if (name->text()->empty()) FailAt(name->place, "a name cannot be empty");
    if (name->text()->find('.') != std::string::npos) {
      FailAt(name->place, "a name cannot contain '.'", "use '-'");
    }
    if (!names.insert(*name->text()).second) {
      FailAt(
          name->place,
          std::string("there are two of the name '") + *name->text() + "' among [[" + kind + "]]",
          "give each a name of its own");
    }
  }
}

Scene SceneReader::Read() {
  FileValue* dimension = table_->Find("dimension");  // tells how the other keys are read
  const bool planar = dimension != nullptr && Codec<int>::Accepts(*dimension) &&
                      Codec<int>::Read(dimension, {"'dimension'"}) == 2;
  const auto keys = ReadKeys<SceneKeys>(table_, planar ? 2 : 3);
  if (keys.dimension != 2 && keys.dimension != 3) {
    FailAt(PlaceOf(*table_, "dimension"),
           "a scene has dimension 2 or 3, not " + std::to_string(keys.dimension));
  }
  if (keys.body.empty()) {
    FailAt(PlaceOf(*table_, "body"), "the scene has no body", "add a [[body]]");
  }
  scene_.name = keys.name;
  scene_.description = keys.description;
  scene_.dimension = keys.dimension;
  scene_.gravity = keys.gravity;

  // One element, or several, of each table of a kind; `count` tells how many there are by now.
  auto read_each = [this](const char* kind, const std::optional<std::vector<FileValue*>>& tables,
                          auto count, auto read) {
    if (!tables) return;
    for (size_t i = 0; i < tables->size(); ++i) {
      read((*tables)[i]);
      origins_[kind].resize(count(), i);
    }
    RequireDistinctNames(kind, *tables);
  };
  read_each(
      "body", keys.body, [&] { return scene_.bodies.size(); },
      [&](FileValue* table) { scene_.bodies.push_back(ReadBody(table, scene_.dimension)); });
  start_ = scene_.InitialPoints();
  read_each(
      "obstacle", keys.obstacle, [&] { return scene_.obstacles.size(); },
      [&](FileValue* table) { scene_.obstacles.push_back(ReadObstacle(table, scene_.dimension)); });
  read_each(
      "nail", keys.nail, [&] { return scene_.nails.size(); },
      [&](FileValue* table) { ReadNail(table); });
  read_each(
      "attachment", keys.attachment, [&] { return scene_.attachments.size(); },
      [&](FileValue* table) { ReadAttachment(table); });
  read_each(
      "spring", keys.spring, [&] { return scene_.springs.size(); },
      [&](FileValue* table) { ReadSpring(table); });
  read_each(
      "force", keys.force, [&] { return scene_.forces.size(); },
      [&](FileValue* table) { ReadForce(table); });
  read_each(
      "impulse", keys.impulse, [&] { return scene_.impulses.size(); },
      [&](FileValue* table) { ReadImpulse(table); });
  read_each(
      "notice", keys.notice, [&] { return scene_.notices.size(); },
      [&](FileValue* table) { ReadNotice(table); });
  read_each(
      "morph", keys.morph, [&] { return scene_.morphs.size(); },
      [&](FileValue* table) { ReadMorph(table); });
  RequireValid();
  RequireAttachedPointsTogether();
  return std::move(scene_);
}

void SceneReader::RequireAttachedPointsTogether() const {
  const double extent = (start_.rowwise().maxCoeff() - start_.rowwise().minCoeff()).norm();
  for (size_t i = 0; i < scene_.attachments.size(); ++i) {
    const Attachment& attachment = scene_.attachments[i];
    const double distance = (Start(attachment.a) - Start(attachment.b)).norm();
    if (distance <= kAttachmentTolerance * extent) continue;
    FailAt(Origin("attachment", i).place,
           "the points of attachment '" + attachment.name + "' start " +
               WriteInline({distance, {}}) + " m apart",
           "move a body so that they start at the same place");
  }
}

const FileValue& SceneReader::Origin(const std::string& kind, size_t element) const {
  return (*table_->Find(kind)->array())[origins_.at(kind)[element]];
}

// Turns a path of Validate() such as "nail[3].point" into the table and key of the file.
void SceneReader::RequireValid() const {
  try {
    Validate(scene_);
  } catch (const BadInput& bad) {
    const Problem& problem = bad.problem();
    const std::vector<std::string> parts = SplitPath(problem.where);
    if (parts.size() < 2 || !origins_.contains(parts[0])) {
      FailAt(PlaceOf(*table_, problem.where), problem.what, problem.mend);
    }
    const FileValue& origin = Origin(parts[0], std::stoul(parts[1]));
    FilePlace place = origin.place;
    if (parts.size() > 2) {
      // Elements say "mass" and "point" also where the file says "masses" and "points".
      for (const std::string& key : {parts[2], parts[2] + "s", parts[2] + "es"}) {
        if (origin.Find(key) != nullptr) place = origin.Find(key)->place;
      }
    }
    FailAt(place, problem.what, problem.mend);
  }
}

}  // namespace

Scene ReadSceneTable(FileValue* table) { return SceneReader(table).Read(); }

}  // namespace pliant
