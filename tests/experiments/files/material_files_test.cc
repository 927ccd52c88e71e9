// [body.material] in scene files.

#include <gtest/gtest.h>

#include "experiments/files/scene_reader.h"
#include "tests/experiments/complaints.h"
#include "tests/experiments/files/samples.h"

namespace pliant {
namespace {

using samples::ErrorOf;
using samples::Folder;
using samples::ReadProbe;
using samples::Replaced;

constexpr char kBeam[] = R"(
scene.name = "beam"
[[scene.body]]
name = "beam"
shape = "block"
size = [4, 1, 1]
points = [5, 3, 3]
material = {density = 1000, youngs_modulus = 1e5, poisson_ratio = 0.3}

[run]
duration = 0.1
step = 0.01
record_every = 0.05

[backends.probe]
)";

std::string SceneText(const std::string& text, const Folder& folder) {
  return folder.Write("beam.toml", text).string();
}

TEST(MaterialFiles, ADensityWeighsTheVolume) {
  const Folder folder;
  const Experiment experiment = ReadProbe(SceneText(kBeam, folder));
  const Body& beam = experiment.scene->bodies[0];
  ASSERT_TRUE(beam.material);
  EXPECT_EQ(beam.material->law, ElasticLaw::kNeoHookeanStable);
  EXPECT_NEAR(beam.mass.sum(), 4000.0, 1e-9);
  EXPECT_NEAR(beam.mass[0], 4000.0 / 16 / 8, 1e-9);  // a corner: an eighth of one of 16 cells
}

TEST(MaterialFiles, AMassIsSpreadOverTheVolume) {
  const Folder folder;
  const std::string text = Replaced(kBeam, "{density = 1000, ", "{law = \"linear\", ");
  const Experiment experiment =
      ReadProbe(SceneText(Replaced(text, "size =", "mass = 8\nsize ="), folder));
  const Body& beam = experiment.scene->bodies[0];
  EXPECT_EQ(beam.material->law, ElasticLaw::kLinear);
  EXPECT_NEAR(beam.material->density, 2.0, 1e-15);
  EXPECT_NEAR(beam.mass.sum(), 8.0, 1e-12);
  EXPECT_NEAR(beam.mass[0], 8.0 / 16 / 8, 1e-12);
}

TEST(MaterialFiles, WithoutAMaterialMassesAreEven) {
  const Folder folder;
  const std::string text = Replaced(
      kBeam, "material = {density = 1000, youngs_modulus = 1e5, poisson_ratio = 0.3}", "mass = 9");
  const Experiment experiment = ReadProbe(SceneText(text, folder));
  EXPECT_NEAR(experiment.scene->bodies[0].mass[0], 9.0 / 45, 1e-15);
}

TEST(MaterialFiles, DampingIsATableOfItsOwn) {
  const Folder folder;
  const Experiment experiment = ReadProbe(SceneText(
      Replaced(kBeam, "0.3}", "0.3, damping = {mass = 0.5, stiffness = 0.001}}"), folder));
  EXPECT_EQ(experiment.scene->bodies[0].material->mass_damping, 0.5);
  EXPECT_EQ(experiment.scene->bodies[0].material->stiffness_damping, 0.001);
}

TEST(MaterialFiles, MistakesAreToldAtTheirPlace) {
  const Folder folder;
  struct Slip {
    const char *from, *to, *at;
    std::vector<const char*> says;
  };
  for (const Slip& slip : std::vector<Slip>{
           {"ratio = 0.3", "ratio = 0.5", "0.5}", {"below 0.5"}},
           {"ratio = 0.3", "ratios = 0.3", "poisson_ratios", {"did you mean 'poisson_ratio'?"}},
           {"size =", "mass = 1\nsize =", "1\nsize", {"what it weighs", "remove mass"}},
           {", youngs_modulus = 1e5", "", "{density", {"lacks the key 'youngs_modulus'", "rigid"}},
           {"{density = 1000, ", "{", "[[scene.body]]", {"lacks the key 'mass'", "density"}},
           {"0.3}", "0.3, thickness = 0.1}", "0.1}", {"thickness", "volume of its own"}},
           {"0.3}", "0.3, law = \"neo-hookean\"}", "\"neo-hookean\"", {"neo-hookean-log"}}}) {
    const std::string text = Replaced(kBeam, slip.from, slip.to);
    const std::string file = SceneText(text, folder);
    ExpectComplaint(ErrorOf(file), file, PlaceOfText(text, slip.at), slip.says);
  }
}

}  // namespace
}  // namespace pliant
