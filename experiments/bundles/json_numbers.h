// Numbers in JSON documents: those that JSON lacks are spelled "inf", "-inf" and "nan"; null = not
// defined.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_JSON_NUMBERS_H_
#define PLIANT_EXPERIMENTS_BUNDLES_JSON_NUMBERS_H_

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "models/scene/number_text.h"

namespace pliant {

using Json = nlohmann::ordered_json;

inline Json NumberToJson(const std::optional<double>& value) {
  if (!value) return nullptr;
  if (std::isfinite(*value)) return *value;
  return RoundTrip(*value);
}

// A whole number that T holds. Throws nlohmann::json::type_error for any other: get<T>() would cut 2.5 to 2 and turn −1 into the
// largest number, and what it makes of 1e300 is not defined.
template <typename T, typename AnyJson>
T WholeFromJson(const AnyJson& json) {
  if (json.is_number_unsigned()) {
    const auto number = json.template get<std::uint64_t>();
    if (std::in_range<T>(number)) return static_cast<T>(number);
  } else if (json.is_number_integer()) {
    const auto number = json.template get<std::int64_t>();
    if (std::in_range<T>(number)) return static_cast<T>(number);
  }
  throw AnyJson::type_error::create(302, json.dump() + " is not a whole number that fits here",
                                    &json);
}

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_JSON_NUMBERS_H_
