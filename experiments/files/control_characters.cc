#include "experiments/files/control_characters.h"

#include <fmt/format.h>

namespace pliant {

std::optional<std::string> ControlCharacterIn(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool c0 = byte < 0x20 && byte != '\t' && byte != '\n';
    if (c0 || byte == 0x7F) return fmt::format("U+{:04X}", byte);
    // U+0080 to U+009F are C2 80 to C2 9F.
    if (byte != 0xC2 || i + 1 == text.size()) continue;
    const auto next = static_cast<unsigned char>(text[i + 1]);
    if (next >= 0x80 && next < 0xA0) return fmt::format("U+{:04X}", next);
  }
  return std::nullopt;
}

}  // namespace pliant
