#include "experiments/files/scene_keys.h"

namespace pliant {

void SceneSoFar::ThrowIfSpoiled(const std::string& kind, const std::string& name,
                                std::vector<std::string>* names) const {
  const auto of_kind = spoiled.find(kind);
  if (of_kind == spoiled.end()) return;
  if (of_kind->second.contains(name) || of_kind->second.contains("")) throw Consequence();
  names->insert(names->end(), of_kind->second.begin(), of_kind->second.end());
}

void Bind(KeyBinder& b, Eigen::AngleAxisd& rotation) {
  b.Title("{axis, angle}");
  Direction axis{Eigen::Vector3d::UnitZ()};
  if (b.writes()) axis.unit = rotation.axis();
  b.Required("axis", &axis, "1", "direction of the axis, of any length");
  b.Required("angle", &rotation.angle(), "rad", "right-handed angle about the axis");
  rotation.axis() = axis.unit;
}

Eigen::AngleAxisd ToRotation(const RotationValue& rotation) {
  const auto* angle = std::get_if<double>(&rotation);
  return angle == nullptr ? std::get<Eigen::AngleAxisd>(rotation)
                          : Eigen::AngleAxisd(*angle, Eigen::Vector3d::UnitZ());
}

namespace {

template <auto elements>
ElementKind Kind(const char* name, const char* meaning) {
  using Elements = std::decay_t<decltype(Scene().*elements)>;
  return {name, meaning, DescribeKeys<Elements>, [](FileValue* table, SceneSoFar* so_far) {
            Elements& read = so_far->scene.*elements;
            const size_t before = read.size();
            Mistakes mistakes;
            ReadTable(
                table, {"", so_far->scene.dimension, so_far},
                [&read](KeyBinder& b) { Bind(b, read); }, &mistakes);
            if (mistakes.any()) read.erase(read.begin() + before, read.end());
            mistakes.ThrowIfAny();
            return read.size();
          }};
}

}  // namespace

std::span<const ElementKind> ElementKinds() {
  static const ElementKind kinds[] = {
      Kind<&Scene::bodies>("body", "the bodies: [[body]], at least one"),
      Kind<&Scene::obstacles>("obstacle", "the obstacles: [[obstacle]]"),
      Kind<&Scene::nails>("nail", "points held in place or moved along a path: [[nail]]"),
      Kind<&Scene::attachments>("attachment", "points of two bodies kept together: [[attachment]]"),
      Kind<&Scene::sliders>("slider",
                            "points that may slide along a line, curve or surface: [[slider]]"),
      Kind<&Scene::combinations>(
          "combination",
          "weighted sums of points held in place or moved along a path: [[combination]]"),
      Kind<&Scene::limits>("limit", "lengths and angles kept in a range: [[limit]]"),
      Kind<&Scene::springs>("spring", "springs and dampers: [[spring]]"),
      Kind<&Scene::forces>("force", "constant forces for a time: [[force]]"),
      Kind<&Scene::impulses>("impulse", "sudden changes of momentum: [[impulse]]"),
      Kind<&Scene::notices>("notice",
                            "bodies on which gravity acts only after they notice that nothing "
                            "supports them: [[notice]]"),
      Kind<&Scene::morphs>("morph", "bodies whose rest shape changes into another: [[morph]]"),
      Kind<&Scene::behaviours>("behaviour",
                               "goals that points pursue, one after the other: [[behaviour]]"),
  };
  return kinds;
}

void Bind(KeyBinder& b, BodyContact& contact) {
  b.Title("[contact.A.B]");
  b.Default("ignore", &contact.ignored, "1", "do they pass through each other?");
  b.Default("friction", &contact.friction, "1", "Coulomb coefficient; 0: without friction");
  b.Default("restitution", &contact.restitution, "1",
            "ratio of the speeds after and before a bounce, 0 to 1; used by contact that acts by "
            "impulses");
}

void Bind(KeyBinder& b, SceneTables& tables) {
  b.Title("the scene");
  Scene& scene = tables.scene;
  b.Required("name", &scene.name, "1", "title of the scene in reports");
  b.Default("description", &scene.description, "1",
            "what it shows; default: the comment at the top of its file");
  b.Default("dimension", &scene.dimension, "1", "3, or 2 for a planar scene in z = 0");
  b.Default("gravity", &scene.gravity, "m/s²", "acceleration of free fall; y is up");
  tables.of_kind.assign(ElementKinds().size(), {});
  for (size_t i = 0; i < ElementKinds().size(); ++i) {
    const ElementKind& kind = ElementKinds()[i];
    if (i == 0) {
      b.Required(kind.name, &tables.of_kind[i], "", kind.meaning);
    } else {
      b.Optional(kind.name, &tables.of_kind[i], "", kind.meaning);
    }
  }
  b.Optional("contact", &tables.contacts, "",
             "how bodies A and B meet, or A meets itself: [contact.A.B], [contact.A.A]. Without a "
             "statement two bodies meet without friction, unless an attachment joins them, and a "
             "body passes through itself");
}

}  // namespace pliant
