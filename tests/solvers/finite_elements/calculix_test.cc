// The same three scenes by CalculiX (Debian package calculix-ccx), an independent code, where it is installed: the bending of a
// block under its weight at small strain, its lowest frequency, and a cantilever that bends far.
//
// CalculiX has no hexahedra of 27 nodes. Its C3D20 have the same corners and middles of edges as ours, without the middles of
// faces and of the element. With NLGEOM its *ELASTIC is linear between Green strain and second Piola–Kirchhoff stress: St.
// Venant–Kirchhoff.

#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "solvers/finite_elements/statics.h"
#include "tests/solvers/finite_elements/meshes.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;

bool HasCalculix() { return std::system("command -v ccx >/dev/null 2>&1") == 0; }

// A bar along x, clamped at x = 0, with its weight along −z.
struct Bar {
  Vector3d size;
  std::array<int, 3> elements;
  double youngs_modulus, poisson_ratio, density, gravity;

  SolidMesh mesh() const { return BoxMesh(size, elements[0], elements[1], elements[2]); }
  Discretisation Bodies(ElasticLaw law) const {
    return Single(mesh(), Law(law, youngs_modulus, poisson_ratio, Law::Kind::kSolid), density);
  }
  Vector3d Tip() const { return {size.x(), 0.5 * size.y(), 0.5 * size.z()}; }
};

std::vector<int> Wall(const Discretisation& bodies) {
  return NodesWhere(bodies, [](const Vector3d& x) { return x.x() < 1e-12; });
}

// Nodes, elements, material and clamp of CalculiX; nodes of ours that its elements have not are omitted.
std::string InputOf(const Bar& bar) {
  constexpr std::array<std::array<int, 3>, 20> kPlaces = {
      {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2},
       {0, 2, 2}, {1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0}, {1, 0, 2}, {2, 1, 2},
       {1, 2, 2}, {0, 1, 2}, {0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}}};
  const SolidMesh mesh = bar.mesh();
  std::vector<bool> used(mesh.nodes.cols(), false);
  std::ostringstream elements;
  for (int e = 0; e < mesh.elements.cols(); ++e) {
    elements << e + 1;
    for (int n = 0; n < 20; ++n) {
      const auto [i, j, k] = kPlaces[n];
      const int node = mesh.elements(i + 3 * (j + 3 * k), e);
      used[node] = true;
      elements << (n == 10 ? ",\n" : ", ") << node + 1;
    }
    elements << "\n";
  }
  std::ostringstream text, wall;
  text.precision(17);
  text << "*NODE, NSET=ALL\n";
  int tip = -1;
  for (int n = 0; n < mesh.nodes.cols(); ++n) {
    if (!used[n]) continue;
    const Vector3d x = mesh.nodes.col(n);
    text << n + 1 << ", " << x.x() << ", " << x.y() << ", " << x.z() << "\n";
    if (x.x() < 1e-12) wall << n + 1 << "\n";
    if ((x - bar.Tip()).norm() < 1e-9) tip = n + 1;
  }
  EXPECT_GT(tip, 0) << "the tip is the middle of no edge";
  text << "*ELEMENT, TYPE=C3D20, ELSET=BAR\n"
       << elements.str() << "*NSET, NSET=WALL\n"
       << wall.str() << "*NSET, NSET=TIP\n"
       << tip << "\n*MATERIAL, NAME=SOFT\n*ELASTIC\n"
       << bar.youngs_modulus << ", " << bar.poisson_ratio << "\n*DENSITY\n"
       << bar.density << "\n*SOLID SECTION, ELSET=BAR, MATERIAL=SOFT\n*BOUNDARY\nWALL, 1, 3\n";
  return text.str();
}

std::string WeightOf(const Bar& bar) {
  std::ostringstream text;
  text << "*DLOAD\nBAR, GRAV, " << bar.gravity
       << ", 0, 0, -1\n*NODE PRINT, NSET=TIP\nU\n*END STEP\n";
  return text.str();
}

