#include "experiments/bundles/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "experiments/bundles/csv.h"
#include "models/scene/number_text.h"
#include "tests/experiments/bundles.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// The sheet (9 points, 8 triangles) and the rope (4 points, 3 edges) of the tests.
constexpr int kPoints = 13;

// What a reader of legacy VTK makes of an ASCII file of polygonal data.
struct VtkFile {
  std::string title;
  Eigen::Matrix3Xd points, velocities;
  std::vector<std::vector<int>> lines, polygons;
  std::vector<int> body;
};

VtkFile ReadVtk(const std::filesystem::path& path) {
  std::ifstream file(path);
  VtkFile vtk;
  std::string line, word;
  std::getline(file, line);
  EXPECT_EQ(line, "# vtk DataFile Version 3.0");
  std::getline(file, vtk.title);
  std::getline(file, line);
  EXPECT_EQ(line, "ASCII");
  std::getline(file, line);
  EXPECT_EQ(line, "DATASET POLYDATA");
  auto read_vectors = [&](Eigen::Matrix3Xd* vectors, int count) {
    vectors->resize(3, count);
    for (int i = 0; i < 3 * count; ++i) file >> vectors->data()[i];
  };
  auto read_cells = [&](std::vector<std::vector<int>>* cells) {
    int count = 0, integers = 0;
    file >> count >> integers;
    for (int c = 0; c < count; ++c) {
      int size = 0;
      file >> size;
      integers -= size + 1;
      std::vector<int>& cell = cells->emplace_back(size);
      for (int& point : cell) file >> point;
    }
    EXPECT_EQ(integers, 0);
  };
  int count = 0;
  while (file >> word) {
    if (word == "POINTS") {
      file >> count >> word;
      EXPECT_EQ(word, "double");
      read_vectors(&vtk.points, count);
    } else if (word == "LINES") {
      read_cells(&vtk.lines);
    } else if (word == "POLYGONS") {
      read_cells(&vtk.polygons);
    } else if (word == "POINT_DATA") {
      file >> count;
      EXPECT_EQ(count, vtk.points.cols());
    } else if (word == "SCALARS") {
      std::getline(file, line);
      EXPECT_EQ(line, " body int 1");
      std::getline(file, line);
      EXPECT_EQ(line, "LOOKUP_TABLE default");
      vtk.body.resize(count);
      for (int& body : vtk.body) file >> body;
    } else if (word == "VECTORS") {
      std::getline(file, line);
      EXPECT_EQ(line, " velocity_m_s double");
      read_vectors(&vtk.velocities, count);
    } else {
      ADD_FAILURE() << "unknown keyword " << word;
      break;
    }
  }
  return vtk;
}

TEST(ExportVtk, ReadsBackBitForBit) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder, "drift = 0.123");
  EXPECT_EQ(ExportBundle(bundle, "vtk", folder / "out"), folder / "out" / "a.vtk.series");
  EXPECT_EQ(NamesIn(folder / "out").size(), 7u);
  const std::string series = ReadFile(folder / "out" / "a.vtk.series");
  for (size_t f = 0; f < 6; ++f) {
    const std::string name = "a_" + std::to_string(f) + ".vtk";
    EXPECT_THAT(series, HasSubstr("{\"name\": \"" + name +
                                  "\", \"time\": " + RoundTrip(bundle.Time(f)) + "}"));
    const VtkFile vtk = ReadVtk(folder / "out" / name);
    EXPECT_EQ(vtk.points, bundle.Points(f));
    EXPECT_EQ(vtk.velocities, *bundle.Velocities(f));
    const Scene& scene = *bundle.experiment().scene;
    ASSERT_EQ(vtk.polygons.size(), scene.bodies[0].faces.size());
    for (size_t i = 0; i < vtk.polygons.size(); ++i) {
      const auto& face = scene.bodies[0].faces[i];
      EXPECT_THAT(vtk.polygons[i], ElementsAre(face[0], face[1], face[2]));
    }
    EXPECT_THAT(vtk.lines,
                ElementsAre(ElementsAre(9, 10), ElementsAre(10, 11), ElementsAre(11, 12)));
    EXPECT_THAT(vtk.body, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1));
  }
}

TEST(ExportVtk, WithoutVelocitiesHasNone) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder, "kinematic = true");
  ExportBundle(bundle, "vtk", folder / "out");
  EXPECT_EQ(ReadVtk(folder / "out" / "a_3.vtk").velocities.cols(), 0);
  EXPECT_EQ(ReadVtk(folder / "out" / "a_3.vtk").points, bundle.Points(3));
}

