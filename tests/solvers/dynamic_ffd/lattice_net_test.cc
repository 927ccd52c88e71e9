#include "solvers/dynamic_ffd/lattice_net.h"

#include <gtest/gtest.h>

#include "models/dynamic_ffd/embedding.h"
#include "models/scene/shapes.h"
#include "solvers/dynamic_ffd/mode_selection.h"
#include "solvers/dynamic_ffd/mode_table.h"
#include "tests/scenes.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::VectorXd;

// The points of a body are where the control points of its lattice put them,
// x_n = Σ P_ij B_i B_j [Faloutsos 1995, Sec. 4.3], wherever the body has its origin; but for what
// driven amplitudes add, which move no control point.
void ExpectNetCarriesPoints(FfdOrigin origin, bool mixed) {
  Scene scene = SceneOf({MakeBlock("block", {2, 1, 0.5}, {5, 3, 3}, 12.0)});
  const Body& block = scene.bodies[0];
  MatrixTable modes;
  modes.entries = {
      ShapedMode("stretch x", {{"shape", "stretch"}, {"axis", "x"}}, {{"amount", 0.1}}),
      ShapedMode("bend", {{"shape", "bend"}, {"axis", "x"}, {"toward", "y"}}, {{"amount", 0.2}})};
  const ModeTable table = ReadModeTable(modes, 3);
  const Matrix3Xd morph = Matrix3Xd::Random(3, block.size());
  FfdBody body = Embed(scene, 0, table, {0, 1}, origin, {morph});
  LatticeNet net = NetOf(scene, 0, table, {0, 1}, {morph}, body);
  if (mixed) {
    const Eigen::Matrix2d mix{{0.5, -1.0}, {2.0, 0.25}};
    body = body.Recombined(mix);
    net.Recombine(mix);
  }
  VectorXd q(body.coordinates());
  q.head<7>() << 0.3, -0.2, 1.1, Eigen::Vector4d(0.9, 0.1, -0.3, 0.2).normalized();
  q.tail<3>() << 0.7, -1.3, 0.4;
  Matrix3Xd x(3, block.size());
  body.Points(q, x);

  const EmbeddedLattice lattice = EmbedLattices(block, table).front();
  ASSERT_EQ(static_cast<int>(lattice.inside.size()), block.size());
  const Matrix3Xd control = ControlPointsOf(net, body, q);
  ASSERT_EQ(control.cols(), lattice.lattice.size());
  const Matrix3Xd by_lattice = control * lattice.weights;
  const Matrix3Xd by_morph = body.Rotation(q) * (0.4 * morph);
  EXPECT_LT((x - by_lattice - by_morph).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(net.lines.size(), lattice.lattice.Lines().size());
}

TEST(LatticeNet, CarriesThePointsFromTheCentreOfMassAndFromTheCornerAndInModesThatAreMixed) {
  ExpectNetCarriesPoints(FfdOrigin::kCentreOfMass, false);
  ExpectNetCarriesPoints(FfdOrigin::kLatticeCorner, false);
  ExpectNetCarriesPoints(FfdOrigin::kCentreOfMass, true);
}

TEST(LatticeNet, LeavesOutLatticesThatNothingDeforms) {
  Scene scene = TableScene();
  const ModeTable table = ReadModeTable(TableModes());
  const FfdBody body = Embed(scene, 0, table, {}, FfdOrigin::kCentreOfMass);
  EXPECT_TRUE(NetOf(scene, 0, table, {}, {}, body).lines.empty());
  const FfdBody bent = Embed(scene, 0, table, {1}, FfdOrigin::kCentreOfMass);
  EXPECT_EQ(NetOf(scene, 0, table, {1}, {}, bent).lines.size(), 24u);  // 4 × 4 control points
}

}  // namespace
}  // namespace pliant::dynamic_ffd
