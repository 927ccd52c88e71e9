#include "experiments/bundles/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "experiments/bundles/csv.h"
#include "models/scene/number_text.h"
#include "solvers/parallel/cancellation.h"
#include "tests/experiments/bundles.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// The sheet (9 points, 8 triangles) and the rope (4 points, 3 edges) of the tests.
constexpr int kPoints = 13;

// What a reader of VTK's XML makes of a grid: its arrays of numbers by their names.
std::map<std::string, std::vector<double>> ReadVtu(const std::filesystem::path& path) {
  const std::string text = ReadFile(path);
  EXPECT_THAT(text, HasSubstr("byte_order=\"LittleEndian\" header_type=\"UInt64\""));
  std::map<std::string, std::vector<double>> arrays;
  for (size_t at = text.find("<DataArray"); at != std::string::npos;
       at = text.find("<DataArray", at + 1)) {
    const auto attribute = [&](const std::string& name) {
      const size_t begin = text.find(" " + name + "=\"", at) + name.size() + 3;
      return text.substr(begin, text.find('"', begin) - begin);
    };
    EXPECT_EQ(attribute("format"), "binary");
    const size_t begin = text.find('\n', at) + 1;
    std::string code = text.substr(begin, text.find('\n', begin) - begin);
    std::string bytes(3 * code.size() / 4, '\0');
    EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                    reinterpret_cast<const unsigned char*>(code.data()),
                    static_cast<int>(code.size()));
    std::uint64_t count = 0;
    std::memcpy(&count, bytes.data(), sizeof count);
    const auto read = [&]<typename Number>(Number) {
      std::vector<Number> numbers(count / sizeof(Number));
      std::memcpy(numbers.data(), bytes.data() + sizeof count, count);
      return std::vector<double>(numbers.begin(), numbers.end());
    };
    const std::string type = attribute("type");
    arrays[attribute("Name")] = type == "Float64" ? read(double())
                                : type == "Int64" ? read(std::int64_t())
                                                  : read(std::uint8_t());
  }
  return arrays;
}

Eigen::MatrixXd MatrixOf(const std::vector<double>& numbers, int rows) {
  return Eigen::Map<const Eigen::MatrixXd>(numbers.data(), rows,
                                           static_cast<Eigen::Index>(numbers.size()) / rows);
}

TEST(ExportVtk, ReadsBackBitForBit) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder, "drift = 0.123");
  EXPECT_EQ(ExportBundle(bundle, "vtk", folder / "out").file, folder / "out" / "a.pvd");
  // Of each frame the blocks and two bodies; the floor rests.
  EXPECT_EQ(NamesIn(folder / "out" / "a").size(), 6u * 3u + 1u);
  const std::string series = ReadFile(folder / "out" / "a.pvd");
  const Scene& scene = *bundle.experiment().scene;
  for (size_t f = 0; f < 6; ++f) {
    const std::string number = std::to_string(f);
    EXPECT_THAT(series, HasSubstr("timestep=\"" + RoundTrip(bundle.Time(f)) +
                                  "\" part=\"0\" file=\"a/frame_" + number + ".vtm\""));
    const std::string blocks = ReadFile(folder / "out/a" / ("frame_" + number + ".vtm"));
    EXPECT_THAT(blocks, HasSubstr("name=\"net\" file=\"body0-net_" + number + ".vtu\""));
    EXPECT_THAT(blocks, HasSubstr("name=\"rope\" file=\"body1-rope_" + number + ".vtu\""));
    EXPECT_THAT(blocks, HasSubstr("name=\"floor\" file=\"obstacle0-floor.vtu\""));
    auto net = ReadVtu(folder / "out/a" / ("body0-net_" + number + ".vtu"));
    auto rope = ReadVtu(folder / "out/a" / ("body1-rope_" + number + ".vtu"));
    EXPECT_EQ(MatrixOf(net["Points"], 3), bundle.Points(f).leftCols(9));
    EXPECT_EQ(MatrixOf(rope["Points"], 3), bundle.Points(f).rightCols(4));
    EXPECT_EQ(MatrixOf(net["velocity_m_s"], 3), bundle.Velocities(f)->leftCols(9));
    EXPECT_EQ(net["TimeValue"], std::vector<double>{bundle.Time(f)});
    EXPECT_EQ(net["types"], std::vector<double>(8, 5.0));   // triangles
    EXPECT_EQ(rope["types"], std::vector<double>(3, 3.0));  // lines
    EXPECT_THAT(rope["connectivity"], ElementsAre(0, 1, 1, 2, 2, 3));
    for (size_t i = 0; i < 8; ++i) {
      const auto& face = scene.bodies[0].faces[i];
      EXPECT_EQ(net["offsets"][i], 3.0 * static_cast<double>(i + 1));
      for (size_t k = 0; k < 3; ++k) EXPECT_EQ(net["connectivity"][3 * i + k], face[k]);
    }
    EXPECT_EQ(net["body"], std::vector<double>(9, 0.0));
    EXPECT_EQ(rope["body"], std::vector<double>(4, 1.0));
  }
}

