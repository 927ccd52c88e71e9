#include "experiments/claims/units.h"

#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "experiments/claims/planned.h"
#include "experiments/files/chosen_value.h"
#include "solvers/control/tables.h"
#include "solvers/finite_elements/options.h"

namespace pliant {
namespace {

// Exponents of m, kg and s.
struct Dimension {
  double length = 0.0, mass = 0.0, time = 0.0;
};

const std::map<std::string, Dimension>& KnownUnits() {
  static const std::map<std::string, Dimension> units = {
      {"1", {}},           {"rad", {}},       {"m", {1, 0, 0}},  {"kg", {0, 1, 0}},
      {"s", {0, 0, 1}},    {"N", {1, 1, -2}}, {"J", {2, 1, -2}}, {"W", {2, 1, -3}},
      {"Pa", {-1, 1, -2}}, {"Hz", {0, 0, -1}}};
  return units;
}

// "m", "s2", "m^3", "m²": a known unit and its power.
std::optional<Dimension> ReadFactor(std::string word) {
  double power = 1.0;
  const std::pair<const char*, double> superscripts[] = {{"²", 2.0}, {"³", 3.0}, {"⁴", 4.0}};
  for (const auto& [text, value] : superscripts) {
    if (!word.ends_with(text)) continue;
    word.resize(word.size() - std::string(text).size());
    power = value;
  }
  if (word.size() > 1 && std::isdigit(static_cast<unsigned char>(word.back())) != 0) {
    power = word.back() - '0';
    word.pop_back();
    if (word.ends_with('^')) word.pop_back();
  }
  const auto known = KnownUnits().find(word);
  if (known == KnownUnits().end()) return std::nullopt;
  return Dimension{power * known->second.length, power * known->second.mass,
                   power * known->second.time};
}

class Rescaler {
 public:
  explicit Rescaler(const UnitFactors& factors)
      : length_(factors.length), time_(factors.time), factors_(factors) {}

  void Rescale(Scene* scene) const {
    scene->gravity *= Of("m/s2");
    for (Body& body : scene->bodies) Rescale(&body);
    for (Obstacle& obstacle : scene->obstacles) {
      obstacle.motion = Along(obstacle.motion);
      Rescale(&obstacle.shape);
    }
    for (Nail& nail : scene->nails) {
      nail.path = Along(nail.path);
      Rescale(&nail.hold);
      nail.preroll *= time_;
    }
    for (Attachment& attachment : scene->attachments) Rescale(&attachment.hold);
    for (Slider& slider : scene->sliders) {
      slider.through *= length_;
      slider.corners *= length_;
      slider.radius *= length_;
      Rescale(&slider.hold);
    }
    for (Combination& combination : scene->combinations) {
      combination.path = Along(combination.path);
      Rescale(&combination.hold);
    }
    for (Limit& limit : scene->limits) {
      if (limit.kind != Limit::Kind::kLength) continue;
      limit.least *= length_;
      limit.most *= length_;
    }
    for (Spring& spring : scene->springs) {
      spring.anchor *= length_;
      spring.rest_length *= length_;
      spring.stiffness *= Of("N/m");
      spring.damping *= Of("N s/m");
    }
    for (TimedForce& force : scene->forces) {
      force.force *= Of("N");
      force.from *= time_;
      force.until *= time_;
    }
    for (Impulse& impulse : scene->impulses) {
      impulse.impulse *= Of("N s");
      impulse.time *= time_;
    }
    for (Notice& notice : scene->notices) {
      if (notice.delay) *notice.delay *= time_;
    }
    for (Morph& morph : scene->morphs) {
      morph.target *= length_;
      morph.from *= time_;
      morph.until *= time_;
    }
  }

  void Rescale(BackendChoice* choice) const {
    choice->step *= time_;
    for (const ParameterInfo& info : choice->backend->Parameters()) {
      ParameterValue value = ChosenValue(*choice, info);
      const std::optional<double> factor = FactorOf(info.unit, factors_);
      if (!factor)
        throw BadInput(
            {info.name, "the unit '" + info.unit + "' of " + info.name + " is not known", ""});
      if (auto* whole = std::get_if<std::int64_t>(&value);
          whole != nullptr && std::holds_alternative<double>(info.default_value))
        value = static_cast<double>(*whole);
      if (auto* number = std::get_if<double>(&value)) *number *= *factor;
      if (auto* numbers = std::get_if<std::vector<double>>(&value)) {
        for (double& number : *numbers) number *= *factor;
      }
      if (const auto* table = std::get_if<TableValue>(&value)) {
        if (table->empty()) continue;
        value = Rescaled(*table, info.name);
      }
      if (*factor != 1.0 || IsDataTable(value)) choice->parameters[info.name] = value;
    }
  }

