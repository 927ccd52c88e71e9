#include "experiments/files/codec.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace pliant {

std::string JsonQuoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + '"';
}

std::string OrWithoutQuotes(const FileValue& value) {
  if (value.text() == nullptr || value.text()->empty()) return "";
  const std::string& text = *value.text();
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number =
      error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
  return is_number || text == "true" || text == "false" ? "; write " + text + " without quotes"
                                                        : "";
}

int Codec<int>::Read(FileValue* value, const ReadContext& context) {
  const std::int64_t number = std::get<std::int64_t>(value->data);
  if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max()) {
    FailAt(value->place, context.what + " is out of range: " + std::to_string(number));
  }
  return static_cast<int>(number);
}

std::uint64_t Codec<std::uint64_t>::Read(FileValue* value, const ReadContext& context) {
  const std::int64_t number = std::get<std::int64_t>(value->data);
  if (number < 0) FailAt(value->place, context.what + " cannot be negative");
  return static_cast<std::uint64_t>(number);
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
         "it must have " + std::to_string(size) +
             (given > size ? "; decimals have a point, not a comma" : ""));
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

Direction Codec<Direction>::Read(FileValue* value, const ReadContext& context) {
  const Eigen::Vector3d vector = Codec<Eigen::Vector3d>::Read(value, context);
  const double length = vector.norm();
  if (!(length > 0.0) || !std::isfinite(length)) {
    FailAt(value->place, context.what + " has no direction", "give a vector other than zero");
  }
  return {vector / length};
}

Stretch Codec<Stretch>::Read(FileValue* value, const ReadContext& context) {
  Eigen::Vector3d factors = Codec<Eigen::Vector3d>::Read(value, context);
  if (value->array()->size() == 2) factors.z() = 1.0;
  return {factors};
}

Eigen::Matrix3Xd Codec<Eigen::Matrix3Xd>::Read(FileValue* value, const ReadContext& context) {
  const std::vector<Eigen::Vector3d> list = List::Read(value, context);
  Eigen::Matrix3Xd points(3, static_cast<Eigen::Index>(list.size()));
  for (size_t i = 0; i < list.size(); ++i) points.col(static_cast<Eigen::Index>(i)) = list[i];
  return points;
}

FileData Codec<Eigen::Matrix3Xd>::Write(const Eigen::Matrix3Xd& points) {
  FileValue::Array array;
  for (const Eigen::Vector3d point : points.colwise()) {
    array.push_back({Codec<Eigen::Vector3d>::Write(point), {}});
  }
  return array;
}

}  // namespace pliant
