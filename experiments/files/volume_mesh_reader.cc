#include "experiments/files/volume_mesh_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace pliant {
namespace {

constexpr char kNoPrisms[] = "mesh the volume with tetrahedra or hexahedra alone";
constexpr char kFirstOrder[] =
    "save the mesh with cells of first order; refinement makes its own nodes";
constexpr char kNoCells[] = "save the volume, and not its surface alone";

std::string Quoted(std::string_view word) {
  return word.empty() ? "the end of the file" : "'" + std::string(word.substr(0, 40)) + "'";
}

// ---- Gmsh 4.1

enum class CellKind { kTetrahedron, kHexahedron, kLower, kPrism, kHigher, kUnknown };

struct GmshElement {
  CellKind kind;
  int nodes;
};

// [Gmsh reference manual, "Node ordering" and "MSH file format"]
GmshElement OfGmsh(std::int64_t type) {
  switch (type) {
    case 4:
      return {CellKind::kTetrahedron, 4};
    case 5:
      return {CellKind::kHexahedron, 8};
    case 15:
      return {CellKind::kLower, 1};
    case 1:
      return {CellKind::kLower, 2};
    case 2:
      return {CellKind::kLower, 3};
    case 3:
      return {CellKind::kLower, 4};
    case 6:
    case 7:
      return {CellKind::kPrism, 0};
    default:
      return {type >= 8 && type <= 140 ? CellKind::kHigher : CellKind::kUnknown, 0};
  }
}

void RequireKnown(CellKind kind, std::int64_t type, const MeshWords& words) {
  const std::string number = std::to_string(type);
  if (kind == CellKind::kPrism) words.Fail("a prism or pyramid (type " + number + ")", kNoPrisms);
  if (kind == CellKind::kHigher) {
    words.Fail("a cell of higher order (type " + number + ")", kFirstOrder);
  }
  if (kind == CellKind::kUnknown) {
    words.Fail("there is no type " + number + " of cells", "the file is damaged; save it again");
  }
}

// One number after the other, in words or in bytes.
class GmshNumbers {
 public:
  GmshNumbers(MeshWords* words, bool binary) : words_(*words), binary_(binary) {}

  std::int64_t Int(const char* what) {  // 4 bytes
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    if (!binary_) return words_.Integer(what, kMost);
    return words_.Raw<std::int32_t>(what);
  }
  // Of entities, which may be below 0; their value is not needed.
  void SkipInt(const char* what) {
    if (binary_) {
      words_.Raw<std::int32_t>(what);
    } else if (words_.Word().empty()) {
      words_.Fail(std::string("the file ends before ") + what,
                  "the file is damaged; save it again");
    }
  }
  std::int64_t Count(const char* what, size_t bytes_each) {
    return binary_ ? words_.RawCount(what, bytes_each) : words_.Count(what);
  }
  std::int64_t Tag(const char* what) {  // 8 bytes
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 2;
    if (!binary_) return words_.Integer(what, kMost);
    const auto tag = words_.Raw<std::uint64_t>(what);
    if (tag > static_cast<std::uint64_t>(kMost)) {
      words_.Fail(std::string(what) + " is too large", "the file is damaged; save it again");
    }
    return static_cast<std::int64_t>(tag);
  }
  double Real(const char* what) {
    if (!binary_) return words_.Real(what);
    const auto value = words_.Raw<double>(what);
    if (!std::isfinite(value)) words_.Fail(std::string(what) + " is not finite", "repair the mesh");
    return value;
  }

