// Files of VTK's XML formats ("VTK XML file formats", Kitware): an unstructured grid (.vtu), blocks
// (.vtm) and a series in time (.pvd). Numbers are doubles in base64, so that they read back bit for
// bit.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_VTK_XML_H_
#define PLIANT_EXPERIMENTS_BUNDLES_VTK_XML_H_

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pliant {

// The numbers by which VTK knows the kinds of cells.
enum class VtkCell : std::uint8_t {
  kVertex = 1,
  kLine = 3,
  kTriangle = 5,
  kPolygon = 7,
  kTetrahedron = 10,
  kHexahedron = 12,  // corners 000 100 110 010 001 101 111 011
};

struct VtkArray {
  std::string name;
  Eigen::MatrixXd values;               // components × points or cells
  std::vector<std::string> components;  // their names; none where numbers say enough
};

struct VtkGrid {
  double time = 0.0;        // s
  Eigen::Matrix3Xd points;  // 3×n [m]
  std::vector<std::int64_t> connectivity = {},
                            offsets = {};  // of the cells: corners, and where each ends
  std::vector<std::uint8_t> types = {};
  std::vector<VtkArray> point_arrays = {}, cell_arrays = {};

  void AddCell(VtkCell type, const std::vector<int>& corners);
};

struct VtkBlock {
  std::string name;
  std::string file;  // relative to the .vtm
};
struct VtkBlocks {
  std::string name;
  std::vector<VtkBlock> blocks;
};

struct VtkTime {
  double time;       // s
  std::string file;  // relative to the .pvd
};

// They throw StorageError.
void WriteVtu(const std::filesystem::path& path, const VtkGrid& grid);
void WriteVtm(const std::filesystem::path& path, const std::vector<VtkBlocks>& groups);
void WritePvd(const std::filesystem::path& path, const std::vector<VtkTime>& times);

// With &, <, > and " as entities.
std::string XmlText(const std::string& text);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_VTK_XML_H_
