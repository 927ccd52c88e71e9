#include "experiments/bundles/json_text.h"

#include "experiments/files/control_characters.h"
#include "experiments/files/experiment.h"

namespace pliant {

Json ParseJson(const std::string& text, const std::filesystem::path& path) {
  const auto look = [&path](int, Json::parse_event_t, Json& parsed) {
    if (!parsed.is_string()) return true;
    if (const auto control = ControlCharacterIn(parsed.get_ref<const std::string&>())) {
      throw FileError(path.string() + ": damaged: a text holds the control character " + *control);
    }
    return true;
  };
  try {
    return Json::parse(text, look);
  } catch (const nlohmann::json::exception& error) {
    throw FileError(path.string() + ": damaged: " + error.what());
  }
}

}  // namespace pliant
