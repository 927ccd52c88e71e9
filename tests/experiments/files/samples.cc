#include "tests/experiments/files/samples.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "tests/experiments/complaints.h"

namespace pliant::samples {
namespace {

enum class Pace { kSlow, kFast };

struct ProbeOptions {
  double stiffness = 0.1;
  int sweeps = 7;
  bool fail = false;
  Pace pace = Pace::kFast;
  std::string note = "say \"no\"\n\ttwice";
  std::vector<double> fractions = {1.0 / 3.0, 2.0 / 3.0};
  std::vector<std::string> words;
  double limit = std::numeric_limits<double>::infinity();
  MatrixTable modes;
  void Bind(ParameterBinder& b) {
    b.Real("stiffness", &stiffness, "N/m", AtLeast(0), "how stiff");
    b.Integer("sweeps", &sweeps, "1", AtLeast(1), "how many sweeps");
    b.Boolean("fail", &fail, "whether to refuse");
    b.Choice("pace", &pace, {{"slow", Pace::kSlow}, {"fast", Pace::kFast}}, "how fast");
    b.Text("note", &note, "a note");
    b.Reals("fractions", &fractions, "1", Between(0, 1), "shares");
    b.Texts("words", &words, "words");
    b.Real("limit", &limit, "m", {.lower = 0.0, .infinite = true}, "a limit, or none");
    b.Table("modes", &modes, "modes");
  }
};

class Probe final : public Backend {
 public:
  Probe() {
    info_.name = "probe";
    info_.title = "Probe";
  }
  const BackendInfo& info() const override { return info_; }
  std::vector<ParameterInfo> Parameters() const override {
    return DescribeParameters<ProbeOptions>();
  }
  Translation Translate(std::shared_ptr<const Scene> scene,
                        const ParameterValues& parameters) const override {
    if (BindParameters<ProbeOptions>(parameters).fail) {
      throw BadInput({"modes.entry[1].values", "modes 0 and 1 are parallel", "remove one"});
    }
    return {TranslationRecord(*scene), nullptr, {}};
  }

 private:
  BackendInfo info_;
};

}  // namespace

const Backend& ProbeBackend() {
  static const Probe probe;
  return probe;
}

std::filesystem::path Folder::Write(const std::string& name, const std::string& text) const {
  std::ofstream(*this / name, std::ios::binary) << text;
  return *this / name;
}

std::string SampleScene() {
  return R"(# Everything there is.
#
# Second paragraph.
name = "rich"
dimension = 3

[[body]]
name = "outline"
shape = "profile"
file = "outline.toml"
mass = 0.7
position = [0.1, 0.2, 0.3]

[[body]]
name = "rope"
shape = "chain"
from = [0, 0, 0]
to = [1, 0.1, 0]
points = 5
mass = 0.3
rotation = 0.3
angular_velocity = 0.1

[[body]]
name = "cloth"
shape = "sheet"
size = [1.0, 0.5]
points = [3, 5]
plane = "xz"
mass = 0.9
position = [1, 0.1, 0]
velocity = [0, 0.1, 0]

[[body]]
name = "brick"
shape = "block"
size = [0.1, 0.2, 0.3]
points = [2, 3, 4]
mass = 1e-1
rotation = {axis = [1, 1, 0], angle = 0.7}
stretch = [1.2, 1, 0.9]
angular_velocity = [0.1, 0.2, 0.3]

[[obstacle]]
name = "floor"
shape = "plane"
normal = [0.1, 3, 0]
friction = 0.3
position = [0, -1, 0]

[[obstacle]]
name = "ramp"
shape = "plane"
slope = 0.2

[[obstacle]]
name = "ball"
shape = "sphere"
radius = 0.4
path = {times = [0, 0.7], keys = [[0, 3, 0], [1, 3, 0]], interpolation = "linear"}

[[obstacle]]
name = "crate"
shape = "box"
half_size = [0.1, 0.2, 0.3]
rotation = 0.1

[[obstacle]]
name = "pill"
shape = "capsule"
half_axis = [0.3, 0, 0]
radius = 0.1

[[nail]]
name = "edge"
body = "cloth"
points = "corners"

[[nail]]
name = "lead"
body = "rope"
point = "start"
path = {times = [0, 1], offsets = [[0, 0, 0], [0.1, 0, 0]]}

[[nail]]
name = "track"
body = "brick"
points = [[0, 0, 0]]
path = {times = [0, 1], keys = [[0, 0, 0], [0.1, 0, 0]]}

[[spring]]
name = "hold"
body = "cloth"
points = "all"
anchor = "start"
stiffness = 12.5
damping = 0.1

[[spring]]
name = "tie"
body = "rope"
point = "end"
to = {body = "brick", point = [1, 2, 3]}
stiffness = 3
rest_length = 0.1

[[force]]
name = "push"
body = "brick"
point = 3
force = [0.1, 0, 0]
until = 0.3

[[impulse]]
name = "kick"
body = "brick"
points = [0, 1]
impulse = [0, 0.1, 0]
time = 0.1

[contact.cloth.brick]
friction = 0.75
restitution = 0.5

[contact.cloth.cloth]
ignore = true
)";
}

std::string SampleExperiment() {
  return R"(# A probe.
#
# Look for nothing.
scene = "scene.toml"

[run]
duration = 0.3
step = 0.01
record_every = 0.1

[backends.probe]
modes = "modes.toml"
fractions = [1, 0.1]

[backends.probe-fine]
formulation = "probe"
step = 0.005
stiffness = 4
)";
}

std::string SampleOutline() {
  return R"(points = [[0, 0], [1.1, 0], [0.3, 0.7]]
masses = [0.1, 0.2, 0.3]
edges = [[0, 1], [1, 2], [2, 0]]
faces = [[0, 1, 2]]
)";
}

std::string SampleModes() {
  return R"(length = 0.1
[[entry]]
name = "first"
stiffness = 3
values = [[0.1, 0.2], [0.3, 0.7]]
[[entry]]
name = "second"
values = [[1, 2], [3, 4]]
)";
}

std::filesystem::path WriteSample(const Folder& folder) {
  folder.Write("outline.toml", SampleOutline());
  folder.Write("modes.toml", SampleModes());
  folder.Write("scene.toml", SampleScene());
  return folder.Write("sample.toml", SampleExperiment());
}

std::string SourceRoot() { return std::filesystem::absolute(PLIANT_SOURCE_DIR).string(); }

std::string TranslationErrorOf(const std::filesystem::path& file) {
  return FileErrorOf([&] { TranslateFor(ReadExperiment(file), 0); });
}

Experiment ReadProbe(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return ReadExperiment(file, overrides, {&ProbeBackend()});
}

std::string ErrorOf(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return FileErrorOf([&] { ReadProbe(file, overrides); });
}

void ExpectReadsBackAlike(const Experiment& experiment, int steps) {
  const Folder folder;
  const std::string resolved = experiment.Resolved(0);
  const Experiment again = ReadExperiment(folder.Write("resolved.toml", resolved));
  EXPECT_EQ(again.Resolved(0), resolved);
  const auto first = TranslateFor(experiment, 0).simulation;
  const auto second = TranslateFor(again, 0).simulation;
  for (int i = 0; i < steps; ++i) {
    first->Advance(0.001);
    second->Advance(0.001);
  }
  EXPECT_EQ(first->Save(), second->Save());
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at == std::string::npos) return text;
  EXPECT_EQ(text.find(from, at + 1), std::string::npos) << from << " is there twice";
  return text.replace(at, from.size(), to);
}

}  // namespace pliant::samples
