// VTK's legacy format, in words.

#include <charconv>

#include "experiments/files/volume_mesh_maker.h"

namespace pliant {
namespace {

CellKind OfVtk(std::int64_t type) {
  if (type == 10) return CellKind::kTetrahedron;
  if (type == 12 || type == 11) return CellKind::kHexahedron;
  if (type >= 1 && type <= 9) return CellKind::kLower;
  if (type == 13 || type == 14) return CellKind::kPrism;
  return type >= 15 && type <= 81 ? CellKind::kHigher : CellKind::kUnknown;
}

struct VtkCell {
  std::vector<std::int64_t> corners;
  FilePlace place;
};

void AddVtkCell(VtkCell cell, std::int64_t type, const MeshWords& words, VolumeMeshMaker* maker) {
  const CellKind kind = OfVtk(type);
  RequireKnown(kind, type, words);
  if (kind == CellKind::kLower) return;
  const size_t expected = kind == CellKind::kTetrahedron ? 4 : 8;
  if (cell.corners.size() != expected) {
    FailAt(cell.place,
           "a cell of type " + std::to_string(type) + " has " +
               std::to_string(cell.corners.size()) + " points in place of " +
               std::to_string(expected),
           "the file is damaged; save it again");
  }
  if (type == 11) {  // voxel: corners in the order of their bits
    std::swap(cell.corners[2], cell.corners[3]);
    std::swap(cell.corners[6], cell.corners[7]);
  }
  maker->AddCell(cell.corners, cell.place);
}

void ReadVtkPoints(MeshWords* words, std::int64_t count, VolumeMeshMaker* maker) {
  for (std::int64_t p = 0; p < count; ++p) {
    std::array<double, 3> x;
    for (double& value : x) value = words->Real("a coordinate of a point");
    maker->AddNode(p, x, words->place());
  }
}

// As `CELLS n size`: each with its number of points before them; or `CELLS n+1 size` with OFFSETS and CONNECTIVITY.
std::vector<VtkCell> ReadVtkCells(MeshWords* words, std::int64_t most_point) {
  const std::int64_t count = words->Count("the number of cells"),
                     size = words->Count("the size of the cells");
  std::vector<VtkCell> cells;
  const auto point = [&] { return words->Integer("a point of a cell", most_point); };
  std::string_view word = words->Word();
  if (word != "OFFSETS") {
    for (std::int64_t c = 0; c < count; ++c) {
      std::int64_t points = 0;
      const auto parsed = std::from_chars(word.data(), word.data() + word.size(), points);
      if (parsed.ec != std::errc() || points < 0 || points > size) {
        words->Fail("a cell begins with the number of its points, not " + Quoted(word),
                    "the file is damaged; save it again");
      }
      VtkCell& cell = cells.emplace_back();
      for (std::int64_t i = 0; i < points; ++i) cell.corners.push_back(point());
      cell.place = words->place();
      if (c + 1 < count) word = words->Word();
    }
    return cells;
  }
  words->Word();  // the type
  std::vector<std::int64_t> offsets;
  for (std::int64_t c = 0; c < count; ++c) offsets.push_back(words->Integer("an offset", size));
  if (words->Word() != "CONNECTIVITY") words->Fail("expected CONNECTIVITY", "save the file again");
  words->Word();
  for (size_t c = 1; c < offsets.size(); ++c) {
    if (offsets[c] < offsets[c - 1]) words->Fail("offsets have to ascend", "save the file again");
    VtkCell& cell = cells.emplace_back();
    for (std::int64_t i = offsets[c - 1]; i < offsets[c]; ++i) cell.corners.push_back(point());
    cell.place = words->place();
  }
  return cells;
}

}  // namespace

VolumeMeshKeys ReadVtk(std::string_view text, const std::shared_ptr<const FileSource>& source) {
  MeshWords words(text, source);
  VolumeMeshMaker maker;
  words.SkipLine();  // # vtk DataFile Version 4.2
  words.SkipLine();  // title
  if (const std::string_view form = words.Word(); form != "ASCII") {
    words.Fail("the file is " + Quoted(form) + ", not ASCII", "save it as text (ASCII)");
  }
  std::int64_t points = 0;
  std::vector<VtkCell> cells;
  for (std::string_view word = words.Word(); !word.empty(); word = words.Word()) {
    if (word == "DATASET") {
      const std::string_view kind = words.Word();
      if (kind != "UNSTRUCTURED_GRID") {
        words.Fail("the data set is " + Quoted(kind), "save the volume as UNSTRUCTURED_GRID");
      }
    } else if (word == "POINTS") {
      points = words.Count("the number of points");
      words.Word();  // the type
      ReadVtkPoints(&words, points, &maker);
    } else if (word == "CELLS") {
      if (points == 0) words.Fail("cells before points", "write POINTS first");
      cells = ReadVtkCells(&words, points - 1);
    } else if (word == "CELL_TYPES") {
      const std::int64_t count = words.Count("the number of types");
      if (count != static_cast<std::int64_t>(cells.size())) {
        words.Fail("there are " + std::to_string(cells.size()) + " cells, but " +
                       std::to_string(count) + " types",
                   "the file is damaged; save it again");
      }
      for (VtkCell& cell : cells) {
        AddVtkCell(std::move(cell), words.Integer("the type of a cell", 255), words, &maker);
      }
      return FinishWithCells(words, &maker);  // data of points and cells follow
    } else if (word == "METADATA" || word == "FIELD") {
      words.Fail("a section " + std::string(word) + " before the cells",
                 "save the mesh without data");
    } else {
      words.Fail("expected DATASET, POINTS, CELLS or CELL_TYPES, not " + Quoted(word),
                 "the file is damaged; save it again");
    }
  }
  return FinishWithCells(words, &maker);
}

}  // namespace pliant
