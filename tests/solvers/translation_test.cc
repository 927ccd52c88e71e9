#include "solvers/translation.h"

#include <gtest/gtest.h>

#include "models/scene/number_text.h"
#include "models/scene/shapes.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

Scene Nailed() {
  Scene scene = SceneOf({MakeChain("c", {0, 0, 0}, {1, 0, 0}, 3, 1.0)});
  scene.nails.push_back({"left", {0, 0}, Path::Still({0, 0, 0})});
  scene.nails.push_back({"right", {0, 2}, Path::Still({1, 0, 0})});
  return scene;
}

TEST(TranslationRecord, HasOneEntryForEachElementInSceneOrder) {
  TranslationRecord record(Nailed());
  record.Say("nail.left", Fidelity::kExact, "");
  record.Say("nail.*", Fidelity::kApproximated, "a spring");
  record.Say("body.*", Fidelity::kExact, "");
  record.Say("obstacle.*", Fidelity::kUnsupported, "no contact");  // not in the scene
  const auto entries = record.Entries();
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[0].element, "gravity");
  EXPECT_EQ(entries[0].fidelity, Fidelity::kIgnored) << "no statement was recorded for it";
  EXPECT_EQ(entries[2].element, "nail.left");
  EXPECT_EQ(entries[2].fidelity, Fidelity::kExact) << "a pattern does not replace a first word";
  EXPECT_EQ(entries[3].fidelity, Fidelity::kApproximated);
  EXPECT_TRUE(record.supported());
}

TEST(TranslationRecord, RefusesWithAllReasons) {
  TranslationRecord record(Nailed());
  record.Say("nail.*", Fidelity::kUnsupported, "no constraints");
  EXPECT_FALSE(record.supported());
  EXPECT_EQ(record.WhyUnsupported(), "nail.left: no constraints; nail.right: no constraints");
}

TEST(TranslationRecord, OfARefusedSceneSaysWhatWasNotReached) {
  Scene scene = Nailed();
  scene.bodies[0].velocity = {1, 0, 0};
  TranslationRecord record(scene);
  record.Say("gravity", Fidelity::kExact, "");
  record.Say("body.c.velocity", Fidelity::kExact, "");
  record.Say("nail.left", Fidelity::kExact, "held by springs");
  const auto said_of = [&](const std::string& element) {
    for (const TranslatedElement& entry : record.Entries()) {
      if (entry.element == element) return entry.reason;
    }
    return std::string("no such element");
  };
  EXPECT_EQ(said_of("body.c.velocity"), "");
  record.Say("body.c", Fidelity::kUnsupported, "no chains");
  EXPECT_EQ(said_of("body.c"), "no chains");
  EXPECT_EQ(said_of("gravity"), "");
  EXPECT_EQ(said_of("body.c.velocity"), "not reached: the scene was refused before")
      << "what belongs to the refused body";
  EXPECT_EQ(said_of("nail.right"), "not reached: the scene was refused before")
      << "of which nothing was said";
  EXPECT_EQ(said_of("nail.left"), "held by springs");
}

TEST(TranslationRecord, NamesThreeOfManyReasons) {
  Scene scene = Nailed();
  for (int i = 0; i < 5; ++i) {
    scene.nails.push_back(scene.nails[0]);
    scene.nails.back().name = "n" + std::to_string(i);
  }
  TranslationRecord record(scene);
  record.Say("nail.*", Fidelity::kUnsupported, "no");
  EXPECT_EQ(record.WhyUnsupported(), "nail.left: no; nail.right: no; nail.n0: no; and 4 more");
}

TEST(ThreeDigits, SaysAThousandInDigits) {
  EXPECT_EQ(ThreeDigits(0.0), "0");
  EXPECT_EQ(ThreeDigits(-0.0), "0");
  EXPECT_EQ(ThreeDigits(0.012345), "0.0123");
  EXPECT_EQ(ThreeDigits(999.4), "999");
  EXPECT_EQ(ThreeDigits(999.6), "1000");
  EXPECT_EQ(ThreeDigits(-4512.0), "-4510");
  EXPECT_EQ(ThreeDigits(99940.0), "99900");
  EXPECT_EQ(ThreeDigits(99960.0), "1e+05");
  EXPECT_EQ(ThreeDigits(2.5e7), "2.5e+07");
  EXPECT_EQ(ThreeDigits(1.2345e-5), "1.23e-05");
}

}  // namespace
}  // namespace pliant
