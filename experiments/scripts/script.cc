#include "experiments/scripts/script.h"

#include <cmath>
#include <utility>

#include "experiments/files/experiment_document.h"
#include "experiments/files/matrix_table.h"
#include "experiments/files/scene_reader.h"
#include "experiments/files/writer.h"
#include "experiments/scripts/commands.h"
#include "experiments/scripts/deformation_file.h"
#include "models/dynamic_ffd/ffd_body.h"
#include "solvers/dynamic_ffd/mode_selection.h"
#include "solvers/dynamic_ffd/mode_table.h"

namespace pliant {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kGravity = 9.81;  // m/s²
constexpr char kLabel[] = "dynamic-ffd";

FileValue Table(const FilePlace& place) { return {FileValue::Table(), place}; }

FileValue Reals(const std::vector<double>& numbers, const FilePlace& place) {
  FileValue::Array array;
  for (const double number : numbers) array.push_back({number, place});
  return {std::move(array), place};
}

// Puts a value with its place into a table.
void Put(FileValue* table, const std::string& key, FileValue value) {
  const FilePlace place = value.place;
  FileValue* put = table->Set(key, std::move(value.data));
  put->place = place;
}

// Converts one script to an experiment file.
class Translator {
 public:
  Translator(const std::string& text, const std::filesystem::path& file)
      : name_(file.stem().string()), file_(file), commands_(ReadCommands(text, file)) {}

  FileValue Document();
  const ScriptCommands& commands() const { return commands_; }

 private:
  const Given<double>& Need(const std::string& number) const;
  void PutNumber(const std::string& number, const std::string& key, FileValue* table) const;
  bool Flag(const std::string& flag, bool standard) const;
  void RequireNoSpring() const;
  FileValue RunTable() const;
  FileValue Ground() const;
  FileValue SceneTable(const DeformationFile& object) const;
  FileValue BackendTable(FileValue modes) const;
  void AssignModes(FileValue* modes) const;
  VectorXd State(const std::optional<Given<std::vector<double>>>& given, size_t modes,
                 const std::string& name) const;
  void PlaceBody(FileValue* scene, FileValue* modes) const;

