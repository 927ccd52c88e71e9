// XDMF 3: an XML file that tells ParaView how to read a copy of points.h5, frame by frame, and beside it the
// arrays of exported_motion.h.

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

#include "experiments/bundles/csv.h"
#include "experiments/bundles/export_formats.h"
#include "experiments/bundles/exported_motion.h"
#include "experiments/bundles/points_file.h"
#include "experiments/bundles/storage.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr char kArrays[] = "arrays";  // their group in the HDF5 file

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

// One frame of a dataset frames×points×numbers of an HDF5 file.
struct FrameOf {
  size_t frame, frames;
  int points;

  std::string operator()(const std::string& dataset, Eigen::Index numbers) const {
    const std::string n = std::to_string(points), k = std::to_string(numbers);
    return "<DataItem ItemType=\"HyperSlab\" Dimensions=\"" + n + " " + k +
           "\">\n<DataItem Dimensions=\"3 3\" Format=\"XML\">" + std::to_string(frame) +
           " 0 0 1 1 1 1 " + n + " " + k +
           "</DataItem>\n<DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"8\" "
           "Dimensions=\"" +
           std::to_string(frames) + " " + n + " " + k + "\">" + dataset +
           "</DataItem>\n</DataItem>\n";
  }
};

std::string Attribute(const std::string& name, Eigen::Index components, const std::string& data) {
  const char* type = components == 3 ? "Vector" : components == 6 ? "Tensor6" : "Scalar";
  return "<Attribute Name=\"" + name + "\" AttributeType=\"" + type + "\" Center=\"Node\">\n" +
         data + "</Attribute>\n";
}

struct ArrayShape {
  std::string name;
  Eigen::Index components;
};

// Symmetric tensors are xx, yy, zz, xy, yz, xz here and in VTK, row by row in XDMF.
const std::vector<std::string> kTensor6 = {"xx", "xy", "xz", "yy", "yz", "zz"};
constexpr std::array<int, 6> kRowByRow = {0, 3, 5, 1, 4, 2};

NamedArray ArrayOf(const ExportedArray& array) {
  NamedArray named{
      kArrays, array.name, array.unit, array.meaning, {}, {}, array.values.transpose()};
  if (array.values.rows() != 6) return named;
  named.meaning = "Green's strain in the body frame";
  named.columns = kTensor6;
  for (int c = 0; c < 6; ++c) named.values.col(c) = array.values.row(kRowByRow[c]).transpose();
  return named;
}

// All arrays of all frames but velocities, which points.h5 has. Returns what there is.
std::vector<ArrayShape> WriteArrays(const Bundle& bundle, const ExportOptions& options,
                                    const std::filesystem::path& path, ExportedMotion* motion) {
  std::vector<ArrayShape> shapes;
  PointsWriter writer(path, bundle.experiment().scene->PointCount());
  for (size_t frame = 0; frame < bundle.frame_count(); ++frame) {
    options.Progress(frame, bundle.frame_count());
    const ExportedFrame now = motion->At(frame);
    std::vector<NamedArray> arrays;
    for (const ExportedArray& array : now.arrays) {
      if (array.name == "velocity_m_s") continue;
      arrays.push_back(ArrayOf(array));
      if (frame == 0) shapes.push_back({array.name, array.values.rows()});
    }
    writer.Write(now.time, now.points, std::nullopt, bundle.State(frame), arrays);
  }
  writer.Close();
  return shapes;
}

// Block by block: the file is as large as the run.
void CopyPoints(const std::filesystem::path& from, const std::filesystem::path& to) {
  try {
    std::ifstream in(from, std::ios::binary);
    OutputFile out(to);
    std::string block(size_t{1} << 16, '\0');
    while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
      out.Write({block.data(), static_cast<size_t>(in.gcount())});
    }
    if (!in.eof()) throw StorageError(from, "cannot read", errno);
    out.Close();
  } catch (const StorageError&) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(to, ignored)) std::filesystem::remove(to, ignored);
    throw;
  }
}

}  // namespace

Exported ExportXdmf(const Bundle& bundle, const std::filesystem::path& folder,
                    const ExportOptions& options) {
  const Scene& scene = *bundle.experiment().scene;
  const int points = scene.PointCount();
  const size_t frames = bundle.frame_count();
  const std::string data = bundle.label() + ".h5", more = bundle.label() + "_arrays.h5";
  CopyPoints(bundle.path() / "points.h5", folder / data);
  ExportedMotion motion(bundle, options.again);
  const std::vector<ArrayShape> arrays = WriteArrays(bundle, options, folder / more, &motion);

  std::filesystem::path path = folder / (bundle.label() + ".xmf");
  const std::string topology = Topology(ConnectivityOf(scene), points);
  const bool has_velocities = bundle.Velocities(0).has_value();
  OutputFile file(path);
  file.Write(
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
      "<Grid GridType=\"Collection\" CollectionType=\"Temporal\">\n");
  for (size_t frame = 0; frame < frames; ++frame) {
    const FrameOf frame_of{frame, frames, points};
    file.Write("<Grid>\n<Time Value=\"" + RoundTrip(bundle.Time(frame)) + "\"/>\n");
    file.Write(topology);
    file.Write("<Geometry GeometryType=\"XYZ\">\n" + frame_of(data + ":/points", 3) +
               "</Geometry>\n");
    if (has_velocities) {
      file.Write(Attribute("velocity_m_s", 3, frame_of(data + ":/velocities", 3)));
    }
    for (const ArrayShape& array : arrays) {
      file.Write(Attribute(array.name, array.components,
                           frame_of(more + ":/" + kArrays + "/" + array.name, array.components)));
    }
    file.Write("</Grid>\n");
  }
  file.Write("</Grid>\n</Domain>\n</Xdmf>\n");
  file.Close();
  return {path, motion.frames_elsewhere()};
}

}  // namespace pliant