TEST(ExportVtk, HasDisplacementStrainAndRestShape) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  ExportBundle(bundle, "vtk", folder / "out");
  auto net = ReadVtu(folder / "out/a/body0-net_4.vtu");
  const Body& body = bundle.experiment().scene->bodies[0];
  const Eigen::Matrix3Xd rest = body.rest.colwise() + Eigen::Vector3d(0.25, 1.0, 0.0);
  EXPECT_LT((MatrixOf(net["rest_m"], 3) - rest).norm(), 1e-14);
  EXPECT_LT((MatrixOf(net["displacement_m"], 3) - (bundle.Points(4).leftCols(9) - rest)).norm(),
            1e-14);
  EXPECT_GT(MatrixOf(net["displacement_m"], 3).norm(), 0.1);
  EXPECT_EQ(net["strain"].size(), 8u * 6u) << "of the cells, which come after the points";
  for (const double strain : net["strain"]) EXPECT_NEAR(strain, 0.0, 1e-14);
}

TEST(ExportVtk, WithoutVelocitiesHasNone) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder, "kinematic = true");
  ExportBundle(bundle, "vtk", folder / "out");
  auto net = ReadVtu(folder / "out/a/body0-net_3.vtu");
  EXPECT_FALSE(net.contains("velocity_m_s"));
  EXPECT_EQ(MatrixOf(net["Points"], 3), bundle.Points(3).leftCols(9));
}

TEST(ExportVtk, TheFloorLiesUnderAllThatHappens) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  ExportBundle(bundle, "vtk", folder / "out");
  auto floor = ReadVtu(folder / "out/a/obstacle0-floor.vtu");
  EXPECT_EQ(floor["types"], std::vector<double>{7.0});
  const Eigen::MatrixXd corners = MatrixOf(floor["Points"], 3);
  EXPECT_TRUE(corners.row(1).isZero(1e-14));
  for (size_t f = 0; f < 6; ++f) {
    const Eigen::Matrix3Xd x = bundle.Points(f);
    for (const int axis : {0, 2}) {
      EXPECT_LT(corners.row(axis).minCoeff(), x.row(axis).minCoeff());
      EXPECT_GT(corners.row(axis).maxCoeff(), x.row(axis).maxCoeff());
    }
  }
}

// A method without forces and elements has nothing that only a step knows: a program that moves otherwise is not even
// noticed. Where there are forces it is (tests/app/cli/rare_messages_test.cc).
TEST(ExportVtk, MakesNoStepAgainWhereNothingIsToBeGained) {
  const ScratchFolder folder;
  const FallingBackend other({}, 0.5);
  const std::vector<const Backend*> others = {&other};
  const Bundle bundle = FallingBundle(folder);
  EXPECT_EQ(ExportBundle(bundle, "vtk", folder / "out").frames_elsewhere, 0u);
  const std::string frame = ReadFile(folder / "out/a/body0-net_4.vtu");
  const Bundle elsewhere = Bundle::Open(bundle.path(), others);
  EXPECT_EQ(ExportBundle(elsewhere, "vtk", folder / "again").frames_elsewhere, 0u);
  EXPECT_EQ(ReadFile(folder / "again/a/body0-net_4.vtu"), frame);
}

