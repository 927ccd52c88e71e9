// Gmsh 4.1, in words or in bytes.

#include <cmath>
#include <limits>

#include "experiments/files/volume_mesh_maker.h"

namespace pliant {
namespace {

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

}  // namespace

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

}  // namespace pliant
