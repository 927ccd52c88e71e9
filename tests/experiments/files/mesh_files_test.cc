// Meshes of scene files: OBJ, in place, and what is wrong with them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/experiments/files/samples.h"
#include "tests/says.h"

namespace pliant {
namespace {

using samples::ErrorOf;
using samples::Folder;
using testing::HasSubstr;

constexpr char kTetrahedron[] =
    "# a tetrahedron\nmtllib nothing.mtl\no tetra\nv 0 0 0\nv 1 0 0 # x\nv 0 1 0\nv 0 0 1\n"
    "vn 0 0 1\nf 1/1 3/2 2/3\nf 1//1 2//1 4//1\r\nf 2 3 -1\nf 3 1 4\n";

std::string SceneWith(const std::string& body, const std::string& obstacle = "") {
  return "name = \"mesh\"\n[[body]]\nname = \"rock\"\nmass = 2.0\n" + body +
         (obstacle.empty() ? "" : "\n[[obstacle]]\nname = \"cutter\"\n" + obstacle);
}

std::filesystem::path Written(const Folder& folder, const std::string& scene,
                              const std::string& obj = kTetrahedron) {
  folder.Write("tetra.obj", obj);
  folder.Write("scene.toml", scene);
  return folder.Write("sample.toml",
                      "name = \"sample\"\nscene = \"scene.toml\"\n[run]\nduration = 0.3\n"
                      "step = 0.01\nrecord_every = 0.1\n[backends.probe]\n");
}

constexpr char kMesh[] = "shape = \"mesh\"\nfile = \"tetra.obj\"\n";
constexpr char kSheet[] = "shape = \"sheet\"\nsize = [1, 1]\npoints = [3, 3]\n";

TEST(MeshFile, BecomesABodyOfItsVertices) {
  const Folder folder;
  const Experiment experiment = samples::ReadProbe(
      Written(folder, SceneWith(std::string(kMesh) + "scheme = \"loop\"\nscale = 2.0\n")));
  const Body& body = experiment.scene->bodies[0];
  EXPECT_EQ(body.shape, ShapeKind::kMesh);
  ASSERT_EQ(body.size(), 4);
  EXPECT_EQ(Eigen::Vector3d(body.rest.col(1)), Eigen::Vector3d(2, 0, 0));
  EXPECT_EQ(body.faces[2], (std::array<int, 3>{1, 2, 3}));
  EXPECT_TRUE(body.closed);
  EXPECT_DOUBLE_EQ(body.mass.sum(), 2.0);
}

TEST(MeshFile, IsRefinedAsAsked) {
  const Folder folder;
  const Experiment experiment = samples::ReadProbe(
      Written(folder, SceneWith(std::string(kMesh) + "scheme = \"loop\"\nsubdivisions = 2\n")));
  EXPECT_EQ(experiment.scene->bodies[0].faces.size(), 4u * 16);
  EXPECT_EQ(experiment.scene->bodies[0].cage->mesh.faces.size(), 4u);
}

TEST(MeshFile, IsWrittenIntoTheResolvedExperiment) {
  const Folder folder, elsewhere;
  const Experiment experiment =
      samples::ReadProbe(Written(folder, SceneWith(kMesh,
                                                   "shape = \"solid\"\nfile = \"tetra.obj\"\n"
                                                   "position = [0, 0, 3]\n")));
  const Experiment again =
      samples::ReadProbe(elsewhere.Write("resolved.toml", experiment.Resolved(0)));
  EXPECT_EQ(again.scene->bodies[0].rest, experiment.scene->bodies[0].rest);
  const auto& solid = std::get<Solid>(again.scene->obstacles[0].shape);
  ASSERT_EQ(solid.pieces.size(), 1u);
  EXPECT_EQ(solid.pieces[0].faces.size(), 4u);
}

TEST(MeshFile, MayStandInTheSceneItself) {
  const Folder folder;
  const Experiment experiment = samples::ReadProbe(
      Written(folder, SceneWith("shape = \"mesh\"\nvertices = [[0,0,0],[1,0,0],[0,1,0]]\n"
                                "faces = [[0, 1, 2]]\n")));
  EXPECT_EQ(experiment.scene->bodies[0].size(), 3);
  EXPECT_FALSE(experiment.scene->bodies[0].closed);
}

// What the reader says when `obj` is wrong.
std::string ObjComplaint(const std::string& obj) {
  const Folder folder;
  return ErrorOf(Written(folder, SceneWith(kMesh), obj));
}

TEST(MeshFile, MistakesAreToldAtTheirPlace) {
  EXPECT_THAT(ObjComplaint("v 0 0 0\nv 1 0\n"), HasSubstr("tetra.obj:2:6: a vertex needs three"));
  EXPECT_THAT(ObjComplaint("v 0 0 0\nv 1 x 0\n"), HasSubstr("tetra.obj:2:5: "));
  EXPECT_THAT(ObjComplaint("v 0 0 inf\n"), HasSubstr("tetra.obj:1:7: "));
  EXPECT_THAT(
      ObjComplaint("v 0 0 0\nf 1 2 3\n"),
      HasSubstr("tetra.obj:2:5: there is no vertex '2' above this line; vertices so far are "
                "1 to 1"));
  EXPECT_THAT(ObjComplaint("v 0 0 0\nf 0 1 1\n"), HasSubstr("tetra.obj:2:3: "));
  EXPECT_THAT(ObjComplaint("v 0 0 0\nv 1 0 0\nf 1 2\n"), HasSubstr("at least three vertices"));
  EXPECT_THAT(ObjComplaint("v 0 0 0\ncurv 0 1 1\n"),
              HasSubstr("tetra.obj:2:1: the statement 'curv'"));
  EXPECT_THAT(ObjComplaint("v 0 0 0\n"), HasSubstr("no faces"));
  EXPECT_THAT(ObjComplaint("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n"),
              HasSubstr("tetra.obj:6:1: the mesh is not manifold: the edge 1–2"));
}

// What the file says is wrong only as a whole.
TEST(MeshFile, MistakesOfShapeAreToldAtTheirLine) {
  const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_THAT(ObjComplaint(triangle + "\nf 1 2 3\nf 1 2 1\n"),
              HasSubstr("tetra.obj:6:1: face 2 names a vertex twice (counted from 1); split it; "
                        "read from "));
  EXPECT_THAT(ObjComplaint(triangle + "v 7 7 7\nf 1 2 3\n"),
              HasSubstr("tetra.obj:4:1: vertex 4 belongs to no face"));
  EXPECT_THAT(ObjComplaint(triangle + "v 1 1 1\nv 2 2 2\nf 1 2 3\nf 1 4 5\n"),
              HasSubstr("tetra.obj:1:1: the mesh is not manifold: parts of it touch in vertex 1"));
  EXPECT_THAT(ObjComplaint(triangle + "l 1 2\nl 2 3 3\n"),
              HasSubstr("tetra.obj:5:1: line 2 has no length between points 3 and 3"));
  EXPECT_THAT(ObjComplaint(triangle + "l 1 2\nl 2 3 3\n"), HasSubstr("scene.toml:6:8"));
  EXPECT_THAT(ObjComplaint("v 1 0 0\nv 1 x 0\n"), HasSubstr("; read from "));
  const Folder folder;
  EXPECT_THAT(
      ErrorOf(Written(folder, SceneWith(kSheet, "shape = \"solid\"\nfile = \"tetra.obj\"\n"),
                      triangle + "f 1 2 3\n")),
      Says({"tetra.obj:1:1: the mesh has a border", "scene.toml:12:8"}));
}

// A star of three lines of which two share an edge, and a part by itself.
constexpr char kLines[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nl 1 2\nl 3 1/7 4 # a polyline\nl -1 1\nv 5 0 0\nv 6 0 0\n"
    "l 5 6\n";

TEST(MeshFile, OfLinesBecomesAGraph) {
  const Folder folder, elsewhere;
  const Experiment experiment =
      samples::ReadProbe(Written(folder, SceneWith(std::string(kMesh) + "scale = 2.0\n"), kLines));
  const Body& body = experiment.scene->bodies[0];
  ASSERT_EQ(body.size(), 6);
  EXPECT_THAT(body.edges, testing::ElementsAre(std::array<int, 2>{0, 1}, std::array<int, 2>{0, 2},
                                               std::array<int, 2>{0, 3}, std::array<int, 2>{4, 5}));
  EXPECT_TRUE(body.faces.empty());
  EXPECT_FALSE(body.closed);
  EXPECT_EQ(Eigen::Vector3d(body.rest.col(5)), Eigen::Vector3d(12, 0, 0));
  EXPECT_DOUBLE_EQ(body.mass.sum(), 2.0);
  const Experiment again =
      samples::ReadProbe(elsewhere.Write("resolved.toml", experiment.Resolved(0)));
  EXPECT_EQ(again.scene->bodies[0].edges, body.edges);
}

TEST(MeshFile, LinesBesideFacesArePassedOver) {
  const Folder folder;
  const Experiment experiment = samples::ReadProbe(
      Written(folder, SceneWith(kMesh), std::string(kTetrahedron) + "l 1 2 3\n"));
  EXPECT_EQ(experiment.scene->bodies[0].edges.size(), 6u);
  EXPECT_EQ(experiment.scene->bodies[0].faces.size(), 4u);
}

TEST(MeshFile, MistakesInLinesAreTold) {
  EXPECT_THAT(ObjComplaint("v 0 0 0\nv 1 0 0\nl 1 3\n"),
              HasSubstr("tetra.obj:3:5: there is no vertex '3' above this line"));
  EXPECT_THAT(ObjComplaint("v 0 0 0\nv 1 0 0\nl 1\n"),
              HasSubstr("tetra.obj:3:1: a line needs at least two vertices"));
  EXPECT_THAT(ObjComplaint("v 0 0 0\nv 1 0 0\nl 1 2 2\n"),
              HasSubstr("line 1 has no length between points 2 and 2"));
  EXPECT_THAT(ObjComplaint("v 0 0 0\nv 0 0 0\nl 1 2\n"), HasSubstr("has no length"));
  const Folder folder;
  auto error = [&](const std::string& more) {
    return ErrorOf(Written(
        folder, SceneWith("shape = \"mesh\"\nvertices = [[0,0,0],[1,0,0],[0,1,0]]\n" + more)));
  };
  EXPECT_THAT(error("faces = []\nlines = [[0, 3]]\n"),
              HasSubstr("line 0 names point 3, but there are only 0 to 2"));
  EXPECT_THAT(error("faces = []\nlines = [[0, 1], [2]]\n"), HasSubstr("line 1 has fewer than two"));
  EXPECT_THAT(error("faces = [[0, 1, 2]]\nlines = [[0, 1]]\n"),
              HasSubstr("faces or lines, not both"));
  EXPECT_THAT(error("faces = []\nlines = [[0, 1]]\nsubdivisions = 1\n"),
              HasSubstr("lines cannot be refined"));
  EXPECT_THAT(ErrorOf(Written(
                  folder, SceneWith(kSheet, "shape = \"solid\"\nfile = \"tetra.obj\"\n"), kLines)),
              HasSubstr("the file has no faces"));
}

TEST(MeshFile, SceneMistakesAreToldToo) {
  const Folder folder;
  auto error = [&](const std::string& scene) { return ErrorOf(Written(folder, scene)); };
  EXPECT_THAT(error(SceneWith("shape = \"mesh\"\n")), HasSubstr("lacks the key 'file'"));
  EXPECT_THAT(error(SceneWith("shape = \"mesh\"\nfile = \"none.obj\"\n")), HasSubstr("no file"));
  EXPECT_THAT(error(SceneWith(std::string(kMesh) + "faces = [[0, 1, 2]]\n")),
              HasSubstr("remove one"));
  EXPECT_THAT(error(SceneWith(std::string(kMesh) + "scale = 0.0\n")),
              HasSubstr("scene.toml:7:9: "));
  EXPECT_THAT(error(SceneWith(std::string(kMesh) + "subdivisions = 30\n")),
              HasSubstr("more than a million points"));
  EXPECT_THAT(error(SceneWith(std::string(kMesh) + "subdivisions = -1\n")), HasSubstr("negative"));
  EXPECT_THAT(error(SceneWith(kSheet,
                              "shape = \"solid\"\nvertices = [[0,0,0],[1,0,0],[0,1,0]]\n"
                              "faces = [[0, 1, 2]]\n")),
              HasSubstr("encloses no solid"));
  EXPECT_THAT(error(SceneWith("shape = \"torus\"\nradius = 1.0\ntube_radius = 2.0\n"
                              "points = [8, 8]\n")),
              HasSubstr("scene.toml:7:15: the tube of body 'rock', of radius 2 m, is as thick as "
                        "its ring, of radius 1 m"));
}

}  // namespace
}  // namespace pliant
