// OBJ is read here and not by a library: the two statements that make a shape take fewer lines
// than handling the warnings of a library, and a library does not report the column of a
// mistake.

#include "experiments/files/mesh_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/files/data_file.h"
#include "experiments/files/volume_mesh_reader.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

// At a place in an OBJ file, which is named at `asked_at`.
[[noreturn]] void FailInFile(const FilePlace& place, const FilePlace& asked_at,
                             const std::string& what, const std::string& mend) {
  FailAt(place, what, mend + (mend.empty() ? "" : "; ") + "read from " + ToString(asked_at));
}

// One line of a file, cut at blanks.
class ObjLine {
 public:
  ObjLine(std::string_view text, FilePlace place, const FilePlace& asked_at)
      : text_(text), place_(std::move(place)), asked_at_(asked_at) {}

  // The next word; empty at the end of the line or where a comment begins.
  std::string_view Word() {
    at_ = std::min(text_.find_first_not_of(" \t\r", at_), text_.size());
    const size_t end = std::min(text_.find_first_of(" \t\r", at_), text_.size());
    word_ = at_;
    at_ = end;
    const std::string_view word = text_.substr(word_, end - word_);
    if (word.starts_with('#')) {
      at_ = text_.size();
      return {};
    }
    return word;
  }

  // The place of the last word.
  FilePlace place() const {
    FilePlace place = place_;
    place.column = static_cast<int>(word_) + 1;
    return place;
  }

  // At the last word, or at the whole line.
  [[noreturn]] void FailAtWord(const std::string& what, const std::string& mend) const {
    FailInFile(place(), asked_at_, what, mend);
  }
  [[noreturn]] void Fail(const std::string& what, const std::string& mend) const {
    FailInFile(place_, asked_at_, what, mend);
  }

 private:
  std::string_view text_;
  FilePlace place_;
  const FilePlace& asked_at_;
  size_t at_ = 0, word_ = 0;
};

double Coordinate(ObjLine* line) {
  const std::string_view word = line->Word();
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) {
    line->FailAtWord("a vertex needs three finite coordinates, not '" + std::string(word) + "'",
                     "write v x y z");
  }
  return value;
}

// "7", "7/1", "7//3": the first number, 1 for the first vertex, −1 for the last so far.
int VertexOf(std::string_view word, size_t vertices, const ObjLine& line) {
  const std::string_view number = word.substr(0, word.find('/'));
  int index = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
  const bool whole = error == std::errc() && end == number.data() + number.size();
  const int count = static_cast<int>(vertices);
  if (!whole || index == 0 || index > count || index < -count) {
    line.FailAtWord("there is no vertex '" + std::string(number) + "' above this line",
                    count == 0 ? "write the vertices first"
                               : "vertices so far are 1 to " + std::to_string(count));
  }
  return index > 0 ? index - 1 : count + index;
}

// The rest of a line of f or l.
FileValue::Array VerticesOf(size_t vertices, ObjLine* line) {
  FileValue::Array corners;
  for (std::string_view word = line->Word(); !word.empty(); word = line->Word()) {
    corners.push_back({std::int64_t{VertexOf(word, vertices, *line)}, line->place()});
  }
  return corners;
}

void ReadObj(const std::string& text, const std::shared_ptr<const FileSource>& source,
             const FilePlace& asked_at, bool may_be_lines, FileValue::Array* vertices,
             FileValue::Array* faces, FileValue::Array* lines) {
  static constexpr std::array<std::string_view, 13> kWithoutShape = {
      "vn",     "vt",     "vp",     "g",      "o",   "s",    "mg",
      "usemtl", "mtllib", "usemap", "maplib", "lod", "bevel"};
  int number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const FilePlace place{source, ++number, 1};
    ObjLine line(std::string_view(text).substr(begin, end - begin), place, asked_at);
    begin = end + 1;
    const std::string_view statement = line.Word();
    if (statement == "v") {
      FileValue::Array vertex;
      for (int c = 0; c < 3; ++c) vertex.push_back({Coordinate(&line), place});
      vertices->push_back({std::move(vertex), place});
    } else if (statement == "f") {
      FileValue::Array face = VerticesOf(vertices->size(), &line);
      if (face.size() < 3) line.Fail("a face needs at least three vertices", "write f a b c");
      faces->push_back({std::move(face), place});
    } else if (statement == "l") {
      FileValue::Array ends = VerticesOf(vertices->size(), &line);
      if (ends.size() < 2) line.Fail("a line needs at least two vertices", "write l a b");
      lines->push_back({std::move(ends), place});
    } else if (!statement.empty() && std::find(kWithoutShape.begin(), kWithoutShape.end(),
                                               statement) == kWithoutShape.end()) {
      line.FailAtWord(
          "the statement '" + std::string(statement) + "' is not part of a polygon mesh",
          "export polygons: v and f");
    }
  }
  if (!faces->empty()) return;
  const FilePlace end = {source, number, 1};
  if (!may_be_lines) FailInFile(end, asked_at, "the file has no faces", "write f a b c");
  if (lines->empty()) {
    FailInFile(end, asked_at, "the file has no faces and no lines", "write f a b c or l a b");
  }
}

}  // namespace

