#include "experiments/manual/element_page.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "experiments/comparison/comparison_table.h"
#include "experiments/files/experiment_document.h"

namespace pliant {
namespace {

// What stands in the sample scene of an element beside it.
enum class SampleBodies { kNone, kBlock, kTwoBlocks };

// A sample scene. `element` is the name of its entry in a translation record, of which TomlOf() makes the head of its table;
// `toml` has the keys below, or the whole table where it begins with one.
struct Sample {
  const char *name, *element;
  SampleBodies bodies;
  const char* toml;
};

constexpr char kSampleMaterial[] = R"([scene.body.material]
density = 1000
youngs_modulus = 1e5
poisson_ratio = 0.3
)";

constexpr Sample kSampledShapes[] = {
    {"chain", "body.chain", SampleBodies::kNone, R"(shape = "chain"
from = [0, 0, 0]
to = [1, 0, 0]
points = 5
)"},
    {"sheet", "body.sheet", SampleBodies::kNone, R"(shape = "sheet"
size = [1, 1]
points = [5, 5]
)"},
    {"sheet of the plane", "body.area", SampleBodies::kNone, R"(shape = "sheet"
size = [1, 1]
points = [5, 5]
)"},
    {"block", "body.block", SampleBodies::kNone, R"(shape = "block"
size = [1, 1, 1]
points = [3, 3, 3]
)"},
    {"ring", "body.ring", SampleBodies::kNone, R"(shape = "ring"
radius = 0.5
points = 12
)"},
    {"tube", "body.tube", SampleBodies::kNone, R"(shape = "tube"
radius = 0.3
length = 1.0
points = [12, 5]
)"},
    {"torus", "body.torus", SampleBodies::kNone, R"(shape = "torus"
radius = 0.6
tube_radius = 0.2
points = [12, 8]
)"},
    {"profile", "body.profile", SampleBodies::kNone, R"(shape = "profile"
points = [[0, 0], [1, 0], [1, 1], [0, 1]]
masses = [1, 1, 1, 1]
edges = [[0, 1], [1, 2], [2, 3], [3, 0]]
faces = [[0, 1, 2], [0, 2, 3]]
)"},
    {"mesh", "body.mesh", SampleBodies::kNone, R"(shape = "mesh"
vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
)"},
    {"mesh of a volume", "body.volume", SampleBodies::kNone, R"(shape = "mesh"
vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
faces = []
tetrahedra = [[0, 1, 2, 3]]
)"},
};

constexpr Sample kSampledElements[] = {
    {"material", "body.body.material", SampleBodies::kBlock,
     R"([scene.body.material]   # of the last [[scene.body]]
density = 1000          # kg/m³
youngs_modulus = 1e5    # Pa
poisson_ratio = 0.3
)"},
    {"rigid body", "body.stone.rigid", SampleBodies::kNone, R"(shape = "block"
size = [1, 1, 1]
points = [3, 3, 3]
mass = 2.0
rigid = true
)"},
    {"obstacle", "obstacle.floor", SampleBodies::kBlock, R"(shape = "plane"
)"},
    {"obstacle with friction", "obstacle.floor.friction", SampleBodies::kBlock, R"(shape = "plane"
friction = 0.3
)"},
    {"obstacle that moves", "obstacle.ball.motion", SampleBodies::kBlock, R"(shape = "sphere"
radius = 0.2
path = {times = [0, 1], keys = [[0, -1, 0], [0, 1, 0]]}
)"},
    {"contact of two bodies", "contact.body.other", SampleBodies::kTwoBlocks,
     R"([scene.contact.body.other]
friction = 0.0
)"},
    {"nail", "nail.hook", SampleBodies::kBlock, R"(body = "body"
point = "start"
)"},
    {"nail that moves", "nail.hook.motion", SampleBodies::kBlock, R"(body = "body"
point = "start"
path = {times = [0, 1], offsets = [[0, 0, 0], [0, 1, 0]]}
)"},
    {"attachment", "attachment.joint", SampleBodies::kTwoBlocks,
     R"(a = {body = "body", point = [2, 0, 0]}
b = {body = "other", point = [0, 0, 0]}
)"},
    {"slider", "slider.rail", SampleBodies::kBlock, R"(body = "body"
point = "start"
direction = [1, 0, 0]
)"},
    {"combination", "combination.middle", SampleBodies::kBlock,
     R"(terms = [{body = "body", point = "start", weight = 0.5}, {body = "body", point = "end", weight = 0.5}]
)"},
    {"limit", "limit.strap", SampleBodies::kBlock, R"(measure = "length"
points = [{body = "body", point = "start"}, {body = "body", point = "end"}]
at_most = 2.0
)"},
    {"spring", "spring.coil", SampleBodies::kBlock, R"(body = "body"
point = "start"
anchor = [0, 0, 0]
stiffness = 10.0
)"},
    {"force", "force.wind", SampleBodies::kBlock, R"(body = "body"
point = "start"
force = [1, 0, 0]
)"},
    {"impulse", "impulse.blow", SampleBodies::kBlock, R"(body = "body"
point = "start"
impulse = [1, 0, 0]
time = 0.01
)"},
    {"morph", "morph.breath", SampleBodies::kBlock, R"(body = "body"
stretch = [1.1, 1.1, 1.1]
until = 1.0
)"},
    {"notice", "notice.look", SampleBodies::kBlock, R"(body = "body"
delay = 0.1
)"},
    {"behaviour", "behaviour.reach", SampleBodies::kBlock,
     R"toml(script = ["Chase(body.start, [0, 3, 0], 1)"]
)toml"},
};

constexpr char kSampleHead[] = R"([run]
duration = 0.1
step = 0.001
record_every = 0.1
[scene]
name = "sample"
gravity = [0, -9.81, 0]
)";

