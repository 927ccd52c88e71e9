#include "experiments/files/scene_notes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <string>

#include "models/geometry/angles.h"
#include "models/scene/extent.h"
#include "models/scene/forces.h"
#include "models/scene/number_text.h"
#include "solvers/contact/overlap_at_start.h"

namespace pliant {
namespace {

constexpr double kEarthGravity = 9.81;    // m/s²
constexpr double kStrongGravity = 100.0;  // m/s²
constexpr double kLongBody = 100.0;       // m
constexpr double kSameTime = 1e-9;        // of the time

constexpr double DegreesOf(double radians) { return radians * 180.0 / std::numbers::pi; }

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
    if (is_angle && std::abs(*angle) > std::numbers::pi) {
      notes->push_back({entry.place,
                        key + " = " + ThreeDigits(*angle) + " rad is " +
                            ThreeDigits(DegreesOf(*angle)) + "°; angles are in radians",
                        "if degrees are meant, write " + ThreeDigits(Radians(*angle))});
    } else {
      NoteAngles(entry, notes);
    }
  }
}

// The body that is longest, if any is so long that another unit of length may be meant.
const Body* LongBody(const Scene& scene) {
  const auto extent = [](const Body& body) { return ExtentOf(body.rest); };
  const auto longest = std::ranges::max_element(scene.bodies, {}, extent);
  return longest != scene.bodies.end() && extent(*longest) >= kLongBody ? &*longest : nullptr;
}

// A body of height L that stands or hangs: ρ g L/E is the strain where its whole weight acts. Where another note doubts the
// unit of L or of g, the body has to be too soft in the other unit as well.
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
  constexpr double kMillimetres = 1e-3, kCentimetres = 1e-2;
  const double doubted = (LongBody(scene) != nullptr ? kMillimetres : 1.0) *
                         (scene.gravity.norm() >= kStrongGravity ? kCentimetres : 1.0);
  if (!(material.youngs_modulus > 0.0 && doubted * pressure >= material.youngs_modulus)) return;
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
  constexpr double kLightSolid = 23.0;  // kg/m³; in g/cm³ the heaviest of all, osmium, has 22.6
  const double gravity = scene.gravity.norm();
  if (gravity >= kStrongGravity) {
    notes->push_back({PlaceOf(table, "gravity"),
                      "gravity of " + ThreeDigits(gravity) + " m/s² is " +
                          ThreeDigits(gravity / kEarthGravity) + " times that of the Earth",
                      "if cm/s² are meant, write " + InBrackets(scene.gravity / 100.0) +
                          "; if mm/s², " + InBrackets(scene.gravity / 1000.0)});
  }
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const std::string path = "body[" + std::to_string(b) + "]";
    if (body.material && body.material->density <= kLightSolid) {
      notes->push_back({PlaceOf(table, path + ".material.density"),
                        "body '" + body.name + "' has a density of " +
                            ThreeDigits(body.material->density) +
                            " kg/m³; of solids only foams and gels are so light",
                        "if g/cm³ are meant, write " + RoundTrip(body.material->density * 1000.0)});
    }
    // In the plane a thickness is a depth, which is often 1 m.
    const double extent = ExtentOf(body.rest);
    if (scene.dimension == 3 && body.material && body.material->thickness > extent) {
      const double thickness = body.material->thickness;
      notes->push_back({PlaceOf(table, path + ".material.thickness"),
                        "body '" + body.name + "' has a thickness of " + ThreeDigits(thickness) +
                            " m, more than its length of " + ThreeDigits(extent) + " m",
                        "if mm are meant, write " + RoundTrip(thickness / 1000.0)});
    }
  }
  const Body* longest = LongBody(scene);
  if (longest == nullptr) return;
  const auto b = std::to_string(longest - scene.bodies.data());
  notes->push_back({PlaceOf(table, "body[" + b + "].size"),
                    "body '" + longest->name + "' is " + ThreeDigits(ExtentOf(longest->rest)) +
                        " m long; lengths are in metres",
                    "if mm are meant, divide all lengths by 1000"});
}

void NoteFriction(double friction, const std::string& of, const FilePlace& place,
                  std::vector<Mistake>* notes) {
  constexpr double kRough = 2.0;  // rubber on rough ground has about 1
  if (friction <= kRough) return;
  notes->push_back(
      {place,
       "with a friction of " + ThreeDigits(friction) + ", " + of +
           " holds what lies on a slope of up to " + ThreeDigits(DegreesOf(std::atan(friction))) +
           "°",
       "0.1 to 1 are usual; if percent are meant, write " + RoundTrip(friction / 100.0)});
}

