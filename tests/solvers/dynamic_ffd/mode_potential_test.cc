#include "solvers/dynamic_ffd/mode_potential.h"

#include <numbers>
#include <numeric>

#include "models/dynamic_ffd/mode_metric.h"
#include "models/scene/shapes.h"
#include "solvers/dynamic_ffd/mode_selection.h"
#include "solvers/dynamic_ffd/mode_table.h"
#include "tests/reference/complaints.h"
#include "tests/scenes.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

// A block of 2 × 1 × 0.5 m and 12 kg, with these modes.
struct Subject {
  Scene scene;
  ModeTable table;
  FfdBody body;

  static Subject Of(const MatrixTable& modes, int dimension) {
    Scene scene = SceneOf({dimension == 2 ? MakeSheet("block", {2, 1}, {5, 3}, 12.0)
                                          : MakeBlock("block", {2, 1, 0.5}, {5, 3, 3}, 12.0)},
                          dimension);
    ModeTable table = ReadModeTable(modes, dimension);
    FfdBody body = Embed(scene, 0, table, All(table), FfdOrigin::kCentreOfMass);
    return {std::move(scene), std::move(table), std::move(body)};
  }
  ModePotential Potential() const { return PotentialOf(scene.bodies[0], body, table, All(table)); }
  static std::vector<int> All(const ModeTable& table) {
    std::vector<int> all(table.modes.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
};

MatrixTable WithMaterial(std::map<std::string, double> scalars) {
  MatrixTable table;
  scalars["youngs_modulus"] = 2e5;
  scalars["poisson_ratio"] = 0.3;
  table.scalars = scalars;
  table.entries = {
      ShapedMode("stretch x", {{"shape", "stretch"}, {"axis", "x"}}, {{"amount", 0.1}}),
      ShapedMode("stretch y", {{"shape", "stretch"}, {"axis", "y"}}, {{"amount", 0.1}})};
  return table;
}

TEST(ModePotential, FrequencyAndDampingRatioAreThoseOfTheModeAlone) {
  MatrixTable table;
  table.entries = {ShapedMode("stretch x", {{"shape", "stretch"}, {"axis", "x"}},
                              {{"frequency", 3.0}, {"damping_ratio", 0.1}}),
                   ShapedMode("shear x", {{"shape", "shear"}, {"axis", "x"}},
                              {{"stiffness", 7.0}, {"damping_ratio", 0.2}}),
                   ShapedMode("bend x", {{"shape", "bend"}, {"axis", "x"}},
                              {{"stiffness", 5.0}, {"damping", 0.4}})};
  const Subject subject = Subject::Of(table, 3);
  const Eigen::VectorXd m = MotionsOf(subject.body).free.colwise().squaredNorm();
  const ModePotential potential = subject.Potential();
  const double omega = 2.0 * std::numbers::pi * 3.0;
  // m γ̈ = −2 K γ − D γ̇.
  EXPECT_NEAR(2.0 * potential.stiffness(0, 0) / m[0], omega * omega, 1e-9);
  EXPECT_NEAR(potential.damping(0, 0) / m[0], 2.0 * 0.1 * omega, 1e-9);
  EXPECT_EQ(potential.stiffness(1, 1), 7.0);
  EXPECT_NEAR(potential.damping(1, 1), 2.0 * 0.2 * std::sqrt(2.0 * 7.0 * m[1]), 1e-9);
  EXPECT_EQ(potential.stiffness(2, 2), 5.0);
  EXPECT_EQ(potential.damping(2, 2), 0.4);
  EXPECT_EQ(potential.stiffness(0, 1), 0.0);
}

TEST(ModePotential, OfTheMaterialIsTheStrainEnergyOfTheBox) {
  const ModePotential space = Subject::Of(WithMaterial({}), 3).Potential();
  const double mu = 2e5 / 2.6, lambda = 2e5 * 0.3 / (1.3 * 0.4), volume = 1.0;
  // V = γᵀ K γ at γ = (1, 0): ½ (λ + 2μ) ε² volume; at (1, 1) twice that and λ ε² volume.
  EXPECT_NEAR(space.stiffness(0, 0), 0.5 * (lambda + 2.0 * mu) * 0.01 * volume, 1e-8);
  EXPECT_NEAR(space.stiffness(0, 1), 0.5 * lambda * 0.01 * volume, 1e-8);
  const ModePotential plane = Subject::Of(WithMaterial({{"thickness", 0.25}}), 2).Potential();
  EXPECT_NEAR(plane.stiffness(0, 0), 0.5 * 2e5 / 0.91 * 0.01 * 2.0 * 0.25, 1e-8);
  EXPECT_NEAR(plane.stiffness(0, 1), 0.3 * plane.stiffness(0, 0), 1e-8);
}

TEST(ModePotential, DensityGivesTheVolumeByTheMass) {
  const ModePotential full = Subject::Of(WithMaterial({}), 3).Potential();
  const ModePotential half = Subject::Of(WithMaterial({{"density", 24.0}}), 3).Potential();
  EXPECT_LT((half.stiffness - 0.5 * full.stiffness).norm(), 1e-9);
}

TEST(ModePotential, StatedStiffnessTakesAModeOutOfTheMaterial) {
  MatrixTable table = WithMaterial({});
  table.entries[1].scalars["stiffness"] = 3.0;
  const ModePotential potential = Subject::Of(table, 3).Potential();
  EXPECT_EQ(potential.stiffness(1, 1), 3.0);
  EXPECT_EQ(potential.stiffness(0, 1), 0.0);
  EXPECT_GT(potential.stiffness(0, 0), 100.0);
}

TEST(ModePotential, OfAMaterialNeedsAVolume) {
  EXPECT_EQ(
      reference::ComplaintOf([&] { Subject::Of(WithMaterial({}), 2).Potential(); }),
      "the material does not determine the thickness of a planar body; give density [kg/m³] or "
      "thickness [m]");
  Subject flat = Subject::Of(WithMaterial({}), 3);
  flat.scene.bodies[0].rest.row(2).setZero();
  reference::ExpectBadInput("", {"body 'block' has no extent along some axis"},
                            [&] { flat.Potential(); });
}

}  // namespace
}  // namespace pliant::dynamic_ffd
