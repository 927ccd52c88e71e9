#include "experiments/bundles/exported_blocks.h"

#include <algorithm>

#include "models/elasticity/cell_stress.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;

// In any locale.
bool IsLetterOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string Stem(const std::string& kind, size_t number, const std::string& name) {
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

// Single points need cells too, or ParaView shows nothing.
void AddVertices(VtkGrid* grid) {
  for (int i = 0; i < static_cast<int>(grid->points.cols()); ++i) {
    grid->AddCell(VtkCell::kVertex, {i});
  }
}

}  // namespace

ExportedBlocks::ExportedBlocks(const Bundle& bundle, const ExportOptions& options)
    : scene_(*bundle.experiment().scene),
      motion_(bundle, options.again),
      patches_(PatchesOf(bundle)) {}

std::vector<ExportedGroup> ExportedBlocks::At(size_t frame) {
  const ExportedFrame now = motion_.At(frame);
  std::vector<ExportedGroup> groups = {{"bodies", {}}, {"obstacles", {}}, {"elements", {}}};
  int offset = 0;
  for (size_t b = 0; b < scene_.bodies.size(); ++b) {
    groups[0].blocks.push_back(BodyBlock(now, b, offset));
    offset += scene_.bodies[b].size();
  }
  for (size_t o = 0; o < scene_.obstacles.size(); ++o)
    groups[1].blocks.push_back(ObstacleBlock(now, o));
  for (size_t e = 0; e < now.elements.size(); ++e)
    groups[2].blocks.push_back(ElementsBlock(now, e));
  std::erase_if(groups, [](const ExportedGroup& group) { return group.blocks.empty(); });
  return groups;
}

ExportedBlock ExportedBlocks::BodyBlock(const ExportedFrame& now, size_t b, int offset) const {
  const Body& body = scene_.bodies[b];
  VtkGrid grid{.time = now.time, .points = now.points.middleCols(offset, body.size())};
  for (const BodyCell& cell : motion_.cells()[b]) grid.AddCell(TypeOf(cell), CornersOf(cell));
  if (grid.types.empty()) {
    AddVertices(&grid);
  } else {
    grid.cell_arrays.push_back(ArrayOf("strain", now.strains[b]));
    if (now.stresses[b].cols() > 0) {
      grid.cell_arrays.push_back(ArrayOf("stress_Pa", now.stresses[b]));
      grid.cell_arrays.push_back(
          ArrayOf("von_mises_stress_Pa", elasticity::VonMises(now.stresses[b])));
    }
  }
  for (const ExportedArray& array : now.arrays) {
    grid.point_arrays.push_back(ArrayOf(array.name, array.values.middleCols(offset, body.size())));
  }
  return {body.name, Stem("body", b, body.name), false, std::move(grid)};
}

ExportedBlock ExportedBlocks::ObstacleBlock(const ExportedFrame& now, size_t o) const {
  const Obstacle& obstacle = scene_.obstacles[o];
  const PathPoint origin = obstacle.motion.At(now.time);
  VtkGrid grid{.time = now.time, .points = patches_[o].points.colwise() + origin.position};
  for (const std::vector<int>& polygon : patches_[o].polygons) {
    grid.AddCell(VtkCell::kPolygon, polygon);
  }
  const Matrix3Xd velocity = origin.velocity.replicate(1, grid.points.cols());
  grid.point_arrays.push_back(ArrayOf("velocity_m_s", velocity));
  return {obstacle.name, Stem("obstacle", o, obstacle.name), !obstacle.motion.moves(),
          std::move(grid)};
}

ExportedBlock ExportedBlocks::ElementsBlock(const ExportedFrame& now, size_t e) const {
  const ExportedElements& elements = now.elements[e];
  VtkGrid grid{.time = now.time, .points = elements.points};
  for (const auto& line : elements.lines) grid.AddCell(VtkCell::kLine, {line[0], line[1]});
  if (elements.lines.empty()) AddVertices(&grid);
  for (const ExportedArray& array : elements.arrays) {
    grid.point_arrays.push_back(ArrayOf(array.name, array.values));
  }
  return {elements.name, Stem("elements", e, elements.name), false, std::move(grid)};
}

}  // namespace pliant
