// VTK's XML files: LABEL.pvd with the times, and in the folder LABEL for each time a .vtm with the
// blocks: every body, every obstacle, the elements of the method. An obstacle that rests is one file.

#include <algorithm>
#include <optional>

#include "experiments/bundles/export_formats.h"
#include "experiments/bundles/exported_motion.h"
#include "experiments/bundles/obstacle_patch.h"
#include "experiments/bundles/storage.h"
#include "experiments/bundles/vtk_xml.h"
#include "models/elasticity/cell_stress.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;

// In any locale.
bool IsLetterOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// "body2-left-leg": letters and digits of any name, and what tells it from every other.
std::string FileStem(const std::string& kind, size_t number, const std::string& name) {
  std::string stem = kind + std::to_string(number) + "-";
  for (const char c : name) {
    stem += IsLetterOrDigit(c) ? c : '-';
  }
  return stem;
}

VtkCell TypeOf(const BodyCell& cell) {
  switch (cell.size) {
    case 2:
      return VtkCell::kLine;
    case 3:
      return VtkCell::kTriangle;
    case 4:
      return VtkCell::kTetrahedron;
    default:
      return VtkCell::kHexahedron;
  }
}

// Pliant counts the corners of a hexahedron by axes, VTK around its bottom and its top.
constexpr std::array<int, 8> kAroundHexahedron = {0, 1, 3, 2, 4, 5, 7, 6};

std::vector<int> CornersOf(const BodyCell& cell) {
  std::vector<int> corners;
  for (int i = 0; i < cell.size; ++i) {
    corners.push_back(cell.corners[static_cast<size_t>(cell.size == 8 ? kAroundHexahedron[i] : i)]);
  }
  return corners;
}

// As ParaView names the components of a symmetric tensor.
std::vector<std::string> ComponentsOf(Eigen::Index count) {
  if (count == 3) return {"X", "Y", "Z"};
  if (count == 6) return {"XX", "YY", "ZZ", "XY", "YZ", "XZ"};
  return {};
}

VtkArray ArrayOf(const std::string& name, const Eigen::MatrixXd& values) {
  return {name, values, ComponentsOf(values.rows())};
}

class VtkExport {
 public:
  VtkExport(const Bundle& bundle, const std::filesystem::path& folder, const ExportOptions& options)
      : bundle_(bundle),
        scene_(*bundle.experiment().scene),
        folder_(folder / bundle.label()),
        motion_(bundle, options.again),
        patches_(PatchesOf(bundle)) {
    CreateFolder(folder_);
    still_.resize(scene_.obstacles.size());
  }

  // Returns the file of its blocks, relative to the series.
  std::string WriteFrame(size_t frame) {
    const ExportedFrame now = motion_.At(frame);
    const std::string number = FrameNumber(bundle_, frame);
    std::vector<VtkBlocks> groups = {{"bodies", {}}, {"obstacles", {}}, {"elements", {}}};
    int offset = 0;
    for (size_t b = 0; b < scene_.bodies.size(); ++b) {
      groups[0].blocks.push_back(WriteBody(now, b, offset, number));
      offset += scene_.bodies[b].size();
    }
    for (size_t o = 0; o < scene_.obstacles.size(); ++o) {
      groups[1].blocks.push_back(WriteObstacle(now, o, number));
    }
    for (size_t e = 0; e < now.elements.size(); ++e) {
      groups[2].blocks.push_back(WriteElements(now, e, number));
    }
    groups.erase(std::remove_if(groups.begin(), groups.end(),
                                [](const VtkBlocks& group) { return group.blocks.empty(); }),
                 groups.end());
    const std::string name = "frame_" + number + ".vtm";
    WriteVtm(folder_ / name, groups);
    return bundle_.label() + "/" + name;
  }

  size_t frames_elsewhere() const { return motion_.frames_elsewhere(); }

 private:
  VtkBlock Write(const VtkGrid& grid, const std::string& name, const std::string& file) const {
    WriteVtu(folder_ / file, grid);
    return {name, file};
  }

