#include "experiments/scripts/deformation_file.h"

#include <array>
#include <optional>

#include "experiments/files/matrix_table.h"
#include "experiments/files/scene_keys.h"

namespace pliant {
namespace {

struct DeformationKeys {
  std::string shape;
  double scale = 1.0;
  std::optional<double> mass;
  AnyValue modes;
  std::optional<std::vector<std::array<double, 2>>> constants;
};

void Bind(KeyBinder& b, DeformationKeys& keys) {
  b.Title("a deformation file");
  b.Required("shape", &keys.shape, "1", "shape file of the object");
  b.Default("scale", &keys.scale, "1", "units of the script per unit of the shape");
  b.Optional("mass", &keys.mass, "kg", "total mass; else that of the shape");
  b.Required("modes", &keys.modes, "", "deformation modes: a table of matrices, or its file");
  b.Optional("constants", &keys.constants, "J, J s", "C and D of each mode");
}

std::filesystem::path FileOf(const ScriptWord& word) {
  const std::filesystem::path file = (word.place.source->folder / word.text).lexically_normal();
  std::error_code error;
  const bool whole = std::filesystem::exists(file, error) || file.extension() == ".toml";
  return whole ? file : std::filesystem::path(file.string() + ".toml");
}

FileValue ReadOutline(const DeformationKeys& keys, const FileValue& table) {
  const FilePlace place = PlaceOf(table, "shape");
  FileValue outline = ReadToml((place.source->folder / keys.shape).lexically_normal(), place);
  const auto outline_keys = ReadKeys<Outline>(&outline);
  if (!(keys.scale > 0.0)) FailAt(PlaceOf(table, "scale"), "scale must be more than 0");
  FileValue::Array& points = *outline.Find("points")->array();
  for (size_t i = 0; i < points.size(); ++i) {
    for (size_t axis = 0; axis < 2; ++axis) {
      (*points[i].array())[axis].data = keys.scale * outline_keys.points[i][axis];
    }
  }
  if (keys.mass) outline.Set("mass", *keys.mass)->place = PlaceOf(table, "mass");
  return outline;
}

FileValue ReadModes(const DeformationKeys& keys, const FileValue& table) {
  FileValue modes = keys.modes.is;
  if (modes.text() != nullptr) {
    modes = ReadToml((modes.place.source->folder / *modes.text()).lexically_normal(), modes.place);
  }
  if (modes.table() == nullptr) {
    FailAt(modes.place, "'modes' is " + KindInWords(modes),
           "expected the name of a data file, or table");
  }
  const size_t count = ReadMatrixTable(&modes).entries.size();
  if (!keys.constants) return modes;
  if (keys.constants->size() != count) {
    FailAt(PlaceOf(table, "constants"),
           "the file gives constants of " + std::to_string(keys.constants->size()) + " modes",
           "the object has " + std::to_string(count));
  }
  for (size_t i = 0; i < count; ++i) {
    FileValue& entry = (*modes.Find("entry")->array())[i];
    const auto& [stiffness, damping] = (*keys.constants)[i];
    entry.Set("stiffness", 0.5 * stiffness);  // V = K γ² has C = 2 K
    entry.Set("damping", damping);
  }
  return modes;
}

}  // namespace

DeformationFile ReadDeformationFile(const ScriptWord& word) {
  const std::filesystem::path file = FileOf(word);
  FileValue table = ReadToml(file, word.place);
  const auto keys = ReadKeys<DeformationKeys>(&table);
  return {std::filesystem::path(keys.shape).stem().string(), ReadOutline(keys, table),
          ReadModes(keys, table)};
}

}  // namespace pliant
