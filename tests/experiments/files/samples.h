// Files and a formulation that the tests of the reader share.

#ifndef PLIANT_TESTS_EXPERIMENTS_FILES_SAMPLES_H_
#define PLIANT_TESTS_EXPERIMENTS_FILES_SAMPLES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant::samples {

// A formulation with one parameter of every type; it refuses to move. Translate() throws BadInput
// at "modes" when the parameter `fail` is true.
const Backend& ProbeBackend();

// A folder of its own that goes when the test does.
class Folder : public ScratchFolder {
 public:
  // Writes a file and returns its path.
  std::filesystem::path Write(const std::string& name, const std::string& text) const;
};

// A scene with a body of every shape and an element of every kind (scene.toml), its shape file
// (outline.toml), a table of modes (modes.toml), and an experiment that runs it with the probe
// backend (sample.toml).
std::string SampleScene();
std::string SampleOutline();
std::string SampleModes();
std::string SampleExperiment();
// Writes all of them; returns the path of the experiment.
std::filesystem::path WriteSample(const Folder& folder);

// Reads with the probe backend as the only formulation.
Experiment ReadProbe(const std::filesystem::path& file,
                     const std::vector<std::string>& overrides = {});

// What the reader says about the file; "" when it is right.
std::string ErrorOf(const std::filesystem::path& file,
                    const std::vector<std::string>& overrides = {});

// What reading the file and translating its first run says, with the formulations of Pliant; ""
// when nothing is wrong.
std::string TranslationErrorOf(const std::filesystem::path& file);

// The root of the sources, absolute: for files that stand elsewhere and name others.
std::string SourceRoot();

// The resolved text of the experiment's first run reads back to the same text, and the simulation
// of it goes through the same states for `steps` steps of 1 ms.
void ExpectReadsBackAlike(const Experiment& experiment, int steps);

// `text` with `from` replaced by `to`; fails the test unless it occurs exactly once.
std::string Replaced(std::string text, const std::string& from, const std::string& to);

}  // namespace pliant::samples

#endif  // PLIANT_TESTS_EXPERIMENTS_FILES_SAMPLES_H_
