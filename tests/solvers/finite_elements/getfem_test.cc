// Blocks that are stretched and twisted far, by GetFEM (Debian package python3-getfem), an independent code, where it is
// installed. CalculiX cannot follow: none of its laws has the energies of our neo-Hookean ones.
//
// Mesh, elements (27 nodes, 27 Gauss points) and energy are the same in both, so that both have one discrete solution: all nodes
// and the energy agree to the tolerance of both iterations, not to that of a mesh. tests/solvers/finite_elements/getfem_block.py.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "solvers/finite_elements/statics.h"
#include "tests/solvers/finite_elements/meshes.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

bool HasGetfem() { return std::system("/usr/bin/python3 -c 'import getfem' >/dev/null 2>&1") == 0; }

struct Twist {
  Vector3d size = {1.0, 0.25, 0.2};
  std::array<int, 3> elements = {4, 2, 2};
  double youngs_modulus = 1e5, poisson_ratio = 0.3;
  double stretch, turn;  // of the led face
};

struct Twisted {
  double energy;
  Matrix3Xd rest, q;  // of all nodes, ours in their order, theirs in that of GetFEM
};

Twisted ByGetfem(const Twist& twist, ElasticLaw law) {
  std::ostringstream command;
  command << "/usr/bin/python3 " PLIANT_SOURCE_DIR "/tests/solvers/finite_elements/getfem_block.py "
          << elasticity::NameOf(law) << " " << twist.youngs_modulus << " " << twist.poisson_ratio;
  for (const double side : twist.size) command << " " << side;
  for (const int count : twist.elements) command << " " << count;
  command << " " << twist.stretch << " " << twist.turn;
  FILE* pipe = popen(command.str().c_str(), "r");
  std::string printed;
  std::array<char, 4096> buffer;
  while (const size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    printed.append(buffer.data(), count);
  EXPECT_EQ(pclose(pipe), 0) << command.str();
  std::istringstream words(printed);
  Twisted found;
  words >> found.energy;
  std::vector<double> numbers;
  for (double number; words >> number;) numbers.push_back(number);
  const Eigen::Map<const Eigen::Matrix<double, 6, Eigen::Dynamic>> rows(
      numbers.data(), 6, static_cast<Eigen::Index>(numbers.size() / 6));
  found.rest = rows.topRows<3>();
  found.q = found.rest + rows.bottomRows<3>();
  return found;
}

Twisted Ours(const Twist& twist, ElasticLaw law) {
  const SolidMesh mesh =
      BoxMesh(twist.size, twist.elements[0], twist.elements[1], twist.elements[2]);
  const Discretisation bodies =
      Single(mesh, Law(law, twist.youngs_modulus, twist.poisson_ratio, Law::Kind::kSolid), 1.0);
  Twisted found{0.0, bodies.part(0).rest(), bodies.part(0).rest()};
  const double length = twist.size.x();
  StaticLoad load;
  load.rows = Clamp(bodies, NodesWhere(bodies, [length](const Vector3d& x) {
                      return x.x() < 1e-12 || x.x() > length - 1e-12;
                    }));
  load.force = Matrix3Xd::Zero(3, found.q.cols());
  // Along arcs: on straight ways the face would shrink.
  constexpr int kParts = 6;
  for (int part = 1; part <= kParts; ++part) {
    const double share = static_cast<double>(part) / kParts;
    const Eigen::AngleAxisd turn(share * twist.turn, Vector3d::UnitX());
    Matrix3Xd led = found.rest;
    for (int n = 0; n < led.cols(); ++n) {
      if (led(0, n) < length - 1e-12) continue;
      const Vector3d centre = 0.5 * twist.size;
      led.col(n) = turn * (led.col(n) - centre) + centre;
      led(0, n) = (1.0 + share * (twist.stretch - 1.0)) * length;
    }
    load.begin = RowsAt(load.rows, found.q);
    load.end = RowsAt(load.rows, led);
    EXPECT_TRUE(SolveStatics(bodies, load, {.tolerance = 1e-11}, &found.q).converged) << part;
  }
  found.energy = bodies.Energy(found.q);
  return found;
}

class GetFem : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasGetfem())
      GTEST_SKIP() << "GetFEM is not installed, so that nothing is held against it: apt-get "
                      "install python3-getfem";
  }
};

// Largest distance of a node in the one from the same node in the other [m].
double Apart(const Twisted& ours, const Twisted& theirs) {
  EXPECT_EQ(ours.rest.cols(), theirs.rest.cols());
  double apart = 0.0;
  for (int n = 0; n < theirs.rest.cols(); ++n) {
    Eigen::Index same;
    const double off = (ours.rest.colwise() - theirs.rest.col(n)).colwise().norm().minCoeff(&same);
    EXPECT_LT(off, 1e-12);
    apart = std::max(apart, (ours.q.col(same) - theirs.q.col(n)).norm());
  }
  return apart;
}

constexpr std::array<ElasticLaw, 3> kLawsOfBoth = {
    ElasticLaw::kStVenantKirchhoff, ElasticLaw::kNeoHookeanLog, ElasticLaw::kNeoHookeanStable};

void ExpectTheSame(const Twist& twist) {
  std::vector<Twisted> ours;
  for (const ElasticLaw law : kLawsOfBoth) {
    const Twisted theirs = ByGetfem(twist, law);
    ours.push_back(Ours(twist, law));
    testing::Test::RecordProperty("apart_" + elasticity::NameOf(law),
                                  testing::PrintToString(Apart(ours.back(), theirs)));
    testing::Test::RecordProperty("energy_apart_" + elasticity::NameOf(law),
                                  testing::PrintToString(ours.back().energy / theirs.energy - 1.0));
    EXPECT_LT(Apart(ours.back(), theirs), 1e-8) << elasticity::NameOf(law);
    EXPECT_NEAR(ours.back().energy, theirs.energy, 1e-8 * theirs.energy) << elasticity::NameOf(law);
  }
  // The laws differ here by far more: each is its own.
  for (size_t i = 0; i < ours.size(); ++i) {
    for (size_t j = 0; j < i; ++j)
      EXPECT_GT((ours[i].q - ours[j].q).colwise().norm().maxCoeff(), 1e-4) << i << j;
  }
}

TEST_F(GetFem, StretchesAndTwistsABlockToTheSamePlaces) {
  ExpectTheSame({.stretch = 1.3, .turn = 1.2});
}

TEST_F(GetFem, SquashesABlockToTheSamePlaces) {
  ExpectTheSame({.size = {0.4, 0.25, 0.2}, .elements = {3, 2, 2}, .stretch = 0.8, .turn = 0.4});
}

}  // namespace
}  // namespace pliant::finite_elements