constexpr char kSamplePlanar[] = "dimension = 2\n";
bool IsPlanar(const std::string& name) { return name == "profile" || name == "sheet of the plane"; }

// Blocks have a lattice that can move freely; without modes a body of dynamic-ffd is rigid.
constexpr char kSampleLattice[] = R"(free_lattice = true
modes = {degree_x = 1, degree_y = 1, degree_z = 1, size_x = 2, size_y = 2, size_z = 2}
)";

constexpr char kRigidInSpace[] = "modes = {degree_x = 1, degree_y = 1, degree_z = 1}\n";
constexpr char kRigidInPlane[] = "modes = {degree_x = 1, degree_y = 1}\n";

std::string Head(const std::string& kind, const std::string& name) {
  return "[[scene." + kind + "]]\nname = \"" + name + "\"\n";
}

std::string Block(const std::string& name, const std::string& x) {
  return Head("body", name) +
         "shape = \"block\"\nsize = [1, 1, 1]\npoints = [3, 3, 3]\nposition = [" + x + ", 2, 0]\n";
}

std::string TomlOf(SampleBodies bodies) {
  if (bodies == SampleBodies::kNone) return "";
  if (bodies == SampleBodies::kBlock) return Block("body", "0") + kSampleMaterial;
  const std::string mass = "mass = 1000\n";
  return Block("body", "0") + mass + Block("other", "1") + mass;
}

// The table of the element.
std::string TomlOf(const Sample& sample) {
  if (sample.toml[0] == '[') return sample.toml;
  const std::vector<std::string> parts = SplitPath(sample.element);
  return Head(parts[0], parts[1]) + sample.toml;
}

std::string TomlOfScene(const Sample& sample, bool is_shape) {
  const std::string name = sample.name;
  std::string toml = kSampleHead;
  if (IsPlanar(name)) toml += kSamplePlanar;
  toml += TomlOf(sample.bodies);
  if (name != "material") toml += TomlOf(sample);
  const bool is_solid = name == "block" || name == "mesh of a volume";
  if (is_shape) toml += std::string(kSampleMaterial) + (is_solid ? "" : "thickness = 0.05\n");
  for (const Backend* backend : Backends()) {
    const std::string& formulation = backend->info().name;
    toml += "[backends." + formulation + "]\n";
    if (formulation != "dynamic-ffd") continue;
    const bool has_material = sample.bodies == SampleBodies::kBlock && name != "morph";
    toml += has_material ? kSampleLattice : IsPlanar(name) ? kRigidInPlane : kRigidInSpace;
  }
  return toml;
}

// The entry of the record that is about the element: of its name, or of the first name that begins with it.
const TranslatedElement* EntryAbout(const std::vector<TranslatedElement>& entries,
                                    const std::string& element) {
  const auto exact = std::ranges::find(entries, element, &TranslatedElement::element);
  if (exact != entries.end()) return &*exact;
  const std::string kind = element.substr(0, element.find('.'));
  const auto like = std::ranges::find_if(
      entries, [&](const TranslatedElement& entry) { return entry.element.starts_with(kind); });
  return like == entries.end() ? nullptr : &*like;
}

