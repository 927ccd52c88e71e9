#include "experiments/files/codec.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
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

namespace {

// The line of a file as its author wrote it; empty for values that come from elsewhere.
std::string LineAt(const FilePlace& place) {
  if (place.source == nullptr || place.source->is_override) return "";
  std::ifstream in(place.source->name);
  std::string line;
  for (int i = 0; i < place.line && std::getline(in, line); ++i) continue;
  return in ? line : "";
}

// The name in the header of the table 'key' at `place`: "scene.nail", also where [scene.nail.wall] stands. Empty where no
// header does.
std::string HeaderAt(const FilePlace& place, const std::string& quoted_key) {
  const std::string line = LineAt(place);
  const size_t begin = line.find_first_not_of(" \t[");
  if (begin == 0 || begin == std::string::npos || line[begin - 1] != '[') return "";
  std::string header;
  for (const std::string& part : SplitPath(line.substr(begin, line.find(']') - begin))) {
    header += (header.empty() ? "" : ".") + part;
    if ("'" + part + "'" == quoted_key) return header;
  }
  return "";
}

// Of a text that is a number or a truth value, or a number with a unit: how to write it. Else empty.
std::string WithoutQuotes(const FileValue& value) {
  if (value.text() == nullptr || value.text()->empty()) return "";
  const std::string& text = *value.text();
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && std::isfinite(number);
  if (text == "true" || text == "false" || (is_number && end == text.data() + text.size()))
    return "write " + text + " without quotes";
  // Letters of UTF-8, as of °, are bytes above 127.
  const auto next = static_cast<unsigned char>(*end);
  const bool has_unit =
      is_number && (next == ' ' || next == '%' || next > 127 || std::isalpha(next) != 0);
  return has_unit ? "write the number alone, without quotes, in the unit that the manual gives: " +
                        text.substr(0, end - text.data())
                  : "";
}

}  // namespace

std::string MendOfKind(const FileValue& value, const ExpectedKind& expected) {
  const std::string header = HeaderAt(value.place, expected.what);
  if (expected.is_of_tables && value.table() != nullptr) {
    return header.empty() ? "put it in brackets, because there may be several: [{…}]"
                          : "write [[" + header + "]], because there may be several";
  }
  if (expected.is_table && value.array() != nullptr && !header.empty())
    return "write [" + header + "], because there is only one";
  if (expected.is_of_tables) {
    const std::string key = expected.what.substr(1, expected.what.find('\'', 1) - 1);
    return "expected " + expected.words + ": begin each with a header, [[…" + key + "]]";
  }
  const std::string words = "expected " + expected.words, bare = WithoutQuotes(value);
  if (!bare.empty()) return words + "; " + bare;
  return words + (expected.example.empty() ? "" : ", as " + expected.example);
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
