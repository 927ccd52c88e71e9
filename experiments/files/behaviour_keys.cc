// [[behaviour]]: its script, in place or in a file.

#include <map>
#include <memory>
#include <sstream>

#include "experiments/files/behaviour_script.h"
#include "experiments/files/scene_keys.h"

namespace pliant {
namespace {

// Puts the lines of a script file in place of its name; their places are in that file.
void InlineScript(FileValue* script) {
  const FilePlace place = script->place;
  if (script->text()->find_first_of("(\n") != std::string::npos) {
    FailAt(place, "'script' is a single text, which is read as the name of a file",
           "give a list of lines: [\"Grab(…)\", …]");
  }
  const auto file = place.source->folder / *script->text();
  const auto source =
      std::make_shared<FileSource>(FileSource{file.string(), file.parent_path(), false});
  std::istringstream text(ReadTextFile(file, place));
  FileValue::Array lines;
  for (std::string line; std::getline(text, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const int number = static_cast<int>(lines.size()) + 1;
    lines.push_back({std::move(line), {source, number, 0}});
  }
  script->data = std::move(lines);
}

}  // namespace

void Bind(KeyBinder& b, std::vector<Behaviour>& behaviours) {
  b.Title("[[behaviour]]");
  Behaviour behaviour;
  std::variant<std::string, std::vector<std::string>> script;
  std::map<std::string, Eigen::Vector3d> places;
  b.Required("name", &behaviour.name, "1", "name of the element in the translation record");
  b.Required("script", &script, "1", "its lines, or the name of a file with them; see above");
  b.Optional("places", &places, "m", "names of places in the world, for the script");
  if (!b.reads()) return;
  const Scene& scene = b.context().scene->scene;
  for (const Body& body : scene.bodies) {
    if (!places.contains(body.name)) continue;
    b.Fail("places." + body.name, "a place cannot have the name of a body, '" + body.name + "'",
           "rename it");
  }
  FileValue* lines = b.table()->Find("script");
  if (lines->text() != nullptr) InlineScript(lines);
  behaviour.actions = ParseScript(*lines, scene, places);
  behaviours.push_back(std::move(behaviour));
}

}  // namespace pliant