void NoteFrictions(const Scene& scene, const FileValue& table, std::vector<Mistake>* notes) {
  for (size_t o = 0; o < scene.obstacles.size(); ++o) {
    const Obstacle& obstacle = scene.obstacles[o];
    NoteFriction(obstacle.friction, "obstacle '" + obstacle.name + "'",
                 PlaceOf(table, "obstacle[" + std::to_string(o) + "].friction"), notes);
  }
  for (const BodyContact& contact : scene.contacts) {
    const std::string name = ContactName(scene, contact);
    NoteFriction(contact.friction, "[" + name + "]", PlaceOf(table, name + ".friction"), notes);
  }
}

// Bodies that begin inside one another, or inside an obstacle, by more than resting bodies sink in.
void NoteOverlaps(const Scene& scene, const FileValue& table, const std::string& before,
                  std::vector<Mistake>* notes) {
  constexpr double kSunk = 1e-3;  // of the smaller body
  for (const OverlapAtStart& overlap : OverlapsAtStart(scene, 0.0)) {
    const Body &a = scene.bodies[overlap.a], &b = scene.bodies[overlap.b];
    if (overlap.depth <= kSunk * std::min(ExtentOf(a.rest), ExtentOf(b.rest))) continue;
    notes->push_back({PlaceOf(table, "body[" + std::to_string(overlap.b) + "].position"),
                      InWords(scene, overlap), MendOf(scene, overlap, before)});
  }
  for (const ObstacleOverlap& overlap : ObstacleOverlapsAtStart(scene)) {
    const Body& body = scene.bodies[overlap.body];
    if (overlap.depth <= kSunk * ExtentOf(body.rest)) continue;
    notes->push_back({PlaceOf(table, "body[" + std::to_string(overlap.body) + "].position"),
                      "body '" + body.name + "' begins " + ThreeDigits(overlap.depth) +
                          " m inside obstacle '" + scene.obstacles[overlap.obstacle].name + "'",
                      "move one of them"});
  }
}

// What acts only after the end of the run, once for each element.
template <typename Element, typename BeginsAt>
void NoteLateElements(const std::vector<Element>& elements, const char* kind, const char* key,
                      double end, const FileValue& table, const BeginsAt& begins_at,
                      std::vector<Mistake>* notes) {
  std::map<std::string, double>
      earliest;  // by name; an element acts on several points, and in several pieces
  for (const Element& element : elements) {
    const auto [entry, is_new] = earliest.try_emplace(element.name, begins_at(element));
    if (!is_new) entry->second = std::min(entry->second, begins_at(element));
  }
  for (const auto& [name, begin] : earliest) {
    if (begin <= end * (1.0 + kSameTime)) continue;
    notes->push_back({PlaceOf(table, std::string(kind) + "." + name + "." + key),
                      std::string(kind) + " '" + name + "' begins at " + RoundTrip(begin) +
                          " s, when the run of " + RoundTrip(end) + " s is over: it does nothing",
                      "let it begin earlier, or give a longer duration"});
  }
}

void NoteLateElements(const Scene& scene, double end, const FileValue& table,
                      std::vector<Mistake>* notes) {
  const auto hold_begins = [](const auto& element) { return element.hold.from; };
  NoteLateElements(scene.nails, "nail", "from", end, table, hold_begins, notes);
  NoteLateElements(scene.attachments, "attachment", "from", end, table, hold_begins, notes);
  NoteLateElements(scene.sliders, "slider", "from", end, table, hold_begins, notes);
  NoteLateElements(scene.combinations, "combination", "from", end, table, hold_begins, notes);
  NoteLateElements(
      scene.forces, "force", "from", end, table, [](const TimedForce& force) { return force.from; },
      notes);
  NoteLateElements(
      scene.impulses, "impulse", "time", end, table,
      [](const Impulse& impulse) { return impulse.time; }, notes);
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
  NoteFrictions(scene, *table, &notes);
  NoteOverlaps(scene, *table, table == &root ? "" : "scene.", &notes);
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
  if (experiment.plan.record_every > end * (1.0 + kSameTime)) {
    notes.push_back({PlaceOf(root, "run.record_every"),
                     "record_every = " + RoundTrip(experiment.plan.record_every) +
                         " s is longer than the run of " + RoundTrip(end) +
                         " s: only its start and its end are recorded",
                     "write a shorter one, such as a fiftieth of the duration"});
  }
  const FileValue* table = root.Find("scene");
  NoteLateElements(*experiment.scene, end, table == nullptr ? root : *table, &notes);
  for (const Probe& probe : experiment.probes) {
    for (const double time : probe.at) {
      if (time <= end * (1.0 + kSameTime)) continue;
      notes.push_back({PlaceOf(root, "probe." + probe.name + ".at"),
                       "at = " + RoundTrip(time) + " s of probe '" + probe.name +
                           "' is after the end of the run",
                       "give a time of at most " + RoundTrip(end) + " s, or a longer duration"});
    }
    if (!probe.during || probe.during->back() <= end * (1.0 + kSameTime)) continue;
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
