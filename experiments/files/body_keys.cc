// [[body]]: the initial state of a body and what it is made of, beside the keys of its shape.

#include <map>

#include "experiments/files/mesh_reader.h"
#include "experiments/files/scene_keys.h"
#include "experiments/files/shape_words.h"
#include "models/scene/shapes.h"

namespace pliant {

EnumWords<ShapeKind> WordsOf(ShapeKind) {
  EnumWords<ShapeKind> words;
  for (const BodyShape& shape : BodyShapes()) words.emplace_back(shape.word, shape.kind);
  return words;
}

namespace {

using Eigen::Vector3d;

// The masses of a body with a material: its density, or total mass, over the volume.
void Weigh(const KeyBinder& b, const MaterialTable& table, Body* body) {
  if (table.density && b.Has("mass")) {
    b.Fail("mass", "both body '" + body->name + "' and its material say what it weighs",
           "remove mass, or the density of the material");
  }
  const auto require = [&](const char* key, const std::optional<double>& value) {
    if (value || body->rigid) return;
    FailAt(b.table()->Find("material")->place,
           std::string("[body.material] lacks the key '") + key + "'",
           std::string("add ") + key + " = number; or rigid = true of the body");
  };
  require("youngs_modulus", table.youngs_modulus);
  require("poisson_ratio", table.poisson_ratio);
  body->material = table.material;
  Material& material = *body->material;
  material.youngs_modulus = table.youngs_modulus.value_or(0.0);
  material.poisson_ratio = table.poisson_ratio.value_or(0.0);
  material.density = table.density.value_or(1.0);
  try {
    CheckMaterial(*body);
    const Eigen::VectorXd volumes = VolumeShares(*body, material.thickness);
    if (!table.density) material.density = body->mass.sum() / volumes.sum();
    body->mass = material.density * volumes;
  } catch (const BadInput& bad) {
    b.Fail(bad.problem().where, bad.problem().what, bad.problem().mend);
  }
}

// The initial state of a body and the names of its points.
struct Start {
  Body body;  // without a shape
  std::optional<RotationValue> rotation;
  std::optional<Stretch> stretch;
  std::optional<std::variant<double, Vector3d>> angular_velocity;
  std::map<std::string, PointName> marks;
  std::optional<MaterialTable> material;
};

void Bind(KeyBinder& b, Start& start) {
  b.Required("name", &start.body.name, "1", "name of the body, used by other elements");
  b.Required("shape", &start.body.shape, "1", "kind of shape; determines the other keys");
  b.Default("position", &start.body.position, "m",
            "initial position of the origin of the body's frame");
  b.Optional("rotation", &start.rotation, "rad",
             "initial orientation; a single number turns about z");
  b.Optional("stretch", &start.stretch, "1",
             "factors of the initial stretch along x, y, z of the body's frame");
  b.Default("velocity", &start.body.velocity, "m/s", "initial velocity of the centre of mass");
  b.Optional("angular_velocity", &start.angular_velocity, "rad/s",
             "initial angular velocity in the world frame; a single number turns about z");
  b.Default("rigid", &start.body.rigid, "1",
            "the body keeps its shape: it moves and turns as a whole, and of its material only the "
            "density acts");
  b.Optional("marks", &start.marks, "1", "names of points, for use by other elements");
  b.Optional("material", &start.material, "1",
             "what the body is made of; each backend reports what it makes of it");
}

void Place(const KeyBinder& b, const Start& start, Body* body) {
  body->position = start.body.position;
  if (start.rotation) body->orientation = ToRotation(*start.rotation) * body->orientation;
  if (start.stretch) body->stretch = start.stretch->factors.asDiagonal();
  body->velocity = start.body.velocity;
  body->rigid = start.body.rigid;
  for (const auto& [name, point] : start.marks) {
    body->marks.emplace_back(name, OnePointNamed(*body, point, b.PlaceOf("marks." + name)));
  }
  if (start.material) Weigh(b, *start.material, body);
  if (!start.angular_velocity) return;
  if (const auto* rate = std::get_if<double>(&*start.angular_velocity)) {
    body->angular_velocity = {0.0, 0.0, *rate};
  } else {
    body->angular_velocity = std::get<Vector3d>(*start.angular_velocity);
  }
}

}  // namespace

std::vector<KeyInfo> DescribeBody() { return DescribeKeys<Start>(); }

void Bind(KeyBinder& b, std::vector<Body>& bodies) {
  if (b.table() != nullptr) RefuseOtherWords(b.table()->Find("shape"));
  const auto kind = b.Peek<ShapeKind>("shape");
  b.Title("[[body]]");
  for (const BodyShape& shape : BodyShapes()) {
    if (kind == shape.kind) b.Title(std::string("[[body]] with shape = \"") + shape.word + '"');
  }
  Start start;
  Bind(b, start);
  if (b.reading() && !kind) return;  // has no shape
  for (const BodyShape& shape : BodyShapes()) {
    if (kind && kind != shape.kind) continue;
    try {
      Body body = shape.bind(b, start.body.name);
      if (!b.reads()) continue;
      Place(b, start, &body);
      bodies.push_back(std::move(body));
    } catch (const BadInput& bad) {
      FailInMesh(*b.table(), bad.problem());
    }
  }
}

}  // namespace pliant
