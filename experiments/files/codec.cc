#include "experiments/files/codec.h"

#include <cmath>
#include <limits>

namespace pliant {

int Codec<int>::Read(FileValue* value, const ReadContext& context) {
  const std::int64_t number = std::get<std::int64_t>(value->data);
  if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max()) {
    FailAt(value->place, context.what + " is out of range: " + std::to_string(number));
  }
  return static_cast<int>(number);
}

double Codec<double>::Read(FileValue* value, const ReadContext& context) {
  if (const auto* integer = std::get_if<std::int64_t>(&value->data)) {
    return static_cast<double>(*integer);
  }
  const double number = std::get<double>(value->data);
  if (!std::isfinite(number)) FailAt(value->place, context.what + " is not a finite number");
  return number;
}

void RequireSize(const FileValue& value, size_t size, const ReadContext& context) {
  const size_t given = value.array()->size();
  if (given == size) return;
  FailAt(value.place, context.what + " has " + std::to_string(given) + " entries",
         "it must have " + std::to_string(size));
}

Eigen::Vector3d Codec<Eigen::Vector3d>::Read(FileValue* value, const ReadContext& context) {
  const bool planar = context.dimension == 2 && value->array()->size() == 2;
  if (!planar) RequireSize(*value, 3, context);
  Eigen::Vector3d vector = Eigen::Vector3d::Zero();
  for (size_t i = 0; i < value->array()->size(); ++i) {
    vector[static_cast<int>(i)] = ReadValue<double>(&(*value->array())[i], context);
  }
  return vector;
}

FileData Codec<Eigen::Vector3d>::Write(const Eigen::Vector3d& vector) {
  FileValue::Array entries;
  for (double entry : vector) entries.push_back({entry, {}});
  return entries;
}

}  // namespace pliant
