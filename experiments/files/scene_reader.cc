#include "experiments/files/scene_reader.h"

#include <map>
#include <set>

#include "experiments/files/scene_keys.h"
#include "models/scene/validate.h"

namespace pliant {
namespace {

// Attached points must start together, up to this fraction of the extent of the scene.
constexpr double kAttachmentTolerance = 1e-6;

// Reads the elements of one scene. One table of the file may make several elements ("points =
// corners" makes four nails); `origins_` stores the table of each element, so that an error of
// Validate() at "nail[3]" can be reported at its place in the file.
class SceneReader {
 public:
  explicit SceneReader(FileValue* table) : table_(table) {}

  Scene Read();

 private:
  void ReadContacts(FileValue* of_a);
  void RequireAttachedPointsTogether() const;
  void RequireValid() const;
  const FileValue& Origin(const std::string& kind, size_t element) const;

  FileValue* table_;
  SceneSoFar so_far_;
  std::map<std::string, std::vector<size_t>> origins_;
  std::vector<const FileValue*> contact_origins_;
};

Scene SceneReader::Read() {
  FileValue* dimension = table_->Find("dimension");  // determines how the other keys are read
  const bool planar = dimension != nullptr && Codec<int>::Accepts(*dimension) &&
                      Codec<int>::Read(dimension, {"'dimension'"}) == 2;
  auto keys = ReadKeys<SceneTables>(table_, {"", planar ? 2 : 3});
  Scene& scene = so_far_.scene;
  scene = std::move(keys.scene);
  if (scene.dimension != 2 && scene.dimension != 3) {
    FailAt(PlaceOf(*table_, "dimension"),
           "a scene has dimension 2 or 3, not " + std::to_string(scene.dimension));
  }
  if (keys.of_kind.front().empty()) {
    FailAt(PlaceOf(*table_, "body"), "the scene has no body", "add a [[body]]");
  }
  for (size_t k = 0; k < keys.of_kind.size(); ++k) {
    const ElementKind& kind = ElementKinds()[k];
    const std::vector<FileValue*>& tables = keys.of_kind[k];
    for (size_t i = 0; i < tables.size(); ++i) {
      origins_[kind.name].resize(kind.read(tables[i], &so_far_), i);
    }
    RequireDistinctNames(kind.name, tables);
    if (k == 0) so_far_.start = scene.InitialPoints();
  }
  if (keys.contacts) ReadContacts(*keys.contacts);
  RequireValid();
  RequireAttachedPointsTogether();
  return std::move(scene);
}

void SceneReader::ReadContacts(FileValue* of_a) {
  const auto require_table = [](const FileValue::Entry& entry) {
    if (entry.value.table() != nullptr) return;
    FailAt(entry.place, "'" + entry.key + "' is no pair of bodies",
           "write the contact of bodies A and B as a table [contact.A.B]");
  };
  for (FileValue::Entry& first : *of_a->table()) {
    require_table(first);
    const int a = BodyNamed(so_far_.scene, first.key, first.place);
    for (FileValue::Entry& second : *first.value.table()) {
      require_table(second);
      BodyContact contact = ReadKeys<BodyContact>(&second.value);
      contact.a = a;
      contact.b = BodyNamed(so_far_.scene, second.key, second.place);
      so_far_.scene.contacts.push_back(contact);
      contact_origins_.push_back(&second.value);
    }
  }
}

void SceneReader::RequireAttachedPointsTogether() const {
  const double extent =
      (so_far_.start.rowwise().maxCoeff() - so_far_.start.rowwise().minCoeff()).norm();
  for (size_t i = 0; i < so_far_.scene.attachments.size(); ++i) {
    const Attachment& attachment = so_far_.scene.attachments[i];
    const double distance = (so_far_.Start(attachment.a) - so_far_.Start(attachment.b)).norm();
    if (attachment.hold.from > 0.0 || distance <= kAttachmentTolerance * extent) continue;
    const FileValue& origin = Origin("attachment", i);
    const FileValue* apart = origin.Find("apart");
    if (apart != nullptr && std::get<bool>(apart->data)) continue;
    FailAt(origin.place,
           "the points of attachment '" + attachment.name + "' start " +
               WriteInline({distance, {}}) + " m apart",
           "move a body so that they start at the same place, or set apart = true");
  }
}

const FileValue& SceneReader::Origin(const std::string& kind, size_t element) const {
  if (kind == "contact") return *contact_origins_[element];
  return (*table_->Find(kind)->array())[origins_.at(kind)[element]];
}

// Turns a path of Validate() such as "nail[3].point" into the table and key of the file.
void SceneReader::RequireValid() const {
  try {
    Validate(so_far_.scene);
  } catch (const BadInput& bad) {
    const Problem& problem = bad.problem();
    const std::vector<std::string> parts = SplitPath(problem.where);
    const bool known = origins_.contains(parts[0]) || parts[0] == "contact";
    if (parts.size() < 2 || !known) {
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

void RequireDistinctNames(const char* kind, const std::vector<FileValue*>& tables) {
  std::set<std::string> names;
  for (const FileValue* table : tables) {
    const FileValue* name = table->Find("name");
    if (name->text()->empty()) FailAt(name->place, "a name cannot be empty");
    if (name->text()->find('.') != std::string::npos) {
      FailAt(name->place, "a name cannot contain '.'", "use '-'");
    }
    if (!names.insert(*name->text()).second) {
      FailAt(name->place,
             std::string("there are two elements named '") + *name->text() + "' among [[" + kind +
                 "]]",
             "give each its own name");
    }
  }
}

Scene ReadSceneTable(FileValue* table) { return SceneReader(table).Read(); }

}  // namespace pliant
