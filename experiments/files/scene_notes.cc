#include "experiments/files/scene_notes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "models/scene/extent.h"
#include "models/scene/forces.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr double kFullTurn = 2.0 * std::numbers::pi;  // rad

constexpr double kEarthGravity = 9.81;  // m/s²

// "[0, -9.81, 0]".
std::string InBrackets(const Eigen::Vector3d& vector) {
  return "[" + ThreeDigits(vector.x()) + ", " + ThreeDigits(vector.y()) + ", " +
         ThreeDigits(vector.z()) + "]";
}

std::optional<double> NumberOf(const FileValue& value) {
  if (const auto* real = std::get_if<double>(&value.data)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value.data))
    return static_cast<double>(*whole);
  return std::nullopt;
}

// A rotation about z is a bare number, one about any axis has the key `angle`; a plane has a slope.
void NoteAngles(const FileValue& value, std::vector<Mistake>* notes) {
  if (value.array() != nullptr) {
    for (const FileValue& element : *value.array()) NoteAngles(element, notes);
  }
  if (value.table() == nullptr) return;
  for (const auto& [key, place, entry] : *value.table()) {
    const std::optional<double> angle = NumberOf(entry);
    const bool is_angle = angle && (key == "angle" || key == "rotation" || key == "slope");
    if (is_angle && std::abs(*angle) > kFullTurn) {
      notes->push_back(
          {entry.place,
           key + " = " + ThreeDigits(*angle) +
               " rad is more than a full turn; angles are in radians",
           "if degrees are meant, write " + ThreeDigits(*angle * std::numbers::pi / 180.0)});
    } else {
      NoteAngles(entry, notes);
    }
  }
}

// A body of height L that stands or hangs: ρ g L/E is the strain where its whole weight acts.
void NoteSoftness(const Scene& scene, size_t index, const FilePlace& place,
                  std::vector<Mistake>* notes) {
  const Body& body = scene.bodies[index];
  const Gravity gravity(scene);
  if (!body.material || body.rigid || !gravity.acts()) return;
  const Material& material = *body.material;
  const Eigen::RowVectorXd along =
      gravity.acceleration().normalized().transpose() * body.InitialPoints();
  const double height = along.maxCoeff() - along.minCoeff();
  const double pressure = gravity.Weight(material.density) * height;  // ρ g L [Pa]
  if (!(material.youngs_modulus > 0.0 && pressure >= material.youngs_modulus)) return;
  notes->push_back(
      {place,
       "body '" + body.name + "' collapses under its own weight: its youngs_modulus of " +
           ThreeDigits(material.youngs_modulus) +
           " Pa is not above density × gravity × height = " + ThreeDigits(pressure) + " Pa",
       "if MPa are meant, write " + RoundTrip(material.youngs_modulus * 1e6)});
}

// The other units in which such a number would be an everyday one. Stars, centrifuges, gases and bridges are no mistakes: hence a
// note.
void NoteUnits(const Scene& scene, const FileValue& table, std::vector<Mistake>* notes) {
  constexpr double kStrongGravity = 100.0, kLightSolid = 8.0, kLongBody = 100.0;
  const double gravity = scene.gravity.norm();
  if (gravity >= kStrongGravity) {
    notes->push_back({PlaceOf(table, "gravity"),
                      "gravity of " + ThreeDigits(gravity) + " m/s² is " +
                          ThreeDigits(gravity / kEarthGravity) + " times that of the Earth",
                      "if cm/s² are meant, write " + InBrackets(scene.gravity / 100.0) +
                          "; if mm/s², " + InBrackets(scene.gravity / 1000.0)});
  }
  const Body* longest = nullptr;
  double length = kLongBody;
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const std::string path = "body[" + std::to_string(b) + "]";
    if (body.material && body.material->density <= kLightSolid) {
      notes->push_back({PlaceOf(table, path + ".material.density"),
                        "body '" + body.name + "' has a density of " +
                            ThreeDigits(body.material->density) +
                            " kg/m³, nearer to a gas than to a solid",
                        "if g/cm³ are meant, write " + RoundTrip(body.material->density * 1000.0)});
    }
    const double extent = ExtentOf(body.rest);
    if (extent < length) continue;
    length = extent;
    longest = &body;
  }
  if (longest == nullptr) return;
  const auto b = std::to_string(longest - scene.bodies.data());
  notes->push_back(
      {PlaceOf(table, "body[" + b + "].size"),
       "body '" + longest->name + "' is " + ThreeDigits(length) + " m long; lengths are in metres",
       "if mm are meant, divide all lengths by 1000"});
}

}  // namespace

std::vector<Mistake> NotesOf(const Scene& scene, const FileValue& root) {
  const FileValue* table = root.Find("scene");
  if (table == nullptr) table = &root;
  std::vector<Mistake> notes;
  NoteAngles(root, &notes);
  if (scene.gravity.y() > 0.0) {
    notes.push_back({PlaceOf(*table, "gravity"),
                     "gravity points up: y is up, and this is " + ThreeDigits(scene.gravity.y()) +
                         " m/s² along it",
                     "write " + RoundTrip(-scene.gravity.y()) + " if bodies should fall"});
  }
  NoteUnits(scene, *table, &notes);
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    NoteSoftness(scene, b,
                 PlaceOf(*table, "body[" + std::to_string(b) + "].material.youngs_modulus"),
                 &notes);
  }
  return InOrder(notes);
}

std::vector<Mistake> NotesOf(const Experiment& experiment, const FileValue& root) {
  std::vector<Mistake> notes = NotesOf(*experiment.scene, root);
  const auto force = std::ranges::find(experiment.probes, ProbeKind::kContactForce, &Probe::kind);
  if (force != experiment.probes.end()) {
    const std::string interval = ThreeDigits(1e3 * experiment.plan.record_every) + " ms";
    notes.push_back({PlaceOf(root, "probe." + force->name + ".measure"),
                     "a contact-force is its mean over a record of " + interval +
                         " (run.record_every): the largest of probe '" + force->name +
                         "' grows as records become shorter than the blow",
                     "compare forces at one interval only, or the contact-impulse, which does not "
                     "depend on it"});
  }
  const double end = experiment.plan.duration;
  for (const Probe& probe : experiment.probes) {
    for (const double time : probe.at) {
      if (time <= end * (1.0 + 1e-9)) continue;
      notes.push_back({PlaceOf(root, "probe." + probe.name + ".at"),
                       "at = " + RoundTrip(time) + " s of probe '" + probe.name +
                           "' is after the end of the run",
                       "give a time of at most " + RoundTrip(end) + " s, or a longer duration"});
    }
    if (!probe.during || probe.during->back() <= end * (1.0 + 1e-9)) continue;
    notes.push_back({PlaceOf(root, "probe." + probe.name + ".during"),
                     "during = [" + RoundTrip(probe.during->front()) + ", " +
                         RoundTrip(probe.during->back()) + "] s of probe '" + probe.name +
                         "' ends after the end of the run",
                     "give a time within the run, which ends at " + RoundTrip(end) +
                         " s, or a longer duration"});
  }
  return InOrder(notes);
}

}  // namespace pliant
