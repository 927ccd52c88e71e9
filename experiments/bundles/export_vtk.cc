// Legacy VTK: "VTK File Formats for VTK Version 4.2" (Kitware), dataset POLYDATA; and the
// .vtk.series file, which gives ParaView the times.

#include "experiments/bundles/csv.h"
#include "experiments/bundles/export_formats.h"
#include "experiments/bundles/storage.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

// A block of cells: its keyword, how many cells, how many integers in all; then size and points of
// each.
template <size_t n>
void WriteCells(const std::string& keyword, const std::vector<std::array<int, n>>& cells,
                OutputFile* file) {
  if (cells.empty()) return;
  file->Write(keyword + " " + std::to_string(cells.size()) + " " +
              std::to_string((n + 1) * cells.size()) + "\n");
  for (const auto& cell : cells) {
    std::string line = std::to_string(n);
    for (int point : cell) line += " " + std::to_string(point);
    file->Write(line + "\n");
  }
}

void WriteFrame(const Bundle& bundle, size_t frame, const Connectivity& connectivity,
                const std::filesystem::path& path) {
  const Eigen::Matrix3Xd x = bundle.Points(frame);
  const std::string count = std::to_string(x.cols());
  OutputFile file(path);
  file.Write("# vtk DataFile Version 3.0\n" + bundle.label() + " at " +
             RoundTrip(bundle.Time(frame)) + " s\nASCII\nDATASET POLYDATA\n");
  file.Write("POINTS " + count + " double\n");
  for (const auto& point : x.colwise()) file.Write(ThreeNumbers(point) + "\n");
  // A frame of single points needs cells too, or ParaView shows nothing.
  std::vector<std::array<int, 1>> vertices;
  if (connectivity.edges.empty() && connectivity.faces.empty()) {
    for (int i = 0; i < x.cols(); ++i) vertices.push_back({i});
  }
  WriteCells("VERTICES", vertices, &file);
  WriteCells("LINES", connectivity.edges, &file);
  WriteCells("POLYGONS", connectivity.faces, &file);

  file.Write("POINT_DATA " + count + "\nSCALARS body int 1\nLOOKUP_TABLE default\n");
  const Scene& scene = *bundle.experiment().scene;
  for (size_t body = 0; body < scene.bodies.size(); ++body) {
    for (int i = 0; i < scene.bodies[body].size(); ++i) file.Write(std::to_string(body) + "\n");
  }
  if (const std::optional<Eigen::Matrix3Xd> velocities = bundle.Velocities(frame)) {
    file.Write("VECTORS velocity_m_s double\n");
    for (const auto& velocity : velocities->colwise()) file.Write(ThreeNumbers(velocity) + "\n");
  }
  file.Close();
}

}  // namespace

std::filesystem::path ExportVtk(const Bundle& bundle, const std::filesystem::path& folder) {
  const Connectivity connectivity = ConnectivityOf(*bundle.experiment().scene);
  std::string series = "{\"file-series-version\": \"1.0\", \"files\": [";
  for (size_t frame = 0; frame < bundle.frame_count(); ++frame) {
    const std::string name = FrameFile(bundle, frame, ".vtk");
    WriteFrame(bundle, frame, connectivity, folder / name);
    series += std::string(frame > 0 ? "," : "") + "\n  {\"name\": \"" + name +
              "\", \"time\": " + RoundTrip(bundle.Time(frame)) + "}";
  }
  std::filesystem::path path = folder / (bundle.label() + ".vtk.series");
  WriteFile(path, series + "\n]}\n");
  return path;
}

}  // namespace pliant
