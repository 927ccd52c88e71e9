// XDMF 3: an XML file that tells ParaView how to read a copy of points.h5, frame by frame.

#include "experiments/bundles/csv.h"
#include "experiments/bundles/export_formats.h"
#include "experiments/bundles/storage.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

// Connections of the points: triangles if there are any, else edges, else nothing. One kind only,
// which every reader supports; next to triangles, edges of bodies become triangles without area.
std::string Topology(const Connectivity& all, int points) {
  std::string kind, numbers;
  size_t cells = 0, nodes = 0;
  auto add = [&](std::initializer_list<int> cell) {
    for (int point : cell) numbers += std::to_string(point) + " ";
    numbers += "\n";
    nodes = cell.size();
    ++cells;
  };
  if (!all.faces.empty()) {
    kind = "Triangle";
    for (const auto& face : all.faces) add({face[0], face[1], face[2]});
    for (const auto& edge : all.edges) add({edge[0], edge[1], edge[1]});
  } else if (!all.edges.empty()) {
    kind = "Polyline";
    for (const auto& edge : all.edges) add({edge[0], edge[1]});
  } else {
    kind = "Polyvertex";
    for (int i = 0; i < points; ++i) add({i});
  }
  return "<Topology TopologyType=\"" + kind + "\" NodesPerElement=\"" + std::to_string(nodes) +
         "\" NumberOfElements=\"" + std::to_string(cells) +
         "\">\n<DataItem Format=\"XML\" NumberType=\"Int\" Dimensions=\"" + std::to_string(cells) +
         " " + std::to_string(nodes) + "\">\n" + numbers + "</DataItem>\n</Topology>\n";
}

// One frame of a dataset n×N×3 of the HDF5 file.
std::string FrameOf(const std::string& dataset, size_t frame, size_t frames, int points) {
  const std::string n = std::to_string(points);
  return "<DataItem ItemType=\"HyperSlab\" Dimensions=\"" + n +
         " 3\">\n<DataItem Dimensions=\"3 3\" Format=\"XML\">" + std::to_string(frame) +
         " 0 0 1 1 1 1 " + n +
         " 3</DataItem>\n<DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"8\" "
         "Dimensions=\"" +
         std::to_string(frames) + " " + n + " 3\">" + dataset + "</DataItem>\n</DataItem>\n";
}

}  // namespace

std::filesystem::path ExportXdmf(const Bundle& bundle, const std::filesystem::path& folder) {
  const Scene& scene = *bundle.experiment().scene;
  const int points = scene.PointCount();
  const size_t frames = bundle.frame_count();
  const std::string data = bundle.label() + ".h5";
  WriteFile(folder / data, ReadFile(bundle.path() / "points.h5"));

  std::filesystem::path path = folder / (bundle.label() + ".xmf");
  const std::string topology = Topology(ConnectivityOf(scene), points);
  const bool has_velocities = bundle.Velocities(0).has_value();
  OutputFile file(path);
  file.Write(
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
      "<Grid GridType=\"Collection\" CollectionType=\"Temporal\">\n");
  for (size_t frame = 0; frame < frames; ++frame) {
    file.Write("<Grid>\n<Time Value=\"" + RoundTrip(bundle.Time(frame)) + "\"/>\n");
    file.Write(topology);
    file.Write("<Geometry GeometryType=\"XYZ\">\n" +
               FrameOf(data + ":/points", frame, frames, points) + "</Geometry>\n");
    if (has_velocities) {
      file.Write("<Attribute Name=\"velocity_m_s\" AttributeType=\"Vector\" Center=\"Node\">\n" +
                 FrameOf(data + ":/velocities", frame, frames, points) + "</Attribute>\n");
    }
    file.Write("</Grid>\n");
  }
  file.Write("</Grid>\n</Domain>\n</Xdmf>\n");
  file.Close();
  return path;
}

}  // namespace pliant
