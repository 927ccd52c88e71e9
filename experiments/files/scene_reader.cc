#include "experiments/files/scene_reader.h"

#include <map>
#include <set>

#include "experiments/files/point_names.h"
#include "experiments/files/scene_keys.h"
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
  void ReadSpring(FileValue* table);
  void ReadForce(FileValue* table);
  void ReadForceHistory(const FileValue& table, const ForceKeys& keys);
  void ReadImpulse(FileValue* table);
  void ReadNotice(FileValue* table);
  void ReadMorph(FileValue* table);

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

void SceneReader::ReadSpring(FileValue* table) {
  const auto keys = ReadKeys<SpringKeys>(table, scene_.dimension);
  const std::string& name = keys.target.name;
  if (keys.anchor.has_value() == keys.to.has_value()) {
    FailAt(keys.anchor ? PlaceOf(*table, "to") : table->place,
           "spring '" + name + "' needs one of the keys 'anchor' and 'to'",
           keys.anchor ? "remove one" : "add anchor = \"start\", or to = {body = …, point = …}");
  }
  std::optional<PointRef> to;
  if (keys.to) to = PointOf(scene_, *keys.to, *table->Find("to"));
  const auto* word = keys.anchor ? std::get_if<std::string>(&*keys.anchor) : nullptr;
  if (word != nullptr && *word != "start") {
    FailAt(PlaceOf(*table, "anchor"), "a spring cannot be anchored to '" + *word + "'",
           "give \"start\" or [x, y, z]");
  }
  for (const PointRef& point : PointsOf(scene_, keys.target, *table)) {
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
  if (keys.force.has_value() == keys.history.has_value()) {
    FailAt(keys.force ? PlaceOf(*table, "history") : table->place,
           "force '" + keys.target.name + "' needs one of the keys 'force' and 'history'",
           keys.force ? "remove one" : "add force = [x, y, z]");
  }
  if (keys.history) {
    ReadForceHistory(*table, keys);
    return;
  }
  for (const PointRef& point : PointsOf(scene_, keys.target, *table)) {
    TimedForce force{keys.target.name, point, *keys.force, keys.from.value_or(0.0)};
    if (keys.until) force.until = *keys.until;
    scene_.forces.push_back(force);
  }
}

// A force for each of the times but the last.
void SceneReader::ReadForceHistory(const FileValue& table, const ForceKeys& keys) {
  for (const char* key : {"from", "until"}) {
    if (table.Find(key) == nullptr) continue;
    FailAt(PlaceOf(table, key), std::string("a force with a history has no '") + key + "'",
           "its times say when it acts");
  }
  const std::vector<double>& times = keys.history->times;
  const std::vector<Vector3d>& forces = keys.history->forces;
  const FileValue& history = *table.Find("history");
  if (forces.empty() || times.size() != forces.size() + 1) {
    FailAt(PlaceOf(history, "times"),
           "the history has " + std::to_string(forces.size()) + " forces and " +
               std::to_string(times.size()) + " times",
           "give one time for each force, at least one, and the end");
  }
  for (size_t i = 0; i < forces.size(); ++i) {
    if (!(times[i + 1] > times[i])) {
      FailAt(PlaceOf(history, "times"), "the times of a history must increase",
             "sort the forces by time");
    }
  }
  for (const PointRef& point : PointsOf(scene_, keys.target, table)) {
    for (size_t i = 0; i < forces.size(); ++i) {
      scene_.forces.push_back({keys.target.name, point, forces[i], times[i], times[i + 1]});
    }
  }
}

void SceneReader::ReadImpulse(FileValue* table) {
  const auto keys = ReadKeys<ImpulseKeys>(table, scene_.dimension);
  for (const PointRef& point : PointsOf(scene_, keys.target, *table)) {
    scene_.impulses.push_back({keys.target.name, point, keys.impulse, keys.time});
  }
}

void SceneReader::ReadNotice(FileValue* table) {
  const auto keys = ReadKeys<NoticeKeys>(table, scene_.dimension);
  scene_.notices.push_back({keys.name, BodyNamed(scene_, keys.body, PlaceOf(*table, "body")),
                            keys.delay, keys.looks_down,
                            Direction(keys.gaze, PlaceOf(*table, "gaze"), "the gaze")});
}

void SceneReader::ReadMorph(FileValue* table) {
  const auto keys = ReadKeys<MorphKeys>(table, scene_.dimension);
  Morph morph{
      keys.name, BodyNamed(scene_, keys.body, PlaceOf(*table, "body")), {}, keys.from, keys.until};
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

template <typename T>
void Append(std::vector<T>* all, std::vector<T> more) {
  all->insert(all->end(), more.begin(), more.end());
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
      [&](FileValue* table) { Append(&scene_.nails, ReadNails(table, scene_)); });
  read_each(
      "attachment", keys.attachment, [&] { return scene_.attachments.size(); },
      [&](FileValue* table) { scene_.attachments.push_back(ReadAttachment(table, scene_)); });
  read_each(
      "slider", keys.slider, [&] { return scene_.sliders.size(); },
      [&](FileValue* table) { Append(&scene_.sliders, ReadSliders(table, scene_)); });
  read_each(
      "combination", keys.combination, [&] { return scene_.combinations.size(); },
      [&](FileValue* table) { scene_.combinations.push_back(ReadCombination(table, scene_)); });
  read_each(
      "limit", keys.limit, [&] { return scene_.limits.size(); },
      [&](FileValue* table) { scene_.limits.push_back(ReadLimit(table, scene_)); });
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
  read_each(
      "behaviour", keys.behaviour, [&] { return scene_.behaviours.size(); },
      [&](FileValue* table) { scene_.behaviours.push_back(ReadBehaviour(table, scene_)); });
  RequireValid();
  RequireAttachedPointsTogether();
  return std::move(scene_);
}

void SceneReader::RequireAttachedPointsTogether() const {
  const double extent = (start_.rowwise().maxCoeff() - start_.rowwise().minCoeff()).norm();
  for (size_t i = 0; i < scene_.attachments.size(); ++i) {
    const Attachment& attachment = scene_.attachments[i];
    const double distance = (Start(attachment.a) - Start(attachment.b)).norm();
    if (attachment.hold.from > 0.0 || distance <= kAttachmentTolerance * extent) continue;
    const FileValue& origin = Origin("attachment", i);
    const FileValue* apart = origin.Find("apart");
    if (apart != nullptr && std::get<bool>(apart->data)) continue;
    FailAt(origin.place,
           "the points of attachment '" + attachment.name + "' start " +
               WriteInline({distance, {}}) + " m apart",
           "move a body so that they start at the same place, or say apart = true");
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
