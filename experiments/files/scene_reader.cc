#include "experiments/files/scene_reader.h"

#include <map>
#include <set>

#include "experiments/files/scene_keys.h"
#include "models/geometry/extent.h"
#include "models/scene/validate.h"

namespace pliant {
namespace {

// Attached points must start together, up to this fraction of the extent of the scene.
constexpr double kAttachmentTolerance = 1e-6;

// Reads the elements of one scene; an element with a mistake is left out, and its mistakes are kept. One table of
// the file may make several elements ("points = corners" makes four nails); `origins_` stores the table of each
// element, so that a broken rule of the scene at "nail[3]" can be reported at its place in the file.
class SceneReader {
 public:
  explicit SceneReader(FileValue* table) : table_(table) {}

  SceneSoFar Read(Mistakes* mistakes);

 private:
  void ReadElements(const ElementKind& kind, const std::vector<FileValue*>& tables);
  void ReadContacts(FileValue* of_a);
  void RequireAttachedPointsTogether();
  void RequireValid();
  const FileValue& Origin(const std::string& kind, size_t element) const;
  [[noreturn]] void FailAtRule(const Problem& problem) const;

  FileValue* table_;
  SceneSoFar so_far_;
  Mistakes mistakes_;
  std::map<std::string, std::vector<size_t>> origins_;
  std::vector<const FileValue*> contact_origins_;
};

// The name of an element that cannot be read; "" when it has none.
std::string NameOf(const FileValue& table) {
  const FileValue* name = table.Find("name");
  return name != nullptr && name->text() != nullptr ? *name->text() : "";
}

SceneSoFar SceneReader::Read(Mistakes* mistakes) {
  FileValue* dimension = table_->Find("dimension");  // determines how the other keys are read
  const auto* given = dimension == nullptr ? nullptr : std::get_if<std::int64_t>(&dimension->data);
  const bool planar = given != nullptr && *given == 2;
  auto keys = ReadKeys<SceneTables>(table_, {"", planar ? 2 : 3}, &mistakes_);
  Scene& scene = so_far_.scene;
  scene = std::move(keys.scene);
  const bool whole = !mistakes_.any();
  if (whole && keys.of_kind.front().empty()) {
    mistakes_.Try(
        [&] { FailAt(PlaceOf(*table_, "body"), "the scene has no body", "add a [[body]]"); });
  }
  if (scene.dimension != 2 && scene.dimension != 3) {
    mistakes_.Try([&] {
      FailAt(PlaceOf(*table_, "dimension"),
             "a scene has dimension 2 or 3, not " + std::to_string(scene.dimension));
    });
    scene.dimension = 3;
  }
  if (!whole && keys.of_kind.front().empty()) so_far_.spoiled["body"].insert("");
  for (size_t k = 0; k < keys.of_kind.size(); ++k) {
    ReadElements(ElementKinds()[k], keys.of_kind[k]);
    if (k > 0) continue;  // the rest is for the bodies, which come first
    scene.NumberPoints();
    for (size_t b = 0; b < scene.bodies.size(); ++b) {
      so_far_.body_of.emplace(scene.bodies[b].name, static_cast<int>(b));
    }
    if (!scene.bodies.empty()) so_far_.start = scene.InitialPoints();
  }
  if (keys.contacts) ReadContacts(*keys.contacts);
  RequireValid();
  if (!scene.bodies.empty() && !mistakes_.any()) RequireAttachedPointsTogether();
  if (mistakes_.any()) mistakes->Add(FileError(mistakes_.list()));
  return std::move(so_far_);
}

void SceneReader::ReadElements(const ElementKind& kind, const std::vector<FileValue*>& tables) {
  std::set<std::string>& spoiled = so_far_.spoiled[kind.name];
  // Scripts name bodies in their lines.
  if (kind.name == std::string("behaviour") && !so_far_.spoiled["body"].empty()) return;
  for (size_t i = 0; i < tables.size(); ++i) {
    const bool sound =
        mistakes_.Try([&] { origins_[kind.name].resize(kind.read(tables[i], &so_far_), i); });
    if (!sound) spoiled.insert(NameOf(*tables[i]));
  }
  // Any name may be the one that an element should have.
  if (!mistakes_.Try([&] { RequireDistinctNames(kind.name, tables); })) spoiled.insert("");
}

void SceneReader::ReadContacts(FileValue* of_a) {
  const auto require_table = [](const FileValue::Entry& entry) {
    if (entry.value.table() != nullptr) return;
    FailAt(entry.place, "'" + entry.key + "' is no pair of bodies",
           "write the contact of bodies A and B as a table [contact.A.B]");
  };
  for (FileValue::Entry& first : *of_a->table()) {
    int a = 0;
    const bool sound = mistakes_.Try([&] {
      require_table(first);
      a = BodyNamed(so_far_, first.key, first.place);
    });
    if (!sound) continue;
    for (FileValue::Entry& second : *first.value.table()) {
      if (!mistakes_.Try([&] { require_table(second); })) break;  // so are the others
      mistakes_.Try([&] {
        BodyContact contact = ReadKeys<BodyContact>(&second.value);
        contact.a = a;
        contact.b = BodyNamed(so_far_, second.key, second.place);
        so_far_.scene.contacts.push_back(contact);
        contact_origins_.push_back(&second.value);
      });
    }
  }
}

void SceneReader::RequireAttachedPointsTogether() {
  const double extent = DiagonalOf(so_far_.start);
  for (size_t i = 0; i < so_far_.scene.attachments.size(); ++i) {
    const Attachment& attachment = so_far_.scene.attachments[i];
    const double distance = (so_far_.Start(attachment.a) - so_far_.Start(attachment.b)).norm();
    if (attachment.hold.from > 0.0 || distance <= kAttachmentTolerance * extent) continue;
    const FileValue& origin = Origin("attachment", i);
    const FileValue* apart = origin.Find("apart");
    if (apart != nullptr && std::get<bool>(apart->data)) continue;
    mistakes_.Try([&] {
      FailAt(origin.place,
             "the points of attachment '" + attachment.name + "' start " +
                 WriteInline({distance, {}}) + " m apart",
             "move a body so that they start at the same place, or set apart = true");
    });
  }
}

const FileValue& SceneReader::Origin(const std::string& kind, size_t element) const {
  if (kind == "contact") return *contact_origins_[element];
  return (*table_->Find(kind)->array())[origins_.at(kind)[element]];
}

// Turns a path of a rule such as "nail[3].point" into the table and key of the file.
void SceneReader::FailAtRule(const Problem& problem) const {
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

void SceneReader::RequireValid() {
  const bool whole = !mistakes_.any();
  for (const Problem& problem : BrokenRules(so_far_.scene, whole)) {
    mistakes_.Try([&] { FailAtRule(problem); });
  }
}

}  // namespace

void RequireDistinctNames(const char* kind, const std::vector<FileValue*>& tables) {
  std::set<std::string> names;
  for (const FileValue* table : tables) {
    const FileValue* name = table->Find("name");
    if (name == nullptr || name->text() == nullptr) continue;  // told already
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

Scene ReadSceneTable(FileValue* table) {
  Mistakes mistakes;
  SceneSoFar read = ReadSceneTable(table, &mistakes);
  mistakes.ThrowIfAny();
  return std::move(read.scene);
}

SceneSoFar ReadSceneTable(FileValue* table, Mistakes* mistakes) {
  return SceneReader(table).Read(mistakes);
}

}  // namespace pliant
