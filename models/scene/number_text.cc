#include "models/scene/number_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace pliant {

std::string RoundTrip(double value) {
  if (std::isnan(value)) return "nan";  // without sign or payload, which mean nothing
  char text[32];
  const std::to_chars_result result = std::to_chars(text, text + sizeof text, value);
  return {text, result.ptr};
}

std::string Digits(double value, int digits) {
  return fmt::format("{:.{}g}", value == 0.0 ? 0.0 : value, digits);  // no "-0"
}

std::string ThreeDigits(double value) {
  const std::string text = Digits(value, 3);
  // Up to 1e5 the zeros are shorter than the power of ten.
  const double rounded = std::strtod(text.c_str(), nullptr);
  return std::abs(rounded) >= 1e3 && std::abs(rounded) < 1e5 ? Fixed(rounded, 0) : text;
}

std::string Fixed(double value, int decimals) { return fmt::format("{:.{}f}", value, decimals); }

std::string Scientific(double value, int decimals) {
  return fmt::format("{:.{}e}", value, decimals);
}

}  // namespace pliant
