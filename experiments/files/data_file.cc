#include "experiments/files/data_file.h"

#include <algorithm>
#include <vector>

namespace pliant {
namespace {

namespace fs = std::filesystem;

fs::path& ShippedData() {
  static fs::path data;
  return data;
}

std::vector<const char*> FoldersOf(DataKind kind) {
  if (kind == DataKind::kScene) return {"scenes"};
  if (kind == DataKind::kMesh) return {"meshes"};
  return {"modes", "poses", "skeletons", "maps"};
}

bool IsOf(DataKind kind, const fs::path& file) {
  const fs::path ending = file.extension();
  if (kind == DataKind::kMesh) return ending == ".obj" || ending == ".msh" || ending == ".vtk";
  return ending == ".toml";
}

std::vector<fs::path> FilesIn(const fs::path& data, DataKind kind) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const char* inside : FoldersOf(kind)) {
    for (const auto& entry : fs::directory_iterator(data / inside, error)) {
      if (IsOf(kind, entry.path())) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Those of the nearest folder data at or above `begin` that has any; else those that ship.
std::vector<fs::path> FilesAbove(const fs::path& begin, DataKind kind) {
  std::error_code error;
  fs::path folder = fs::absolute(begin, error).lexically_normal();
  while (true) {
    std::vector<fs::path> files = FilesIn(folder / "data", kind);
    if (!files.empty()) return files;
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return ShippedData().empty() ? std::vector<fs::path>() : FilesIn(ShippedData(), kind);
}

}  // namespace

void SetShippedData(const fs::path& data) { ShippedData() = data; }

fs::path DataFileNamed(const std::string& name, DataKind kind, const FilePlace& place) {
  const fs::path folder = place.source == nullptr ? fs::path() : place.source->folder;
  const fs::path file = (folder / name).lexically_normal();
  std::error_code error;
  if (fs::exists(file, error)) return file;
  const fs::path asked = fs::path(name).filename();
  std::vector<std::string> names;
  for (const fs::path& known : FilesAbove(folder, kind)) {
    if (known.filename() == asked || known.stem() == asked) {
      if (!fs::path(name).has_parent_path()) return known;
      FailAt(place, "there is no file '" + file.string() + "'",
             "'" + known.stem().string() + "', its name alone, is " + known.string());
    }
    names.push_back(known.stem().string());
  }
  if (names.empty() || fs::path(name).has_parent_path()) return file;
  const std::string mend = DidYouMean(asked.stem().string(), names);
  constexpr std::string_view kAll = "one of: ";
  FailAt(place, "there is no file '" + file.string() + "'",
         mend.starts_with(kAll) ? "file names are relative to the file that contains them; or name "
                                  "one that ships: " +
                                      mend.substr(kAll.size())
                                : mend);
}

}  // namespace pliant
