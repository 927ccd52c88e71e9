// Volume meshes: Gmsh and legacy VTK become bodies of cells; what is wrong with one is said in one line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "models/scene/material.h"
#include "tests/experiments/files/samples.h"
#include "tests/says.h"

namespace pliant {
namespace {

using samples::ErrorOf;
using samples::Folder;
using samples::Replaced;
using testing::HasSubstr;

std::filesystem::path WrittenMesh(const Folder& folder, const std::string& file,
                                  const std::string& mesh, const std::string& more = "") {
  folder.Write(file, mesh);
  folder.Write("scene.toml", "name = \"mesh\"\n[[body]]\nname = \"rock\"\nmass = 2.0\n" +
                                 std::string("shape = \"mesh\"\nfile = \"") + file + "\"\n" + more);
  return folder.Write("sample.toml",
                      "name = \"sample\"\nscene = \"scene.toml\"\n[run]\nduration = 0.3\n"
                      "step = 0.01\nrecord_every = 0.1\n[backends.probe]\n");
}

// Two unit cubes side by side. Node 99 is of no cell, a triangle of the surface is skipped, and names and entities are, too.
std::string GmshText() {
  return "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"all\"\n$EndPhysicalNames\n"
         "$Entities\n0 0 0 1\n1 0 0 0 2 1 1 0 0\n$EndEntities\n"
         "$Nodes\n2 13 1 99\n3 1 0 12\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"
         "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n2 0 0\n2 1 0\n2 0 1\n2 1 1\n"
         "0 2 0 1\n99\n7 7 7\n$EndNodes\n"
         "$Elements\n2 3 1 3\n2 1 2 1\n1 1 2 3\n3 1 5 2\n2 1 2 3 4 5 6 7 8\n"
         "3 2 9 10 3 6 11 12 7\n$EndElements\n";
}

template <typename T>
std::string Bytes(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

// The unit tetrahedron.
std::string GmshBinary() {
  std::string text = "$MeshFormat\n4.1 1 8\n" + Bytes<int>(1) + "\n$EndMeshFormat\n$Nodes\n";
  for (const size_t n : {1, 4, 1, 4}) text += Bytes<size_t>(n);
  for (const int n : {3, 1, 0}) text += Bytes<int>(n);
  text += Bytes<size_t>(4);
  for (const size_t n : {1, 2, 3, 4}) text += Bytes<size_t>(n);
  for (int p = 0; p < 4; ++p) {
    for (int a = 0; a < 3; ++a) text += Bytes<double>(p == a + 1 ? 1.0 : 0.0);
  }
  text += "\n$EndNodes\n$Elements\n";
  for (const size_t n : {1, 1, 1, 1}) text += Bytes<size_t>(n);
  for (const int n : {3, 1, 4}) text += Bytes<int>(n);
  for (const size_t n : {1, 1, 1, 2, 3, 4}) text += Bytes<size_t>(n);
  return text + "\n$EndElements\n";
}

std::string VtkText(const std::string& cells) {
  return "# vtk DataFile Version 3.0\na cube\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n"
         "0 0 0 1 0 0 1 1 0 0 1 0\n0 0 1 1 0 1 1 1 1 0 1 1\n" +
         cells;
}

double VolumeOf(const Body& body) { return VolumeShares(body, 0.0).sum(); }

TEST(VolumeMesh, OfGmshBecomesABodyOfItsCells) {
  const Folder folder;
  const Experiment experiment =
      samples::ReadProbe(WrittenMesh(folder, "two.msh", GmshText(), "scale = 2.0\n"));
  const Body& body = experiment.scene->bodies[0];
  EXPECT_EQ(body.shape, ShapeKind::kMesh);
  ASSERT_EQ(body.size(), 12) << "the node of no cell is left out";
  EXPECT_EQ(body.hexahedra.size(), 2u);
  EXPECT_EQ(body.faces.size(), 20u) << "ten squares enclose it, not the one between the cells";
  EXPECT_EQ(body.edges.size(), 20u);
  EXPECT_TRUE(body.closed);
  EXPECT_DOUBLE_EQ(VolumeOf(body), 16.0) << "corners are in the order of the body";
  EXPECT_DOUBLE_EQ(body.mass.sum(), 2.0);
  EXPECT_EQ(Eigen::Vector3d(body.rest.col(8)), Eigen::Vector3d(4, 0, 0));
  // The faces enclose the same volume, and so look outwards.
  double enclosed = 0.0;
  for (const auto& [a, b, c] : body.faces) {
    const Eigen::Vector3d x = body.rest.col(a), y = body.rest.col(b), z = body.rest.col(c);
    enclosed += x.dot(y.cross(z)) / 6.0;
  }
  EXPECT_NEAR(enclosed, 16.0, 1e-12);
}

TEST(VolumeMesh, OfBinaryGmsh) {
  const Folder folder;
  const Experiment experiment = samples::ReadProbe(WrittenMesh(folder, "one.msh", GmshBinary()));
  const Body& body = experiment.scene->bodies[0];
  EXPECT_EQ(body.tetrahedra.size(), 1u);
  EXPECT_EQ(body.faces.size(), 4u);
  EXPECT_NEAR(VolumeOf(body), 1.0 / 6.0, 1e-15);
}

TEST(VolumeMesh, OfVtkInBothForms) {
  for (const char* cells :
       {"CELLS 2 12\n8 0 1 2 3 4 5 6 7\n2 0 1\nCELL_TYPES 2\n12 3\nPOINT_DATA 8\nnothing\n",
        "CELLS 2 8\nOFFSETS vtktypeint64\n0 8\nCONNECTIVITY vtktypeint64\n0 1 2 3 4 5 6 7\n"
        "CELL_TYPES 1\n12\n",
        "CELLS 1 9\n8 0 1 3 2 4 5 7 6\nCELL_TYPES 1\n11\n",
        "CELLS 5 25\n4 0 1 2 5\n4 0 2 3 7\n4 0 5 7 4\n4 2 7 5 6\n4 0 2 7 5\n"
        "CELL_TYPES 5\n10 10 10 10 10\n"}) {
    const Folder folder;
    const Experiment experiment =
        samples::ReadProbe(WrittenMesh(folder, "cube.vtk", VtkText(cells)));
    EXPECT_NEAR(VolumeOf(experiment.scene->bodies[0]), 1.0, 1e-14) << cells;
    EXPECT_EQ(experiment.scene->bodies[0].faces.size(), 12u) << cells;
  }
}

TEST(VolumeMesh, IsWrittenIntoTheResolvedExperiment) {
  const Folder folder, elsewhere;
  const Experiment experiment = samples::ReadProbe(WrittenMesh(folder, "two.msh", GmshText()));
  const Experiment again =
      samples::ReadProbe(elsewhere.Write("again.toml", experiment.Resolved(0)));
  EXPECT_EQ(again.scene->bodies[0].hexahedra, experiment.scene->bodies[0].hexahedra);
  EXPECT_EQ(again.scene->bodies[0].rest, experiment.scene->bodies[0].rest);
}

TEST(VolumeMesh, WhatIsWrongIsOneLineWithPlaceAndMend) {
  struct Case {
    std::string file, mesh, place, what;
  };
  const std::string gmsh = GmshText();
  const std::string one = "CELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n12\n";
  const std::vector<Case> cases = {
      {"a.msh", Replaced(gmsh, "4.1 0 8", "2.2 0 8"), "a.msh:2", "version '2.2' of Gmsh's format"},
      {"a.msh", Replaced(gmsh, "3 1 5 2", "3 1 6 2"), "a.msh:47", "a prism or pyramid (type 6)"},
      {"a.msh", Replaced(gmsh, "3 1 5 2", "3 1 17 2"), "a.msh:47",
       "cell of higher order (type 17)"},
      {"a.msh", Replaced(gmsh, "3 1 5 2", "3 1 999 2"), "a.msh:47", "there is no type 999"},
      {"a.msh", Replaced(gmsh, "2 1 2 3 4 5 6 7 8", "2 1 2 3 4 5 6 7 80"), "a.msh:48",
       "an element names node 80, which does not exist"},
      {"a.msh", Replaced(gmsh, "2 1 2 3 4 5 6 7 8", "2 1 2 3 4 5 6 7 7"), "a.msh:48",
       "a cell has the corner 6 twice"},
      {"a.msh", Replaced(gmsh, "2 1 2 3 4 5 6 7 8", "2 5 6 7 8 1 2 3 4"), "a.msh:48",
       " is flat or turned inside out"},
      {"a.msh", Replaced(gmsh, "1 1 0\n0 1 0", "1 x 0\n0 1 0"), "a.msh:29",
       "a coordinate of a node has to be a finite number, not 'x'"},
      {"a.msh", Replaced(gmsh, "2 13 1 99", "-2 13 1 99"), "a.msh:13", "blocks of nodes"},
      {"a.msh", Replaced(gmsh, "3 1 0 12", "3 1 0 12000000"), "a.msh:14",
       "the number of nodes of a block has to be a whole number"},
      {"a.msh", Replaced(gmsh, "99\n7 7 7", "12\n7 7 7"), "a.msh:41", "node 12 appears twice"},
      {"a.msh", Replaced(gmsh, "$EndNodes", "$EndNode"), "a.msh:42", "expected $EndNodes"},
      {"a.msh", Replaced(gmsh, "3 1 5 2\n2 1 2 3 4 5 6 7 8\n3 2 9 10 3 6 11 12 7\n", "3 1 5 0\n"),
       "a.msh", "the file has no tetrahedra and no hexahedra"},
      {"a.msh", GmshBinary().substr(0, 90), "a.msh", "the file ends before"},
      {"a.vtk", Replaced(VtkText(one), "ASCII", "BINARY"), "a.vtk:3", "is 'BINARY', not ASCII"},
      {"a.vtk", Replaced(VtkText(one), "UNSTRUCTURED_GRID", "POLYDATA"), "a.vtk:4",
       "is 'POLYDATA'"},
      {"a.vtk", Replaced(VtkText(one), "4 5 6 7\n", "4 5 6 8\n"), "a.vtk:9",
       "a point of a cell has to be a whole number from 0 to 7, not '8'"},
      {"a.vtk", Replaced(VtkText(one), "1\n12", "1\n10"), "a.vtk:9",
       "a cell of type 10 has 8 points in place of 4"},
      {"a.vtk", Replaced(VtkText(one), "TYPES 1", "TYPES 2"), "a.vtk:10", "1 cells, but 2 types"},
      {"a.vtu", "<?xml version=\"1.0\"?>\n", "a.vtu:1", "VTK's XML files are not read"}};
  for (const Case& c : cases) {
    const Folder folder;
    const auto file = WrittenMesh(folder, c.file, c.mesh);
    const std::string said = ErrorOf(file);
    EXPECT_THAT(said, HasSubstr(c.place)) << c.what;
    EXPECT_THAT(said, HasSubstr(c.what));
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 0) << said;
  }
}

// Beside the cube two tetrahedra whose common corner is the middle of its face.
TEST(VolumeMesh, RefusesHangingVerticesAndCellsThatOverlap) {
  const Folder folder;
  std::string mesh = VtkText("");
  mesh = Replaced(mesh, "POINTS 8", "POINTS 10") + "1 0.5 0.5 2 0.5 0.5\n";
  const std::string hanging =
      mesh + "CELLS 2 14\n8 0 1 2 3 4 5 6 7\n4 1 2 8 9\nCELL_TYPES 2\n12 10\n";
  EXPECT_THAT(ErrorOf(WrittenMesh(folder, "a.vtk", hanging)),
              HasSubstr("a vertex hangs: it lies in the middle of a face"));
  const std::string thrice =
      VtkText("CELLS 3 15\n4 0 1 2 5\n4 0 1 2 6\n4 0 1 2 7\nCELL_TYPES 3\n10 10 10\n");
  EXPECT_THAT(ErrorOf(WrittenMesh(folder, "b.vtk", thrice)),
              HasSubstr("a face of this cell belongs to two others already"));
}

TEST(VolumeMesh, HasNoFacesAndNoSubdivisionsOfItsOwn) {
  const Folder folder;
  EXPECT_THAT(ErrorOf(WrittenMesh(folder, "a.msh", GmshText(), "subdivisions = 1\n")),
              HasSubstr("a volume is not subdivided"));
  EXPECT_THAT(ErrorOf(WrittenMesh(folder, "a.msh", GmshText(), "faces = [[0, 1, 2]]\n")),
              HasSubstr("the body gives both a file and 'faces'"));
}

}  // namespace
}  // namespace pliant