  const std::string name_;
  const std::filesystem::path file_;
  const ScriptCommands commands_;
};

const Given<double>& Translator::Need(const std::string& number) const {
  const auto found = commands_.numbers.find(number);
  if (found == commands_.numbers.end()) {
    FailAt(commands_.simul, "simul without '" + number + "'", "say set " + number + " before it");
  }
  return found->second;
}

void Translator::PutNumber(const std::string& number, const std::string& key,
                           FileValue* table) const {
  const auto found = commands_.numbers.find(number);
  if (found == commands_.numbers.end()) return;
  Put(table, key, {found->second.value, found->second.place});
}

bool Translator::Flag(const std::string& flag, bool standard) const {
  const auto found = commands_.flags.find(flag);
  return found == commands_.flags.end() ? standard : found->second.value;
}

void Translator::RequireNoSpring() const {
  if (!Flag("spring", false)) return;
  FailAt(commands_.flags.at("spring").place,
         "'spring' is T, but no command of the language says where the spring is attached",
         "set it F, write the experiment with --write, and add a [[scene.spring]]");
}

FileValue Translator::RunTable() const {
  const Given<double>&end = Need("end"), &step = Need("dt");
  const auto time = commands_.numbers.find("time");
  const double start = time == commands_.numbers.end() ? 0.0 : time->second.value;
  FileValue run = Table(commands_.simul);
  Put(&run, "duration", {end.value - start, end.place});
  Put(&run, "step", {step.value, step.place});
  Put(&run, "record_every", {step.value, step.place});
  return run;
}

FileValue Translator::Ground() const {
  FileValue ground = Table(commands_.simul);
  ground.Set("name", "ground");
  ground.Set("shape", "plane");
  const auto sine = commands_.numbers.find("fr_sin");
  if (sine != commands_.numbers.end()) {
    const double s = sine->second.value;
    if (!(s >= 0.0 && s < 1.0)) {
      FailAt(sine->second.place, "'fr_sin' is " + WriteInline({s, {}}),
             "the sine of the angle of friction is at least 0 and less than 1");
    }
    Put(&ground, "friction", {s / std::sqrt(1.0 - s * s), sine->second.place});
  }
  return ground;
}

FileValue Translator::SceneTable(const DeformationFile& object) const {
  FileValue body = Table(commands_.load_def->place);
  body.Set("name", object.name);
  body.Set("shape", "profile");
  for (const FileValue::Entry& entry : *object.outline.table()) Put(&body, entry.key, entry.value);
  FileValue scene = Table(commands_.simul);
  scene.Set("name", name_);
  scene.Set("dimension", std::int64_t{2});
  Put(&scene, "gravity",
      Reals({0.0, Flag("gravity", true) ? -kGravity : 0.0, 0.0}, commands_.simul));
  Put(&scene, "body", {FileValue::Array{std::move(body)}, commands_.load_def->place});
  Put(&scene, "obstacle", {FileValue::Array{Ground()}, commands_.simul});
  return scene;
}

FileValue Translator::BackendTable(FileValue modes) const {
  FileValue backend = Table(commands_.simul);
  backend.Set("origin", "lattice-corner");
  backend.Set("integrator", "semi-implicit-euler");
  PutNumber("gr_const", "contact_stiffness", &backend);
  PutNumber("gr_const", "contact_tangential_stiffness", &backend);
  PutNumber("gr_dam", "contact_damping", &backend);
  PutNumber("fr_const", "contact_tangential_damping", &backend);
  Put(&backend, "modes", std::move(modes));
  return backend;
}

// `assign`, then codamA, which the source gives the value of mode 1's damping.
void Translator::AssignModes(FileValue* modes) const {
  FileValue::Array& entries = *modes->Find("entry")->array();
  for (const auto& [mode, constants] : commands_.assign) {
    if (static_cast<size_t>(mode) > entries.size()) {
      FailAt(constants.place, "there is no mode " + std::to_string(mode),
             "the object has " + std::to_string(entries.size()));
    }
    FileValue& entry = entries[mode - 1];
    Put(&entry, "stiffness", {0.5 * constants.value.stiffness, constants.place});
    Put(&entry, "damping", {constants.value.damping, constants.place});
  }
  if (!entries.empty()) PutNumber("codamA", "damping", &entries.front());
}

// q or dq; zeros if the script does not set it.
VectorXd Translator::State(const std::optional<Given<std::vector<double>>>& given, size_t modes,
                           const std::string& name) const {
  VectorXd state = VectorXd::Zero(static_cast<Eigen::Index>(3 + modes));
  if (!given) return state;
  if (given->value.size() != 3 + modes) {
    FailAt(given->place, "'" + name + "' has " + std::to_string(given->value.size()) + " numbers",
           "position, angle and " + std::to_string(modes) + " modes make " +
               std::to_string(3 + modes));
  }
  for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = given->value[i];
  return state;
}

// The source's state is that of the lattice corner, the scene's that of the centre of mass; their
// relation depends on the initial shape of the modes.
void Translator::PlaceBody(FileValue* scene, FileValue* modes) const {
  const MatrixTable matrices = ReadMatrixTable(modes);
  VectorXd q = State(commands_.q, matrices.entries.size(), "q");
  const VectorXd dq = State(commands_.dq, matrices.entries.size(), "dq");
  if (commands_.trans)
    q.head<2>() += Eigen::Map<const Eigen::Vector2d>(commands_.trans->value.data());
  FileValue copy = *scene;
  const Scene at_rest = ReadSceneTable(&copy);
  try {
    std::vector<std::string> warnings;
    const dynamic_ffd::ModeTable table = dynamic_ffd::ReadModeTable(matrices, at_rest.dimension);
    const std::vector<int> used = dynamic_ffd::SelectModes(at_rest, table, &warnings).front();
    if (used.size() != matrices.entries.size()) {
      throw BadInput({"modes",
                      std::to_string(matrices.entries.size() - used.size()) + " of its " +
                          std::to_string(matrices.entries.size()) +
                          " modes have no entry in q: they are parts of others or move nothing",
                      "use a file of modes that all move the object"});
    }
    const dynamic_ffd::FfdBody body =
        Embed(at_rest, 0, table, used, dynamic_ffd::FfdOrigin::kLatticeCorner);
    Eigen::Matrix3Xd x(3, body.points()), x_dot(3, body.points());
    body.Points(q, x);
    body.PointVelocities(q, dq, x, x_dot);
    const VectorXd weights = body.masses() / body.masses().sum();
    const Vector3d rest_centre = at_rest.bodies[0].rest * weights;
    const Vector3d position = x * weights - body.Rotation(q) * rest_centre;
    const Vector3d velocity = x_dot * weights;

    FileValue& placed = scene->Find("body")->array()->front();
    const FilePlace& place = commands_.q ? commands_.q->place : commands_.simul;
    const FilePlace& rate_place = commands_.dq ? commands_.dq->place : commands_.simul;
    Put(&placed, "position", Reals({position.x(), position.y()}, place));
    Put(&placed, "rotation", {q[2], place});
    Put(&placed, "velocity", Reals({velocity.x(), velocity.y()}, rate_place));
    Put(&placed, "angular_velocity", {dq[2], rate_place});
    FileValue::Array& entries = *modes->Find("entry")->array();
    for (size_t k = 0; k < entries.size(); ++k) {
      Put(&entries[k], "initial", {q[static_cast<Eigen::Index>(3 + k)], place});
      Put(&entries[k], "initial_rate", {dq[static_cast<Eigen::Index>(3 + k)], rate_place});
    }
  } catch (const BadInput& bad) {
    FailAt(commands_.load_def->place, bad.problem().what, bad.problem().mend);
  }
}

FileValue Translator::Document() {
  if (!commands_.load_def) {
    FailAt(commands_.simul, "simul needs an object", "put load_def FILE before it");
  }
  RequireNoSpring();
  DeformationFile object = ReadDeformationFile(*commands_.load_def);
  AssignModes(&object.modes);
  FileValue scene = SceneTable(object);
  PlaceBody(&scene, &object.modes);
  FileValue root = Table(commands_.simul);
  root.Set("name", name_);
  const bool on_disk = std::filesystem::exists(file_);
  root.Set("description", on_disk ? LeadingComment(file_) : std::string());
  root.Set("run", RunTable().data);
  root.Set("scene", std::move(scene.data));
  FileValue backends = Table(commands_.simul);
  Put(&backends, kLabel, BackendTable(std::move(object.modes)));
  root.Set("backends", std::move(backends.data));
  return root;
}

}  // namespace

Script ReadScript(const std::filesystem::path& file) {
  return ReadScript(ReadTextFile(file), file);
}

Script ReadScript(const std::string& text, const std::filesystem::path& file) {
  Translator translator(text, file);
  FileValue document = translator.Document();
  Script script;
  script.toml = WriteToml(document);
  const auto debug = translator.commands().flags.find("debug");
  script.debug = debug != translator.commands().flags.end() && debug->second.value;
  script.experiment =
      ReadExperimentTree(std::move(document), file.stem().string(), {}, {}, Backends());
  return script;
}

}  // namespace pliant