 private:
  MeshWords& words_;
  bool binary_;
};

void RequireEnd(MeshWords* words, const std::string& section) {
  const std::string_view word = words->Word();
  if (word != "$End" + section) {
    words->Fail("expected $End" + section + ", not " + Quoted(word),
                "its counts do not agree with its lines; save the file again");
  }
}

bool ReadFormat(MeshWords* words) {
  const std::string_view version = words->Word();
  if (version != "4.1") {
    words->Fail("version " + Quoted(version) + " of Gmsh's format",
                "save it as 4.1: gmsh -format msh41");
  }
  const bool binary = words->Integer("the type of the file", 1) == 1;
  if (words->Integer("the size of a number", 8) != 8) {
    words->Fail("numbers are not of 8 bytes", "save it on a machine of 64 bits");
  }
  if (binary) {
    words->SkipLine();
    if (words->Raw<std::int32_t>("the order of bytes") != 1) {
      words->Fail("the bytes are in the order of another machine",
                  "save it as text: gmsh -format msh41");
    }
  }
  RequireEnd(words, "MeshFormat");
  return binary;
}

void ReadNodes(MeshWords* words, bool binary, VolumeMeshMaker* maker) {
  if (binary) words->SkipLine();
  GmshNumbers numbers(words, binary);
  const std::int64_t blocks = numbers.Count("the number of blocks of nodes", 1);
  for (int i = 0; i < 3; ++i) numbers.Tag("a count of nodes");
  for (std::int64_t block = 0; block < blocks; ++block) {
    const std::int64_t dimension = numbers.Int("the dimension of a block");
    numbers.SkipInt("the entity of a block");
    const bool parametric = numbers.Int("whether nodes have parameters") == 1;
    const std::int64_t count = numbers.Count("the number of nodes of a block", 32);
    std::vector<std::int64_t> tags;
    for (std::int64_t i = 0; i < count; ++i) tags.push_back(numbers.Tag("the number of a node"));
    for (const std::int64_t tag : tags) {
      std::array<double, 3> x;
      for (double& value : x) value = numbers.Real("a coordinate of a node");
      for (int i = 0; i < (parametric ? dimension : 0); ++i) numbers.Real("a parameter of a node");
      if (!maker->AddNode(tag, x, words->place())) {
        words->Fail("node " + std::to_string(tag) + " appears twice", "renumber the mesh");
      }
    }
  }
  RequireEnd(words, "Nodes");
}

void ReadElements(MeshWords* words, bool binary, VolumeMeshMaker* maker) {
  if (binary) words->SkipLine();
  GmshNumbers numbers(words, binary);
  const std::int64_t blocks = numbers.Count("the number of blocks of elements", 1);
  for (int i = 0; i < 3; ++i) numbers.Tag("a count of elements");
  for (std::int64_t block = 0; block < blocks; ++block) {
    numbers.SkipInt("the dimension of a block");
    numbers.SkipInt("the entity of a block");
    const std::int64_t type = numbers.Int("the type of the elements of a block");
    const auto [kind, nodes] = OfGmsh(type);
    RequireKnown(kind, type, *words);
    const std::int64_t count = numbers.Count("the number of elements of a block", 8);
    for (std::int64_t i = 0; i < count; ++i) {
      numbers.Tag("the number of an element");
      std::vector<std::int64_t> corners;
      for (int n = 0; n < nodes; ++n) {
        corners.push_back(numbers.Tag("a node of an element"));
        if (!maker->has(corners.back())) {
          words->Fail(
              "an element names node " + std::to_string(corners.back()) + ", which does not exist",
              "save the mesh whole, with $Nodes before $Elements");
        }
      }
      if (kind != CellKind::kLower) maker->AddCell(corners, words->place());
    }
  }
  RequireEnd(words, "Elements");
}

VolumeMeshKeys FinishWithCells(const MeshWords& words, VolumeMeshMaker* maker) {
  if (maker->cell_count() == 0) words.Fail("the file has no tetrahedra and no hexahedra", kNoCells);
  return maker->Finish();
}

// ---- VTK

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

bool IsGmsh(std::string_view text) { return text.starts_with("$MeshFormat"); }
bool IsVtk(std::string_view text) { return text.starts_with("# vtk DataFile"); }
bool IsVtu(std::string_view text) {
  return text.starts_with("<?xml") || text.starts_with("<VTKFile");
}

VolumeMeshKeys ReadGmsh(std::string_view text, const std::shared_ptr<const FileSource>& source) {
  MeshWords words(text, source);
  VolumeMeshMaker maker;
  if (words.Word() != "$MeshFormat") {
    words.Fail("a file of Gmsh begins with $MeshFormat", "save it as .msh of version 4.1");
  }
  const bool binary = ReadFormat(&words);
  for (std::string_view word = words.Word(); !word.empty(); word = words.Word()) {
    if (!word.starts_with('$')) {
      words.Fail("expected a section, not " + Quoted(word), "the file is damaged; save it again");
    }
    const std::string section(word.substr(1));
    if (section == "Nodes") {
      ReadNodes(&words, binary, &maker);
    } else if (section == "Elements") {
      ReadElements(&words, binary, &maker);
    } else if (section == "PartitionedEntities") {
      words.Fail("the mesh is partitioned", "save it whole: Mesh.PartitionCreateTopology = 0");
    } else if (!words.SkipTo("$End" + section)) {
      words.Fail("the section $" + section + " does not end", "the file is damaged; save it again");
    }
  }
  return FinishWithCells(words, &maker);
}

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

std::string_view MeshWords::Word() {
  constexpr std::string_view kBlank = " \t\r\n";
  while (at_ < text_.size() && kBlank.find(text_[at_]) != std::string_view::npos) {
    line_ += text_[at_++] == '\n' ? 1 : 0;
  }
  const size_t begin = at_;
  at_ = std::min(text_.find_first_of(kBlank, at_), text_.size());
  return text_.substr(begin, at_ - begin);
}

std::string_view MeshWords::Line() {
  const size_t begin = at_, end = std::min(text_.find('\n', at_), text_.size());
  at_ = std::min(end + 1, text_.size());
  line_ += end < text_.size() ? 1 : 0;
  return text_.substr(begin, end - begin);
}

double MeshWords::Real(const char* what) {
  const std::string_view word = Word();
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) {
    Fail(std::string(what) + " has to be a finite number, not " + Quoted(word),
         "the file is damaged; save it again");
  }
  return value;
}