// What CalculiX prints (.dat) for this input.
std::string Calculate(const std::string& input) {
  std::string name = (std::filesystem::temp_directory_path() / "pliant-ccx-XXXXXX").string();
  const std::filesystem::path folder = mkdtemp(name.data());
  std::ofstream(folder / "bar.inp") << input;
  const std::string command =
      "cd " + folder.string() + " && OMP_NUM_THREADS=1 ccx -i bar > ccx.log 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ostringstream printed;
  printed << std::ifstream(folder / "bar.dat").rdbuf();
  EXPECT_FALSE(printed.str().empty()) << "CalculiX printed nothing";
  std::filesystem::remove_all(folder);
  return printed.str();
}

// The last displacement that it prints.
Vector3d DisplacementIn(const std::string& printed) {
  std::istringstream lines(printed.substr(printed.rfind("displacements")));
  std::string line;
  Vector3d u = Vector3d::Zero();
  std::getline(lines, line);
  int node = 0;
  while (std::getline(lines, line)) {
    std::istringstream numbers(line);
    if (numbers >> node >> u.x() >> u.y() >> u.z()) return u;
  }
  ADD_FAILURE() << printed;
  return u;
}

// The first frequency [Hz] of its table of eigenvalues: number, eigenvalue, rad/time, cycles/time, …
double FrequencyIn(const std::string& printed) {
  std::istringstream lines(printed);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream numbers(line);
    int mode = 0;
    double eigenvalue = 0.0, radians = 0.0, cycles = 0.0;
    if (numbers >> mode >> eigenvalue >> radians >> cycles && mode == 1) return cycles;
  }
  ADD_FAILURE() << printed;
  return 0.0;
}

Vector3d SagOf(const Bar& bar, ElasticLaw law, int load_steps) {
  const Discretisation bodies = bar.Bodies(law);
  Matrix3Xd q = bodies.part(0).rest();
  StaticLoad load;
  load.rows = Clamp(bodies, Wall(bodies));
  load.begin = load.end = RowsAt(load.rows, q);
  load.force = Vector3d(0.0, 0.0, -bar.gravity) *
               (bodies.mass() * Eigen::VectorXd::Ones(bodies.node_count())).transpose();
  EXPECT_TRUE(SolveStatics(bodies, load, {.load_steps = load_steps}, &q).converged);
  const int tip = NodeAt(bodies, bar.Tip());
  return q.col(tip) - bodies.part(0).rest().col(tip);
}

// The lowest frequency [Hz] of motions that keep the wall still, by inverse iteration.
double LowestFrequency(const Bar& bar) {
  const Discretisation bodies = bar.Bodies(ElasticLaw::kLinear);
  const ElasticPart& part = bodies.part(0);
  std::vector<int> number(3 * bodies.node_count(), 0);
  for (const int node : Wall(bodies))
    for (int axis = 0; axis < 3; ++axis) number[3 * node + axis] = -1;
  int unknowns = 0;
  for (int& of : number) of = of < 0 ? -1 : unknowns++;
  std::vector<Eigen::Triplet<double>> stiffness, mass;
  for (int e = 0; e < part.element_count(); ++e) {
    const auto nodes = part.nodes(e);
    const auto count = static_cast<int>(nodes.size());
    Matrix3Xd x(3, count);
    for (int a = 0; a < count; ++a) x.col(a) = part.rest().col(nodes[a]);
    MatrixXd k = MatrixXd::Zero(3 * count, 3 * count);
    part.AddTangent(e, x, k);
    for (int b = 0; b < 3 * count; ++b) {
      for (int a = 0; a < 3 * count; ++a) {
        const int row = number[3 * nodes[a / 3] + a % 3], column = number[3 * nodes[b / 3] + b % 3];
        if (row >= 0 && column >= 0) stiffness.emplace_back(row, column, k(a, b));
      }
    }
  }
  for (int n = 0; n < bodies.node_count(); ++n) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(bodies.mass(), n); it; ++it) {
      for (int axis = 0; axis < 3; ++axis) {
        const int row = number[3 * static_cast<int>(it.row()) + axis],
                  column = number[3 * n + axis];
        if (row >= 0 && column >= 0) mass.emplace_back(row, column, it.value());
      }
    }
  }
  Eigen::SparseMatrix<double> K(unknowns, unknowns), M(unknowns, unknowns);
  K.setFromTriplets(stiffness.begin(), stiffness.end());
  M.setFromTriplets(mass.begin(), mass.end());
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> solver(K);
  Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(unknowns, 1.0, 2.0);
  double square = 0.0;
  for (int i = 0; i < 60; ++i) {
    const Eigen::VectorXd w = solver.solve(M * v);
    square = v.dot(M * v) / w.dot(M * v);
    v = w / std::sqrt(w.dot(M * w));
  }
  return std::sqrt(square) / (2.0 * std::numbers::pi);
}

