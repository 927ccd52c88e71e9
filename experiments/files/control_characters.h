#ifndef PLIANT_EXPERIMENTS_FILES_CONTROL_CHARACTERS_H_
#define PLIANT_EXPERIMENTS_FILES_CONTROL_CHARACTERS_H_

#include <optional>
#include <string>
#include <string_view>

namespace pliant {

// The first control character of a UTF-8 text by its code point, "U+001B": C0 but for tab and line feed, delete,
// and C1, which terminals obey as well. Nothing when there is none.
std::optional<std::string> ControlCharacterIn(std::string_view text);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_CONTROL_CHARACTERS_H_