TEST(Export, CanBeCancelled) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  std::stop_source stop;
  stop.request_stop();
  for (const ExportFormat& format : ExportFormats()) {
    const CancelScope cancel(stop.get_token());
    EXPECT_THROW(ExportBundle(bundle, format.name, folder / "out"), Cancelled) << format.name;
  }
}

TEST(ExportObj, ReadsBackBitForBitAndCountsFromOne) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  EXPECT_EQ(ExportBundle(bundle, "obj", folder / "out").file, folder / "out" / "a_0.obj");
  EXPECT_EQ(NamesIn(folder / "out").size(), 7u);
  std::ifstream file(folder / "out" / "a_4.obj");
  std::vector<Eigen::Vector3d> points;
  std::vector<std::string> objects;
  std::vector<std::array<int, 3>> faces;
  std::vector<std::array<int, 2>> lines;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "o") std::getline(words >> std::ws, objects.emplace_back());
    if (kind == "v") {
      Eigen::Vector3d& x = points.emplace_back();
      words >> x[0] >> x[1] >> x[2];
    }
    if (kind == "f" && objects.back() == "net") {
      auto& face = faces.emplace_back();
      words >> face[0] >> face[1] >> face[2];
    }
    if (kind == "f" && objects.back() == "obstacle floor") {
      EXPECT_EQ(line, "f 14 15 16 17");
    }
    if (kind == "l") {
      auto& edge = lines.emplace_back();
      words >> edge[0] >> edge[1];
    }
    EXPECT_FALSE(words.fail()) << line;
  }
  EXPECT_THAT(objects, ElementsAre("net", "rope", "obstacle floor"));
  ASSERT_EQ(points.size(), static_cast<size_t>(kPoints) + 4u);
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
  EXPECT_EQ(ExportBundle(bundle, "csv", folder / "out").file, folder / "out" / "frames.csv");
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

// Of the XML: every tag that is opened is closed.
void ExpectClosedTags(const std::string& xml) {
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

int CountOf(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The numbers are read, by another program, in tests/audit/audit_exports.py.
TEST(ExportXdmf, HasTheBlocksOfVtkInEveryFrame) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  EXPECT_EQ(ExportBundle(bundle, "xdmf", folder / "out").file, folder / "out" / "a.xmf");
  EXPECT_THAT(NamesIn(folder / "out"), ElementsAre("a.h5", "a.xmf"));
  const std::string xml = ReadFile(folder / "out" / "a.xmf");
  for (size_t f = 0; f < 6; ++f) {
    EXPECT_THAT(xml, HasSubstr("<Time Value=\"" + RoundTrip(bundle.Time(f)) + "\"/>"));
    EXPECT_THAT(xml, HasSubstr("Dimensions=\"9 3\">a.h5:/frame_" + std::to_string(f) +
                               "/body0-net/points</DataItem>"));
  }
  for (const char* block : {"net", "rope", "floor"}) {
    EXPECT_EQ(CountOf(xml, "<Grid Name=\"" + std::string(block) + "\" GridType=\"Uniform\">"), 6);
  }
  EXPECT_THAT(xml, HasSubstr("NumberOfElements=\"8\" TopologyType=\"Triangle\">"));
  EXPECT_THAT(xml,
              HasSubstr("NumberOfElements=\"3\" TopologyType=\"Polyline\" NodesPerElement=\"2\">"));
  EXPECT_THAT(xml,
              HasSubstr("NumberOfElements=\"1\" TopologyType=\"Polygon\" NodesPerElement=\"4\">"));
  EXPECT_THAT(xml, HasSubstr("Name=\"strain\" AttributeType=\"Tensor6\" Center=\"Cell\""));
  ExpectClosedTags(xml);
}

TEST(ExportXdmf, WhatRestsIsInTheFirstFrameOnly) {
  const ScratchFolder folder;
  ExportBundle(FallingBundle(folder), "xdmf", folder / "out");
  const std::string xml = ReadFile(folder / "out" / "a.xmf");
  for (const char* still : {"body0-net/cells", "body0-net/rest_m", "obstacle0-floor/points"}) {
    EXPECT_EQ(CountOf(xml, "a.h5:/frame_0/" + std::string(still) + "<"), 6) << still;
  }
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