std::int64_t MeshWords::Integer(const char* what, std::int64_t most) {
  const std::string_view word = Word();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < 0 || value > most) {
    Fail(std::string(what) + " has to be a whole number from 0 to " + std::to_string(most) +
             ", not " + Quoted(word),
         "the file is damaged; save it again");
  }
  return value;
}

template <typename T>
T MeshWords::Raw(const char* what) {
  T value;
  if (text_.size() - at_ < sizeof(T)) {
    Fail(std::string("the file ends before ") + what, "the file is damaged; save it again");
  }
  std::memcpy(&value, text_.data() + at_, sizeof(T));
  at_ += sizeof(T);
  return value;
}

std::int64_t MeshWords::RawCount(const char* what, size_t bytes_each) {
  const auto count = Raw<std::uint64_t>(what);
  if (count > (text_.size() - at_) / bytes_each) {
    Fail(std::string(what) + " is larger than the file", "the file is damaged; save it again");
  }
  return static_cast<std::int64_t>(count);
}

bool MeshWords::SkipTo(std::string_view word) {
  const size_t found = text_.find(word, at_);
  if (found == std::string_view::npos) return false;
  line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                       text_.begin() + static_cast<std::ptrdiff_t>(found), '\n'));
  at_ = found + word.size();
  return true;
}

bool VolumeMeshMaker::AddNode(std::int64_t tag, const std::array<double, 3>& x, FilePlace place) {
  return nodes_.emplace(tag, Node{x, std::move(place)}).second;
}

void VolumeMeshMaker::AddCell(const std::vector<std::int64_t>& corners, FilePlace place) {
  for (const std::int64_t corner : corners) nodes_.at(corner).number = 0;
  cells_.push_back({corners, std::move(place)});
}

VolumeMeshKeys VolumeMeshMaker::Finish() {
  VolumeMeshKeys keys;
  for (auto& [tag, node] : nodes_) {
    if (node.number < 0) continue;
    node.number = static_cast<std::int64_t>(keys.vertices.size());
    FileValue::Array x;
    for (const double value : node.x) x.push_back({value, node.place});
    keys.vertices.push_back({std::move(x), node.place});
  }
  // Both go round the bottom, then round the top; ours are in the order of their bits.
  constexpr std::array<size_t, 8> kOurs = {0, 1, 3, 2, 4, 5, 7, 6};
  for (const Cell& cell : cells_) {
    FileValue::Array corners;
    for (size_t i = 0; i < cell.corners.size(); ++i) {
      const size_t from = cell.corners.size() == 8 ? kOurs[i] : i;
      corners.push_back({nodes_.at(cell.corners[from]).number, cell.place});
    }
    (cell.corners.size() == 8 ? keys.hexahedra : keys.tetrahedra)
        .push_back({std::move(corners), cell.place});
  }
  return keys;
}

}  // namespace pliant