 private:
  double Of(const std::string& unit) const { return *FactorOf(unit, factors_); }

  Path Along(const Path& path) const {
    std::vector<double> times = path.times();
    for (double& time : times) time *= time_;
    return Path(times, path.keys() * length_, path.interpolation());
  }

  void Rescale(HoldTime* hold) const {
    hold->from *= time_;
    hold->until *= time_;
  }

  void Rescale(Body* body) const {
    body->rest *= length_;
    body->mass *= factors_.mass;
    body->position *= length_;
    body->velocity *= Of("m/s");
    body->angular_velocity *= Of("1/s");
    if (!body->material) return;
    Material& material = *body->material;
    material.density *= Of("kg/m3");
    material.youngs_modulus *= Of("Pa");
    material.thickness *= length_;
    material.mass_damping *= Of("1/s");
    material.stiffness_damping *= time_;
  }

  void Rescale(ObstacleShape* shape) const {
    std::visit(Overloaded{[](Plane&) {}, [this](Sphere& sphere) { sphere.radius *= length_; },
                          [this](Box& box) { box.half_size *= length_; },
                          [this](Capsule& capsule) {
                            capsule.half_axis *= length_;
                            capsule.radius *= length_;
                          },
                          [this](Solid& solid) {
                            for (ConvexPiece& piece : solid.pieces) {
                              piece.vertices *= length_;
                              piece.offsets *= length_;
                            }
                          }},
               *shape);
  }

  TableValue Rescaled(const TableValue& table, const std::string& name) const {
    if (const auto* control = table.As<ControlTable>()) return Rescaled(*control);
    if (const auto* motion = table.As<KeyFrameTable>()) return Rescaled(*motion);
    if (const auto* modes = table.As<MatrixTable>(); modes != nullptr && name == "modes")
      return Rescaled(*modes);
    throw BadInput({name, "the numbers of " + name + " have no known units", ""});
  }

  ControlTable Rescaled(ControlTable table) const {
    if (!table.sensors.empty())
      throw BadInput({"control", "the numbers of sensors have no known units", ""});
    table.times.shortest *= time_;
    table.times.longest *= time_;
    for (ControlTable::Servo& servo : table.servos) {
      servo.stiffness *= Of("J");
      servo.damping *= Of("J s");
    }
    for (ControlTable::Entry& pose : table.poses) {
      if (pose.duration) *pose.duration *= time_;
      for (ControlTable::Transition& next : pose.next) {
        if (next.after) *next.after *= time_;
      }
    }
    for (ControlTable& one : table.several) one = Rescaled(one);
    return table;
  }

  KeyFrameTable Rescaled(KeyFrameTable table) const {
    for (KeyFrameTable::Key& key : table.keys) {
      key.time *= time_;
      key.displacement *= length_;
    }
    for (KeyFrameTable& one : table.several) one = Rescaled(one);
    return table;
  }

  // Displacements are relative to the box they are drawn for.
  MatrixTable Rescaled(MatrixTable table) const {
    for (NamedMatrix& entry : table.entries) {
      for (auto& [key, number] : entry.scalars) {
        if (key == "stiffness") number *= Of("J");
        if (key == "damping") number *= Of("J s");
        if (key == "initial_rate") number *= Of("1/s");
        if (key == "frequency") number *= Of("1/s");
      }
    }
    return table;
  }

