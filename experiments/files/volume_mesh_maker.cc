#include "experiments/files/volume_mesh_maker.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pliant {
namespace {

constexpr char kNoPrisms[] = "mesh the volume with tetrahedra or hexahedra alone";
constexpr char kFirstOrder[] =
    "save the mesh with cells of first order; refinement makes its own nodes";
constexpr char kNoCells[] = "save the volume, and not its surface alone";

}  // namespace

bool IsGmsh(std::string_view text) { return text.starts_with("$MeshFormat"); }
bool IsVtk(std::string_view text) { return text.starts_with("# vtk DataFile"); }
bool IsVtu(std::string_view text) {
  return text.starts_with("<?xml") || text.starts_with("<VTKFile");
}

std::string Quoted(std::string_view word) {
  return word.empty() ? "the end of the file" : "'" + std::string(word.substr(0, 40)) + "'";
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

VolumeMeshKeys FinishWithCells(const MeshWords& words, VolumeMeshMaker* maker) {
  if (maker->cell_count() == 0) words.Fail("the file has no tetrahedra and no hexahedra", kNoCells);
  return maker->Finish();
}

}  // namespace pliant
