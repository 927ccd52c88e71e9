// Numbers in JSON documents: those that JSON lacks are spelled "inf", "-inf" and "nan"; null = not
// defined.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_JSON_NUMBERS_H_
#define PLIANT_EXPERIMENTS_BUNDLES_JSON_NUMBERS_H_

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/scene/number_text.h"

namespace pliant {

using Json = nlohmann::ordered_json;

inline Json NumberToJson(const std::optional<double>& value) {
  if (!value) return nullptr;
  if (std::isfinite(*value)) return *value;
  return RoundTrip(*value);
}

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_JSON_NUMBERS_H_