TEST(ExportObj, ReadsBackBitForBitAndCountsFromOne) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  EXPECT_EQ(ExportBundle(bundle, "obj", folder / "out"), folder / "out" / "a_0.obj");
  EXPECT_EQ(NamesIn(folder / "out").size(), 6u);
  std::ifstream file(folder / "out" / "a_4.obj");
  std::vector<Eigen::Vector3d> points;
  std::vector<std::string> objects;
  std::vector<std::array<int, 3>> faces;
  std::vector<std::array<int, 2>> lines;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "o") words >> objects.emplace_back();
    if (kind == "v") {
      Eigen::Vector3d& x = points.emplace_back();
      words >> x[0] >> x[1] >> x[2];
    }
    if (kind == "f") {
      auto& face = faces.emplace_back();
      words >> face[0] >> face[1] >> face[2];
    }
    if (kind == "l") {
      auto& edge = lines.emplace_back();
      words >> edge[0] >> edge[1];
    }
    EXPECT_FALSE(words.fail()) << line;
  }
  EXPECT_THAT(objects, ElementsAre("net", "rope"));
  ASSERT_EQ(points.size(), static_cast<size_t>(kPoints));
  for (int i = 0; i < kPoints; ++i) EXPECT_EQ(points[i], bundle.Points(4).col(i));
  const auto& expected = bundle.experiment().scene->bodies[0].faces;
  ASSERT_EQ(faces.size(), expected.size());
  for (size_t i = 0; i < faces.size(); ++i) {
    for (int k = 0; k < 3; ++k) EXPECT_EQ(faces[i][k], expected[i][k] + 1);
  }
  EXPECT_EQ(lines, (std::vector<std::array<int, 2>>{{10, 11}, {11, 12}, {12, 13}}));
}

TEST(ExportCsv, ReadsBackBitForBit) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  EXPECT_EQ(ExportBundle(bundle, "csv", folder / "out"), folder / "out" / "frames.csv");
  EXPECT_EQ(ReadFile(folder / "out" / "series.csv"), ReadFile(bundle.path() / "series.csv"));
  EXPECT_THAT(ReadFile(folder / "out" / "frames.csv"), HasSubstr("\n5,0.2,a_5.csv\n"));

  std::ifstream file(folder / "out" / "a_5.csv");
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "body,point,x_m,y_m,z_m,vx_m_s,vy_m_s,vz_m_s");
  int i = 0;
  for (; std::getline(file, line); ++i) {
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    EXPECT_EQ(cell, i < 9 ? "net" : "rope");
    std::getline(cells, cell, ',');
    EXPECT_EQ(cell, std::to_string(i < 9 ? i : i - 9));
    for (int k = 0; k < 6; ++k) {
      std::getline(cells, cell, ',');
      EXPECT_EQ(ParseNumber(cell),
                k < 3 ? bundle.Points(5)(k, i) : (*bundle.Velocities(5))(k - 3, i));
    }
  }
  EXPECT_EQ(i, kPoints);
}

TEST(ExportCsv, WithoutVelocitiesLeavesTheirCellsEmpty) {
  const ScratchFolder folder;
  ExportBundle(FallingBundle(folder, "kinematic = true"), "csv", folder / "out");
  const std::string text = ReadFile(folder / "out" / "a_0.csv");
  EXPECT_THAT(text, HasSubstr(",,,\n"));
}

TEST(ExportXdmf, NamesEveryFrameOfACopyOfThePoints) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  EXPECT_EQ(ExportBundle(bundle, "xdmf", folder / "out"), folder / "out" / "a.xmf");
  EXPECT_EQ(ReadFile(folder / "out" / "a.h5"), ReadFile(bundle.path() / "points.h5"));
  const std::string xml = ReadFile(folder / "out" / "a.xmf");
  for (size_t f = 0; f < 6; ++f) {
    EXPECT_THAT(xml, HasSubstr("<Time Value=\"" + RoundTrip(bundle.Time(f)) + "\"/>"));
    EXPECT_THAT(xml, HasSubstr("\">" + std::to_string(f) + " 0 0 1 1 1 1 13 3</DataItem>"));
  }
  EXPECT_THAT(xml, HasSubstr("TopologyType=\"Triangle\" NodesPerElement=\"3\" "
                             "NumberOfElements=\"11\""));
  EXPECT_THAT(xml, HasSubstr("Dimensions=\"6 13 3\">a.h5:/points</DataItem>"));
  EXPECT_THAT(xml, HasSubstr("Dimensions=\"6 13 3\">a.h5:/velocities</DataItem>"));
  // Every tag that is opened is closed.
  std::vector<std::string> open;
  for (size_t at = xml.find('<', 1); at != std::string::npos; at = xml.find('<', at + 1)) {
    const std::string tag = xml.substr(at, xml.find('>', at) - at + 1);
    const std::string name = tag.substr(1, tag.find_first_of(" >", 1) - 1);
    if (tag.starts_with("</")) {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ("/" + open.back(), name);
      open.pop_back();
    } else if (!tag.ends_with("/>")) {
      open.push_back(name);
    }
  }
  EXPECT_TRUE(open.empty());
}

TEST(Export, AnUnknownFormatIsAskedAbout) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  EXPECT_THAT([&] { ExportBundle(bundle, "vkt", folder / "out"); },
              ThrowsMessage<BadInput>("unknown format 'vkt'; did you mean 'vtk'?"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(Export, WithoutFramesThereIsNothingToExport) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder, "refuses = true");
  for (const ExportFormat& format : ExportFormats()) {
    EXPECT_THAT(
        [&] { ExportBundle(bundle, format.name, folder / "out"); },
        ThrowsMessage<BadInput>(HasSubstr("has no frames to export: its outcome is unsupported")));
  }
}

TEST(Export, AFullDiskIsAnErrorInEveryFormat) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  const FullDisk full(100);
  for (const ExportFormat& format : ExportFormats()) {
    EXPECT_THAT([&] { ExportBundle(bundle, format.name, folder / "out"); },
                ThrowsMessage<StorageError>(HasSubstr("File too large")))
        << format.name;
  }
}

}  // namespace
}  // namespace pliant