  const double length_, time_;
  const UnitFactors factors_;
};

void RequireNoBehaviours(const Scene& scene) {
  if (!scene.behaviours.empty())
    throw BadInput(
        {"scene", "behaviours are texts with places and times of the scene as it is", ""});
}

// The experiment with this backend alone, whose scene may be changed.
Experiment Alone(const Experiment& experiment, size_t index, Scene scene) {
  Experiment other = OfOneBackend(experiment, index);
  other.scene = std::make_shared<const Scene>(std::move(scene));
  other.probes.clear();  // of points of the scene as it is
  return other;
}

Path Later(const Path& path, double shift) {
  std::vector<double> times = path.times();
  for (double& time : times) time += shift;
  return Path(times, path.keys(), path.interpolation());
}

void MakeLater(HoldTime* hold, double shift) {
  if (hold->from > 0.0) hold->from += shift;
  hold->until += shift;
}

}  // namespace

std::optional<double> FactorOf(const std::string& unit, const UnitFactors& factors) {
  Dimension sum;
  double sign = 1.0;
  std::string word;
  bool known = true;
  const auto take = [&] {
    if (word.empty()) return;
    const auto read = ReadFactor(word);
    known = known && read.has_value();
    const Dimension dimension = read.value_or(Dimension{});
    sum.length += sign * dimension.length;
    sum.mass += sign * dimension.mass;
    sum.time += sign * dimension.time;
    word.clear();
  };
  bool grouped = false;  // inside parentheses all factors are below the line
  for (const char c : unit) {
    if (c == ' ') {
      take();
      if (sign < 0.0 && !grouped) return std::nullopt;  // "N/m s" is ambiguous
    } else if (c == '/') {
      take();
      sign = -1.0;
    } else if (c == '(' || c == ')') {
      grouped = c == '(';
      if (!grouped) take();
    } else {
      word += c;
    }
  }
  take();
  if (!known) return std::nullopt;
  return std::pow(factors.length, sum.length) * std::pow(factors.mass, sum.mass) *
         std::pow(factors.time, sum.time);
}

std::vector<std::string> TablesOf(const BackendChoice& choice, const std::set<std::string>& but) {
  std::vector<std::string> names;
  for (const auto& [name, value] : choice.parameters) {
    const auto* table = std::get_if<TableValue>(&value);
    if (table != nullptr && !table->empty() && !but.contains(name)) names.push_back(name);
  }
  return names;
}

Experiment InUnits(const Experiment& experiment, size_t index, const UnitFactors& factors) {
  RequireNoBehaviours(*experiment.scene);
  const Rescaler rescaler(factors);
  Scene scene = *experiment.scene;
  rescaler.Rescale(&scene);
  Experiment other = Alone(experiment, index, std::move(scene));
  rescaler.Rescale(&other.backends.front());
  other.plan.duration *= factors.time;
  other.plan.step *= factors.time;
  other.plan.record_every *= factors.time;
  return other;
}

Experiment ShiftedInTime(const Experiment& experiment, size_t index, double shift) {
  RequireNoBehaviours(*experiment.scene);
  const BackendChoice& choice = experiment.backends[index];
  std::vector<std::string> motions = TablesOf(choice, {"modes", "proxy_modes", "maps"});
  if (FollowsPlan(choice)) motions.push_back("the plan");
  if (!motions.empty())
    throw BadInput({motions.front(), "the motion of " + motions.front() + " begins at 0 s", ""});
  if (finite_elements::LoadRises(*experiment.scene, choice.parameters))
    throw BadInput({"load_time", "the load rises from 0 s on", ""});
  Scene scene = *experiment.scene;
  for (Obstacle& obstacle : scene.obstacles) obstacle.motion = Later(obstacle.motion, shift);
  for (Nail& nail : scene.nails) {
    nail.path = Later(nail.path, shift);
    MakeLater(&nail.hold, shift);
  }
  for (Attachment& attachment : scene.attachments) MakeLater(&attachment.hold, shift);
  for (Slider& slider : scene.sliders) MakeLater(&slider.hold, shift);
  for (Combination& combination : scene.combinations) {
    combination.path = Later(combination.path, shift);
    MakeLater(&combination.hold, shift);
  }
  for (TimedForce& force : scene.forces) {
    force.from += shift;
    force.until += shift;
  }
  for (Impulse& impulse : scene.impulses) impulse.time += shift;
  for (Morph& morph : scene.morphs) {
    morph.from += shift;
    morph.until += shift;
  }
  Experiment other = Alone(experiment, index, std::move(scene));
  other.plan.duration += shift;
  return other;
}

}  // namespace pliant