class CalculiX : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasCalculix())
      GTEST_SKIP() << "CalculiX is not installed, so that nothing is held against it: apt-get "
                      "install calculix-ccx";
  }
};

// Sides differ, so that the lowest frequency is a single one and its iteration converges.
constexpr double kDepth = 0.2, kWidth = 0.25;

// Two kinds of elements differ by what either is off: the difference falls by a factor of more than two from mesh to mesh, to below a
// thousandth of the value.
void ExpectToMeet(const std::vector<double>& ours, const std::vector<double>& theirs) {
  double before = 0.0;
  for (size_t k = 0; k < ours.size(); ++k) {
    testing::Test::RecordProperty("ours_" + std::to_string(k), testing::PrintToString(ours[k]));
    testing::Test::RecordProperty("theirs_" + std::to_string(k), testing::PrintToString(theirs[k]));
    const double apart = std::abs(ours[k] / theirs[k] - 1.0);
    EXPECT_LT(apart, 1e-2) << k;
    if (k > 0) {
      EXPECT_LT(apart, 0.5 * before) << k;
    }
    before = apart;
  }
  EXPECT_LT(before, 1e-3);
}

TEST_F(CalculiX, BendsABlockUnderItsWeightByAsMuch) {
  std::vector<double> ours, theirs;
  for (const int finer : {1, 2, 4}) {
    const Bar bar = {{1.0, kWidth, kDepth}, {5 * finer, finer, 2 * finer}, 1e6, 0.3, 1000.0, 1e-3};
    theirs.push_back(
        DisplacementIn(Calculate(InputOf(bar) + "*STEP\n*STATIC\n" + WeightOf(bar))).z());
    ours.push_back(SagOf(bar, ElasticLaw::kLinear, 1).z());
    EXPECT_LT(ours.back(), theirs.back()) << "the richer elements are the softer ones";
  }
  ExpectToMeet(ours, theirs);
}

TEST_F(CalculiX, LetsItVibrateAsFast) {
  std::vector<double> ours, theirs;
  for (const int finer : {1, 2, 4}) {
    const Bar bar = {{1.0, kWidth, kDepth}, {5 * finer, finer, 2 * finer}, 1e6, 0.3, 1000.0, 0.0};
    theirs.push_back(FrequencyIn(
        Calculate(InputOf(bar) + "*STEP\n*FREQUENCY\n3\n*NODE PRINT, NSET=TIP\nU\n*END STEP\n")));
    ours.push_back(LowestFrequency(bar));
    EXPECT_LT(ours.back(), theirs.back());
  }
  ExpectToMeet(ours, theirs);
}

TEST_F(CalculiX, BendsACantileverAsFar) {
  std::vector<double> ours, theirs;
  for (const int finer : {1, 2}) {
    const Bar bar = {{1.0, 0.05, 0.05}, {10 * finer, finer, 2}, 1e6, 0.3, 1000.0, 2.0};
    const Vector3d at = DisplacementIn(
        Calculate(InputOf(bar) + "*STEP, NLGEOM, INC=1000\n*STATIC\n0.1, 1.0\n" + WeightOf(bar)));
    const Vector3d mine = SagOf(bar, ElasticLaw::kStVenantKirchhoff, 8);
    EXPECT_LT(mine.z(), -0.6) << "it is meant to bend far";
    EXPECT_NEAR(mine.x(), at.x(), 3e-3 * at.norm()) << "and to come nearer to the wall";
    ours.push_back(mine.z());
    theirs.push_back(at.z());
  }
  ExpectToMeet(ours, theirs);
}

}  // namespace
}  // namespace pliant::finite_elements