SampledElement Sampled(const Sample& sample, bool is_shape) {
  SampledElement sampled{
      sample.name, sample.element, is_shape, TomlOf(sample), TomlOfScene(sample, is_shape), {}};
  const auto source = std::make_shared<FileSource>(FileSource{sample.name, "."});
  const Experiment experiment =
      ReadExperimentTree(ParseToml(sampled.scene, source), "sample", {}, {}, Backends());
  for (size_t i = 0; i < experiment.backends.size(); ++i) {
    const std::string& formulation = experiment.backends[i].backend->info().name;
    const std::vector<TranslatedElement> entries = TranslateFor(experiment, i).record.Entries();
    const TranslatedElement* entry = EntryAbout(entries, sample.element);
    if (entry == nullptr) {
      sampled.made_of_it.push_back({formulation, "–", ""});
      continue;
    }
    const bool refuses = entry->fidelity == Fidelity::kUnsupported;
    sampled.made_of_it.push_back(
        {formulation, refuses ? "refuses" : std::string(ToString(entry->fidelity)), entry->reason});
  }
  return sampled;
}

std::string MarkdownRow(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row + "\n";
}

std::string TableOfElements(const std::vector<SampledElement>& elements, bool shapes) {
  std::vector<std::string> head = {shapes ? "shape" : "element"};
  for (const Backend* backend : Backends()) head.push_back(backend->info().name);
  std::string text = MarkdownRow(head) + MarkdownRow(std::vector<std::string>(head.size(), "---"));
  for (const SampledElement& element : elements) {
    if (element.is_shape != shapes) continue;
    std::vector<std::string> row = {"[" + element.name + "](#" + element.name + ")"};
    std::ranges::replace(row[0].begin() + static_cast<std::ptrdiff_t>(element.name.size()) + 3,
                         row[0].end(), ' ', '-');
    for (const SampledFidelity& made : element.made_of_it) row.push_back(made.word);
    text += MarkdownRow(row);
  }
  return text;
}

constexpr char kElementsIntroduction[] = R"(# What each formulation makes of each element

Printed by `pliant list elements --markdown`, from the translation records of small scenes, one for each element, with default
parameters; for `dynamic-ffd` the block of the elements is a free lattice, and other bodies have no modes: they are rigid. The same words for a scene of your own: `pliant check FILE`.

| word | meaning |
|---|---|
| exact | it is in the model as it is, up to step, tolerance or refinement |
| approximated | it is there in another form; the reason says which |
| ignored | it has no effect |
| refuses | the formulation does not run a scene with it; a backend can have a variant of the scene without it ([experiment-file.md](experiment-file.md)) |

`articulated-lamp` takes scenes of a lamp alone ([lamp.md](lamp.md)) and refuses all of these.
)";

}  // namespace

std::vector<SampledElement> SampleElements() {
  std::vector<SampledElement> elements;
  for (const Sample& sample : kSampledShapes) elements.push_back(Sampled(sample, true));
  for (const Sample& sample : kSampledElements) elements.push_back(Sampled(sample, false));
  return elements;
}

std::string ElementTable(const std::vector<SampledElement>& elements) {
  std::vector<std::vector<std::string>> lines = {{""}};
  for (const Backend* backend : Backends()) lines[0].push_back(backend->info().name);
  for (const SampledElement& element : elements) {
    lines.push_back({element.name});
    for (const SampledFidelity& made : element.made_of_it) lines.back().push_back(made.word);
  }
  return AlignedText(lines);
}

std::string ElementPage(const std::vector<SampledElement>& elements) {
  std::string text = kElementsIntroduction;
  text += "\n## Shapes of bodies\n\n" + TableOfElements(elements, true);
  text += "\n## Elements\n\n" + TableOfElements(elements, false);
  for (const SampledElement& element : elements) {
    text += "\n### " + element.name + "\n\n```toml\n" + element.toml + "```\n\n";
    for (const SampledFidelity& made : element.made_of_it) {
      if (made.formulation == "articulated-lamp") continue;
      text += "- " + made.formulation + ": " + made.word +
              (made.reason.empty() ? "" : ", " + made.reason) + "\n";
    }
  }
  return text;
}

}  // namespace pliant
