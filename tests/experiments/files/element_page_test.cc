// The table of elements and formulations, and its page.

#include "experiments/manual/element_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "experiments/bundles/storage.h"
#include "experiments/files/scene_keys.h"
#include "solvers/backends.h"

namespace pliant {
namespace {

const std::vector<SampledElement>& Samples() {
  static const std::vector<SampledElement> samples = SampleElements();
  return samples;
}

std::string WordOf(const std::string& element, const std::string& formulation) {
  for (const SampledElement& sample : Samples()) {
    if (sample.name != element) continue;
    for (const SampledFidelity& made : sample.made_of_it) {
      if (made.formulation == formulation) return made.word;
    }
  }
  return "";
}

TEST(ElementPage, HasEveryFormulationAndEveryKindOfElement) {
  for (const SampledElement& sample : Samples()) {
    EXPECT_EQ(sample.made_of_it.size(), Backends().size()) << sample.name;
    for (const SampledFidelity& made : sample.made_of_it) {
      EXPECT_NE(made.word, "–") << sample.name << " of " << made.formulation << " has no entry";
    }
  }
  std::set<std::string> kinds;
  for (const SampledElement& sample : Samples()) kinds.insert(sample.name);
  for (const ElementKind& kind : ElementKinds()) {
    if (std::string(kind.name) != "body") {
      EXPECT_TRUE(kinds.contains(kind.name)) << kind.name;
    }
  }
}

// Held against what the sources of the formulations say.
TEST(ElementPage, SaysWhatTheFormulationsAreKnownToDo) {
  EXPECT_EQ(WordOf("slider", "dynamic-ffd"), "refuses");
  EXPECT_EQ(WordOf("nail", "dynamic-ffd"), "approximated");
  EXPECT_EQ(WordOf("nail", "linear-deformation"), "exact");
  EXPECT_EQ(WordOf("nail", "kinematic-response"), "refuses");
  EXPECT_EQ(WordOf("limit", "position-based"), "exact");
  EXPECT_EQ(WordOf("limit", "finite-elements"), "refuses");
  EXPECT_EQ(WordOf("material", "position-based"), "ignored");
  EXPECT_EQ(WordOf("tube", "kinematic-response"), "approximated");
  EXPECT_EQ(WordOf("block", "kinematic-response"), "refuses");
}

// The edges of a mesh of cells are those of all cells, inner ones too, so that tetrahedra cannot change.
TEST(ElementPage, SweepsKeepTheEdgesOfCells) {
  for (const SampledElement& sample : Samples()) {
    const bool has_cells = sample.name == "mesh of a volume";
    if (!has_cells && sample.name != "mesh") continue;
    for (const SampledFidelity& made : sample.made_of_it) {
      if (made.formulation != "displacement-constraints" && made.formulation != "position-based")
        continue;
      EXPECT_EQ(made.reason.find("the edges of all its cells, inner ones too") != std::string::npos,
                has_cells)
          << made.reason;
      EXPECT_EQ(made.reason.find("has no pressure") != std::string::npos, !has_cells)
          << made.reason;
    }
  }
}

// What is said is of the element itself, and not of another that stands beside it.
TEST(ElementPage, EverySampleHasAnEntryOfItsOwn) {
  std::set<std::string> entries;
  for (const SampledElement& sample : Samples()) {
    EXPECT_TRUE(entries.insert(sample.entry).second) << sample.entry << " is there twice";
    const std::string kind = sample.entry.substr(0, sample.entry.find('.'));
    const std::string named = "name = \"" + sample.entry.substr(kind.size() + 1) + "\"";
    if (sample.is_shape) {
      EXPECT_EQ(kind, "body");
      EXPECT_THAT(sample.toml, testing::StartsWith("[[scene.body]]\n" + named + "\n"));
    }
    // Its table stands once in its scene.
    const size_t first =
        sample.scene.find(sample.name == "material" ? "[scene.body.material]" : sample.toml);
    EXPECT_NE(first, std::string::npos) << sample.name;
    if (sample.is_shape) {
      EXPECT_EQ(sample.scene.find("[[scene.body]]", first + 1), std::string::npos) << sample.name;
    }
  }
}

TEST(ElementPage, IsCurrent) {
  EXPECT_EQ(ElementPage(Samples()), ReadFile(PLIANT_SOURCE_DIR "/docs/elements.md"))
      << "pliant list elements --markdown > docs/elements.md";
}

}  // namespace
}  // namespace pliant