void InlineMeshFile(FileValue* table, bool is_body) {
  const bool may_be_lines = is_body, may_be_volume = is_body;
  FileValue* file = table->Find("file");
  if (file == nullptr) {
    if (table->Find("vertices") == nullptr) {
      FailAt(table->place, "a mesh lacks the key 'file'",
             "name an OBJ file, or give vertices and faces");
    }
    return;
  }
  for (const char* key : {"vertices", "faces", "lines", "tetrahedra", "hexahedra"}) {
    if (const FileValue::Entry* given = table->FindEntry(key)) {
      FailAt(given->place, "the body gives both a file and '" + std::string(key) + "'",
             "remove one");
    }
  }
  const FilePlace asked_at = file->place;
  const auto name = ReadValue<std::string>(file, {"'file'"});
  const std::filesystem::path path = DataFileNamed(name, DataKind::kMesh, asked_at);
  const std::string text = ReadTextFile(path, asked_at);
  const auto source = std::make_shared<const FileSource>(
      FileSource{path.lexically_normal().string(), path.parent_path(), false});
  const auto add = [&](const char* key, FileValue::Array values) {
    table->table()->push_back({key, asked_at, {std::move(values), {source, 1, 1}}});
  };
  const std::string ending = path.extension().string();
  if (IsVtu(text) || ending == ".vtu") {
    FailInFile({source, 1, 1}, asked_at, "VTK's XML files are not read",
               "save it as legacy .vtk in ASCII, or as .msh of Gmsh");
  }
  const bool gmsh = IsGmsh(text) || ending == ".msh", vtk = IsVtk(text) || ending == ".vtk";
  if (gmsh || vtk) {
    if (!may_be_volume) {
      FailInFile({source, 1, 1}, asked_at, "a mesh of cells cannot be used here",
                 "name an OBJ file of its surface");
    }
    VolumeMeshKeys keys = gmsh ? ReadGmsh(text, source) : ReadVtk(text, source);
    table->Erase("file");
    add("vertices", std::move(keys.vertices));
    add("faces", {});
    if (!keys.tetrahedra.empty()) add("tetrahedra", std::move(keys.tetrahedra));
    if (!keys.hexahedra.empty()) add("hexahedra", std::move(keys.hexahedra));
    return;
  }
  FileValue::Array vertices, faces, lines;
  ReadObj(text, source, asked_at, may_be_lines, &vertices, &faces, &lines);
  const bool graph = faces.empty();
  table->Erase("file");
  add("vertices", std::move(vertices));
  add("faces", std::move(faces));
  if (graph) add("lines", std::move(lines));
}

namespace {

// An OBJ counts from 1, and its readers do: "the edge 0–1" is "the edge 1–2".
std::string CountedFromOne(const std::string& text) {
  static const std::regex kNumbers(
      R"(\b(face|line|edge|vertex|points) (\d{1,9})(?:(–| and )(\d{1,9}))?)");
  std::string counted;
  auto rest = text.cbegin();
  const auto next = [](const std::ssub_match& number) {
    return std::to_string(std::stoull(number.str()) + 1);
  };
  for (std::sregex_iterator i(text.begin(), text.end(), kNumbers), end; i != end; ++i) {
    const std::smatch& found = *i;
    counted += std::string(rest, found[0].first) + found[1].str() + " " + next(found[2]);
    if (found[4].matched) counted += found[3].str() + next(found[4]);
    rest = found[0].second;
  }
  return counted + std::string(rest, text.cend());
}

}  // namespace

void FailInMesh(const FileValue& table, const Problem& problem) {
  const FilePlace place = PlaceOf(table, problem.where);
  const FileValue::Entry* entry = table.FindEntry(SplitPath(problem.where)[0]);
  if (entry == nullptr || entry->place.source == place.source) {
    FailAt(place, problem.what, problem.mend);
  }
  const bool numbered = problem.where.ends_with(']');
  const bool is_obj = numbered && place.source->name.ends_with(".obj");
  const std::string what = is_obj ? CountedFromOne(problem.what) + " (counted from 1)"
                                  : problem.what + (numbered ? " (counted from 0)" : "");
  FailInFile(place, entry->place, what, problem.mend);
}

void BindPolygons(KeyBinder& b, Polygons* polygons) {
  b.Required("vertices", &polygons->vertices, "m", "corners of the faces");
  b.Required("faces", &polygons->mesh.faces, "1",
             "lists of vertices (counted from 0), counter-clockwise seen from outside");
  polygons->mesh.vertices = static_cast<int>(polygons->vertices.cols());
}

void BindScale(KeyBinder& b, Polygons* polygons) {
  double scale = 1.0;
  b.Default("scale", &scale, "1", "factor that scales the vertices");
  if (!(scale > 0.0) || !std::isfinite(scale)) {
    b.Fail("scale", "the scale of a mesh must be positive and finite, not " + Digits(scale));
  }
  polygons->vertices *= scale;
}

}  // namespace pliant
