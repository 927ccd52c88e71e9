// What the readers of meshes of cells share: words of a text, and nodes and cells by tag.

#ifndef PLIANT_EXPERIMENTS_FILES_VOLUME_MESH_MAKER_H_
#define PLIANT_EXPERIMENTS_FILES_VOLUME_MESH_MAKER_H_

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/files/document.h"
#include "experiments/files/volume_mesh_reader.h"

namespace pliant {

std::string Quoted(std::string_view word);  // its beginning; "the end of the file" of an empty one

// Words of a text, each with its line.
class MeshWords {
 public:
  MeshWords(std::string_view text, std::shared_ptr<const FileSource> source)
      : text_(text), source_(std::move(source)) {}

  std::string_view Word();  // the next; empty at the end
  std::string_view Line();  // the rest of this line
  void SkipLine() { Line(); }
  double Real(const char* what);
  // From 0 to `most`.
  std::int64_t Integer(const char* what, std::int64_t most);
  // A count of things that take at least one byte each: more than the text has left is a lie.
  std::int64_t Count(const char* what) {
    return Integer(what, static_cast<std::int64_t>(text_.size() - at_));
  }
  // Raw bytes, for binary sections.
  template <typename T>
  T Raw(const char* what) {
    T value;
    if (text_.size() - at_ < sizeof(T)) {
      Fail(std::string("the file ends before ") + what, "the file is damaged; save it again");
    }
    std::memcpy(&value, text_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  std::int64_t RawCount(const char* what, size_t bytes_each);
  // Goes on behind `word`; false where it does not follow any more.
  bool SkipTo(std::string_view word);

  FilePlace place() const { return {source_, line_, 1}; }
  [[noreturn]] void Fail(const std::string& what, const std::string& mend) const {
    FailAt(place(), what, mend);
  }

 private:
  std::string_view text_;
  std::shared_ptr<const FileSource> source_;
  size_t at_ = 0;
  int line_ = 1;
};

// Collects nodes by tag and cells of them, and leaves out what is not used.
class VolumeMeshMaker {
 public:
  // False for a tag that is there already.
  bool AddNode(std::int64_t tag, const std::array<double, 3>& x, FilePlace place);
  bool has(std::int64_t tag) const { return nodes_.contains(tag); }
  // Corners in the order of Gmsh and VTK: 4 or 8.
  void AddCell(const std::vector<std::int64_t>& corners, FilePlace place);
  size_t cell_count() const { return cells_.size(); }
  VolumeMeshKeys Finish();

 private:
  struct Node {
    std::array<double, 3> x;
    FilePlace place;
    std::int64_t number = -1;
  };
  struct Cell {
    std::vector<std::int64_t> corners;
    FilePlace place;
  };
  std::map<std::int64_t, Node> nodes_;
  std::vector<Cell> cells_;
};

// What a file calls a cell: lower ones are skipped, the last three refused.
enum class CellKind { kTetrahedron, kHexahedron, kLower, kPrism, kHigher, kUnknown };
void RequireKnown(CellKind kind, std::int64_t type, const MeshWords& words);
// Refuses a file without cells.
VolumeMeshKeys FinishWithCells(const MeshWords& words, VolumeMeshMaker* maker);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_VOLUME_MESH_MAKER_H_
