// Causes are named where they act, and only there.

#include "experiments/claims/view_causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

Experiment Alone(const std::string& name, const std::string& label,
                 const std::vector<std::string>& overrides = {}) {
  Experiment experiment = ReadExperiment(ShippedFile(name), overrides);
  KeepBackends(&experiment, {label});
  return experiment;
}

std::vector<std::string> NamesIn(const Experiment& experiment) {
  std::vector<std::string> names;
  for (const ViewCause& cause : CausesIn(experiment.backends[0])) names.push_back(cause.name);
  return names;
}

TEST(ViewCauses, AreThoseOfTheParametersThatAreChosen) {
  using testing::ElementsAre;
  const std::string kinematic = "backends.kinematic-response.";
  EXPECT_THAT(NamesIn(Alone("press", "kinematic-response")), ElementsAre());
  EXPECT_THAT(NamesIn(Alone("press", "kinematic-response",
                            {kinematic + "casting=ray", kinematic + "restriction=average"})),
              ElementsAre("casting", "restriction"));
  EXPECT_THAT(NamesIn(Alone("press", "linear-deformation")), ElementsAre());
  const std::string net = "backends.displacement-constraints.";
  EXPECT_THAT(
      NamesIn(Alone("press", "displacement-constraints")),
      ElementsAre("the tolerance", "the order of sweeps", "the step", "the gaps that remain"));
  EXPECT_THAT(NamesIn(Alone("press", "displacement-constraints", {net + "inertia=identity"})),
              ElementsAre("inertia", "the tolerance", "the order of sweeps", "the step",
                          "the gaps that remain"));
  EXPECT_THAT(NamesIn(Alone("lamp-timed", "sign-corrected")), testing::Contains("timed"));
}

TEST(ViewCauses, AreTakenAwayAloneOrTogether) {
  const Experiment experiment =
      Alone("press", "displacement-constraints",
            {"backends.displacement-constraints.tolerance=0.008", "run.step=0.002"});
  const std::vector<ViewCause> causes = CausesIn(experiment.backends[0]);
  const Experiment finer = Without(causes[0], experiment, 0);
  EXPECT_EQ(std::get<double>(finer.backends[0].parameters.at("tolerance")), 0.002);
  EXPECT_EQ(finer.backends[0].step, 0.002);
  const ViewCause all = Together(causes);
  EXPECT_TRUE(all.falls);
  EXPECT_FALSE(all.by_gaps);
  const Experiment other = Without(all, experiment, 0);
  EXPECT_EQ(std::get<double>(other.backends[0].parameters.at("tolerance")), 0.002);
  EXPECT_EQ(std::get<std::int64_t>(other.backends[0].parameters.at("min_sweeps")), 64);
  EXPECT_EQ(other.backends[0].step, 0.001);
}

}  // namespace
}  // namespace pliant
