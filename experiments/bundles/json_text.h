#ifndef PLIANT_EXPERIMENTS_BUNDLES_JSON_TEXT_H_
#define PLIANT_EXPERIMENTS_BUNDLES_JSON_TEXT_H_

#include <filesystem>
#include <string>

#include "experiments/bundles/json_numbers.h"

namespace pliant {

// Parses `text`, the contents of the file `path`. Throws FileError where it is not JSON, or where a text or key
// holds a control character, which would act on the terminal that it is printed to.
Json ParseJson(const std::string& text, const std::filesystem::path& path);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_JSON_TEXT_H_