  VtkBlock WriteBody(const ExportedFrame& now, size_t b, int offset,
                     const std::string& number) const {
    const Body& body = scene_.bodies[b];
    VtkGrid grid{.time = now.time, .points = now.points.middleCols(offset, body.size())};
    for (const BodyCell& cell : motion_.cells()[b]) grid.AddCell(TypeOf(cell), CornersOf(cell));
    // Single points need cells too, or ParaView shows nothing.
    if (grid.types.empty()) {
      for (int i = 0; i < body.size(); ++i) grid.AddCell(VtkCell::kVertex, {i});
    } else {
      grid.cell_arrays.push_back(ArrayOf("strain", now.strains[b]));
      if (now.stresses[b].cols() > 0) {
        grid.cell_arrays.push_back(ArrayOf("stress_Pa", now.stresses[b]));
        grid.cell_arrays.push_back(
            ArrayOf("von_mises_stress_Pa", elasticity::VonMises(now.stresses[b])));
      }
    }
    for (const ExportedArray& array : now.arrays) {
      grid.point_arrays.push_back(
          ArrayOf(array.name, array.values.middleCols(offset, body.size())));
    }
    return Write(grid, body.name, FileStem("body", b, body.name) + "_" + number + ".vtu");
  }

  VtkBlock WriteObstacle(const ExportedFrame& now, size_t o, const std::string& number) {
    const Obstacle& obstacle = scene_.obstacles[o];
    if (still_[o]) return *still_[o];
    const PathPoint origin = obstacle.motion.At(now.time);
    VtkGrid grid{.time = now.time, .points = patches_[o].points.colwise() + origin.position};
    for (const std::vector<int>& polygon : patches_[o].polygons) {
      grid.AddCell(VtkCell::kPolygon, polygon);
    }
    const Matrix3Xd velocity = origin.velocity.replicate(1, grid.points.cols());
    grid.point_arrays.push_back(ArrayOf("velocity_m_s", velocity));
    const std::string stem = FileStem("obstacle", o, obstacle.name);
    if (obstacle.motion.moves()) return Write(grid, obstacle.name, stem + "_" + number + ".vtu");
    still_[o] = Write(grid, obstacle.name, stem + ".vtu");
    return *still_[o];
  }

  VtkBlock WriteElements(const ExportedFrame& now, size_t e, const std::string& number) const {
    const ExportedElements& elements = now.elements[e];
    VtkGrid grid{.time = now.time, .points = elements.points};
    for (const auto& line : elements.lines) grid.AddCell(VtkCell::kLine, {line[0], line[1]});
    if (elements.lines.empty()) {
      for (int i = 0; i < static_cast<int>(elements.points.cols()); ++i) {
        grid.AddCell(VtkCell::kVertex, {i});
      }
    }
    for (const ExportedArray& array : elements.arrays) {
      grid.point_arrays.push_back(ArrayOf(array.name, array.values));
    }
    return Write(grid, elements.name,
                 FileStem("elements", e, elements.name) + "_" + number + ".vtu");
  }

  const Bundle& bundle_;
  const Scene& scene_;
  const std::filesystem::path folder_;
  ExportedMotion motion_;
  const std::vector<ObstaclePatch> patches_;
  std::vector<std::optional<VtkBlock>> still_;  // the file of each obstacle that rests
};

}  // namespace

Exported ExportVtk(const Bundle& bundle, const std::filesystem::path& folder,
                   const ExportOptions& options) {
  VtkExport vtk(bundle, folder, options);
  std::vector<VtkTime> times;
  for (size_t frame = 0; frame < bundle.frame_count(); ++frame) {
    options.Progress(frame, bundle.frame_count());
    times.push_back({bundle.Time(frame), vtk.WriteFrame(frame)});
  }
  const std::filesystem::path path = folder / (bundle.label() + ".pvd");
  WritePvd(path, times);
  return {path, vtk.frames_elsewhere()};
}

}  // namespace pliant
