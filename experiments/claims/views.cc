#include "experiments/claims/views.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "models/geometry/extent.h"
#include "models/problem.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// A symmetry S of a body and the point π(i) that it maps each point i to.
struct Symmetry {
  Matrix3d map = Matrix3d::Identity();
  std::vector<int> image;
  bool of_body = true;  // else the rest points are reflected too, each under its own number
};

Symmetry IdentityOf(const Body& body) {
  Symmetry identity;
  identity.image.resize(static_cast<size_t>(body.size()));
  std::iota(identity.image.begin(), identity.image.end(), 0);
  return identity;
}

template <size_t kCorners>
std::array<int, kCorners> ImageOf(std::array<int, kCorners> element,
                                  const std::vector<int>& image) {
  for (int& point : element) point = image[static_cast<size_t>(point)];
  return element;
}

// Are the images of the elements, as sets of points, the elements?
template <size_t kCorners>
bool MapsOntoItself(const std::vector<std::array<int, kCorners>>& elements,
                    const std::vector<int>& image) {
  std::vector<std::array<int, kCorners>> sets = elements, images;
  for (auto& set : sets) {
    images.push_back(ImageOf(set, image));
    std::sort(set.begin(), set.end());
    std::sort(images.back().begin(), images.back().end());
  }
  std::sort(sets.begin(), sets.end());
  std::sort(images.begin(), images.end());
  return sets == images;
}

// Absent when `map` does not map the points of the body, with their masses, onto themselves.
std::optional<Symmetry> SymmetryOf(const Body& body, const Matrix3d& map) {
  Symmetry symmetry{map, {}};
  const double extent = DiagonalOf(body.rest);
  for (int i = 0; i < body.size(); ++i) {
    Eigen::Index nearest = 0;
    const Vector3d wanted = map * body.rest.col(i);
    const double distance =
        std::sqrt((body.rest.colwise() - wanted).colwise().squaredNorm().minCoeff(&nearest));
    const double mass = body.mass[i], other = body.mass[nearest];
    if (distance > 1e-12 * extent || std::abs(mass - other) > 1e-12 * mass) return std::nullopt;
    symmetry.image.push_back(static_cast<int>(nearest));
  }
  // A reflection turns faces around: a flat body that keeps its numbering would show its other side.
  std::vector<int> sorted = symmetry.image;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return std::nullopt;
  const bool same = symmetry.image == IdentityOf(body).image;
  if (same && map.determinant() < 0.0 && !body.faces.empty()) return std::nullopt;
  // The faces of a subdivided mesh are those of its cage, which keeps its numbering.
  if (body.cage && !MapsOntoItself(body.faces, symmetry.image)) return std::nullopt;
  return symmetry;
}

// Along x, the same for every body: one table of modes may hold for all of them. A body that this reflection does not
// map onto itself becomes its mirror image.
Symmetry MirrorOf(const Body& body) {
  Symmetry reflection = IdentityOf(body);
  reflection.map(0, 0) = -1.0;
  if (auto symmetry = SymmetryOf(body, reflection.map)) return *symmetry;
  reflection.of_body = false;
  if (!body.cage) return reflection;
  throw BadInput(
      {"scene.body." + body.name, "body '" + body.name + "' is not its own mirror image", ""});
}

// Carries the elements of a scene.
class Carrier {
 public:
  Carrier(Matrix3d linear, Vector3d translation, std::vector<Symmetry> symmetries)
      : linear_(std::move(linear)),
        translation_(std::move(translation)),
        symmetries_(std::move(symmetries)) {}

  void CarryBody(Body* body, const Symmetry& symmetry) const {
    const Matrix3d turned = linear_ * body->orientation.toRotationMatrix() * symmetry.map;
    body->position = Point(body->position);
    if (symmetry.of_body) {
      Renumber(body, symmetry);
    } else {
      Reflect(body, symmetry.map);
    }
    body->orientation = Eigen::Quaterniond(turned);
    body->stretch = symmetry.map * body->stretch * symmetry.map;
    body->velocity = linear_ * body->velocity;
    body->angular_velocity = linear_.determinant() * (linear_ * body->angular_velocity);
    for (auto& [name, point] : body->marks) point = symmetry.image[static_cast<size_t>(point)];
  }

  void CarryObstacle(Obstacle* obstacle) const {
    obstacle->motion = Along(obstacle->motion, 1.0);
    const bool mirrors = linear_.determinant() < 0.0;
    std::visit(Overloaded{
                   [&](Plane& plane) { plane.normal = linear_ * plane.normal; },
                   [](Sphere&) {},
                   [&](Box& box) {
                     box.axes = linear_ * box.axes;
                     if (mirrors) box.axes.col(2) *= -1.0;  // a box is its own mirror image
                   },
                   [&](Capsule& capsule) { capsule.half_axis = linear_ * capsule.half_axis; },
                   [&](Solid& solid) {
                     for (ConvexPiece& piece : solid.pieces) {
                       piece.vertices = linear_ * piece.vertices;
                       piece.normals = linear_ * piece.normals;
                       for (auto& face : piece.faces) {
                         if (mirrors) std::swap(face[1], face[2]);
                       }
                     }
                   },
               },
               obstacle->shape);
  }

  void CarryElements(Scene* scene) const {
    for (Nail& nail : scene->nails) {
      Map(&nail.point);
      nail.path = Along(nail.path, 1.0);
    }
    for (Attachment& attachment : scene->attachments) {
      Map(&attachment.a);
      Map(&attachment.b);
    }
    for (Slider& slider : scene->sliders) {
      Map(&slider.point);
      slider.direction = linear_ * slider.direction;
      slider.through = Point(slider.through);
      if (slider.corners.cols() > 0)
        slider.corners = (linear_ * slider.corners).colwise() + translation_;
    }
    for (Combination& combination : scene->combinations) {
      double weights = 0.0;
      for (Combination::Term& term : combination.terms) {
        Map(&term.point);
        weights += term.weight;
      }
      combination.path = Along(combination.path, weights);
    }
    for (Limit& limit : scene->limits) {
      for (int k = 0; k < limit.size(); ++k) Map(&limit.points[static_cast<size_t>(k)]);
      if (limit.kind != Limit::Kind::kTwist || linear_.determinant() > 0.0) continue;
      const double least = limit.least;
      limit.least = -limit.most;
      limit.most = -least;
    }
    for (Spring& spring : scene->springs) {
      Map(&spring.a);
      if (spring.b) Map(&*spring.b);
      spring.anchor = Point(spring.anchor);
    }
    for (TimedForce& force : scene->forces) {
      Map(&force.point);
      force.force = linear_ * force.force;
    }
    for (Impulse& impulse : scene->impulses) {
      Map(&impulse.point);
      impulse.impulse = linear_ * impulse.impulse;
    }
    for (Notice& notice : scene->notices)
      notice.gaze = symmetries_[static_cast<size_t>(notice.body)].map * notice.gaze;
    for (Morph& morph : scene->morphs) {
      const Symmetry& symmetry = symmetries_[static_cast<size_t>(morph.body)];
      const Eigen::Matrix3Xd target = morph.target;
      for (Eigen::Index i = 0; i < target.cols(); ++i) {
        morph.target.col(symmetry.image[static_cast<size_t>(i)]) = symmetry.map * target.col(i);
      }
    }
  }

 private:
  // Elements keep their numbers where they are mapped onto one another. The squares of a sheet are cut along one
  // diagonal, and a mirror shows the other one: then they are joined as they are in the mirror.
  static void Renumber(Body* body, const Symmetry& symmetry) {
    const auto renumber = [&](auto* elements, bool turned, const auto& turn) {
      if (MapsOntoItself(*elements, symmetry.image)) return;
      for (auto& element : *elements) {
        element = ImageOf(element, symmetry.image);
        if (turned) turn(&element);
      }
    };
    const bool mirrors = symmetry.map.determinant() < 0.0;
    const bool flat = body->rest.row(2).isZero(0.0);  // faces seen from +z of its frame
    const bool faces_turn = mirrors != (flat && symmetry.map(2, 2) < 0.0);
    renumber(&body->edges, false, [](std::array<int, 2>*) {});
    renumber(&body->faces, faces_turn, TurnFace);
    renumber(&body->tetrahedra, mirrors, TurnTetrahedron);
    renumber(&body->hexahedra, mirrors, TurnHexahedron);
  }

  static void Reflect(Body* body, const Matrix3d& map) {
    body->rest = map * body->rest;
    for (auto& face : body->faces) TurnFace(&face);
    for (auto& corners : body->tetrahedra) TurnTetrahedron(&corners);
    for (auto& corners : body->hexahedra) TurnHexahedron(&corners);
  }

  // Corners are in the order of a body that is not mirrored.
  static void TurnFace(std::array<int, 3>* face) { std::swap((*face)[1], (*face)[2]); }
  static void TurnTetrahedron(std::array<int, 4>* corners) {
    std::swap((*corners)[1], (*corners)[2]);
  }
  static void TurnHexahedron(std::array<int, 8>* corners) {
    for (size_t a = 0; a < corners->size(); a += 2) std::swap((*corners)[a], (*corners)[a + 1]);
  }

  Vector3d Point(const Vector3d& x) const { return linear_ * x + translation_; }

  // Of Σ w x, the weights of which sum to `weights`.
  Path Along(const Path& path, double weights) const {
    const Eigen::Matrix3Xd keys = (linear_ * path.keys()).colwise() + weights * translation_;
    return Path(path.times(), keys, path.interpolation());
  }

  void Map(PointRef* ref) const {
    ref->point = symmetries_[static_cast<size_t>(ref->body)].image[static_cast<size_t>(ref->point)];
  }

  const Matrix3d linear_;
  const Vector3d translation_;
  const std::vector<Symmetry> symmetries_;
};

View CarriedWith(const std::string& name, const Scene& scene, const Matrix3d& linear,
                 const Vector3d& translation, const std::vector<Symmetry>& symmetries) {
  if (!scene.behaviours.empty()) {
    throw BadInput(
        {"scene.behaviour", "behaviours name points and places of the scene as it is", ""});
  }
  View view{name, scene, linear, translation, {}, {}};
  for (const Symmetry& symmetry : symmetries) view.frames.push_back(symmetry.map);
  const Carrier carrier(linear, translation, symmetries);
  view.scene.gravity = linear * scene.gravity;
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    carrier.CarryBody(&view.scene.bodies[b], symmetries[b]);
    const int offset = scene.Offset(static_cast<int>(b));
    for (const int image : symmetries[b].image) view.columns.push_back(offset + image);
  }
  for (Obstacle& obstacle : view.scene.obstacles) carrier.CarryObstacle(&obstacle);
  carrier.CarryElements(&view.scene);
  return view;
}

// Half turns about one axis of the frames of all bodies that have such a symmetry.
View Renumbered(const std::string& name, const Scene& scene, int axis) {
  Matrix3d map = -Matrix3d::Identity();
  map(axis, axis) = 1.0;
  std::vector<Symmetry> symmetries;
  bool any = false;
  for (const Body& body : scene.bodies) {
    const auto symmetry = SymmetryOf(body, map);
    const bool renumbers = symmetry && symmetry->image != IdentityOf(body).image;
    symmetries.push_back(renumbers ? *symmetry : IdentityOf(body));
    any = any || renumbers;
  }
  if (!any) throw BadInput({"scene", "no body has this symmetry", ""});
  return CarriedWith(name, scene, Matrix3d::Identity(), Vector3d::Zero(), symmetries);
}

View BodiesReversed(const std::string& name, const Scene& scene) {
  const int last = static_cast<int>(scene.bodies.size()) - 1;
  if (last < 1) throw BadInput({"scene", "it has one body", ""});
  if (!scene.behaviours.empty())
    throw BadInput({"scene", "behaviours name points of bodies as they are", ""});
  View view{name, scene, Matrix3d::Identity(), Vector3d::Zero(), {}, {}};
  view.frames.assign(scene.bodies.size(), Matrix3d::Identity());
  Scene& other = view.scene;
  std::reverse(other.bodies.begin(), other.bodies.end());
  other.NumberPoints();
  const auto map = [last](int* body) { *body = last - *body; };
  for (Nail& nail : other.nails) map(&nail.point.body);
  for (Attachment& attachment : other.attachments) {
    map(&attachment.a.body);
    map(&attachment.b.body);
  }
  for (Slider& slider : other.sliders) map(&slider.point.body);
  for (Combination& combination : other.combinations) {
    for (Combination::Term& term : combination.terms) map(&term.point.body);
  }
  for (Limit& limit : other.limits) {
    for (int k = 0; k < limit.size(); ++k) map(&limit.points[static_cast<size_t>(k)].body);
  }
  for (Spring& spring : other.springs) {
    map(&spring.a.body);
    if (spring.b) map(&spring.b->body);
  }
  for (TimedForce& force : other.forces) map(&force.point.body);
  for (Impulse& impulse : other.impulses) map(&impulse.point.body);
  for (Notice& notice : other.notices) map(&notice.body);
  for (Morph& morph : other.morphs) map(&morph.body);
  for (BodyContact& contact : other.contacts) {
    map(&contact.a);
    map(&contact.b);
  }
  for (int b = 0; b <= last; ++b) {
    for (int i = 0; i < scene.bodies[static_cast<size_t>(b)].size(); ++i) {
      view.columns.push_back(other.Index({last - b, i}));
    }
  }
  return view;
}

View ElementsReversed(const std::string& name, const Scene& scene) {
  const auto several = [](const auto& elements) { return elements.size() > 1; };
  if (!several(scene.obstacles) && !several(scene.nails) && !several(scene.attachments) &&
      !several(scene.springs) && !several(scene.forces) && !several(scene.impulses) &&
      !several(scene.limits)) {
    throw BadInput({"scene", "no kind of element occurs twice", ""});
  }
  View view{name, scene, Matrix3d::Identity(), Vector3d::Zero(), {}, {}};
  view.frames.assign(scene.bodies.size(), Matrix3d::Identity());
  Scene& other = view.scene;
  const auto reverse = [](auto* elements) { std::reverse(elements->begin(), elements->end()); };
  reverse(&other.obstacles);
  for (Slider& slider : other.sliders) {
    if (slider.kind == Slider::Kind::kSurface)
      slider.obstacle = static_cast<int>(other.obstacles.size()) - 1 - slider.obstacle;
  }
  reverse(&other.nails);
  reverse(&other.attachments);
  reverse(&other.springs);
  reverse(&other.forces);
  reverse(&other.impulses);
  reverse(&other.limits);
  view.columns.resize(static_cast<size_t>(scene.PointCount()));
  std::iota(view.columns.begin(), view.columns.end(), 0);
  return view;
}

}  // namespace

Eigen::Matrix3Xd View::Back(const Eigen::Matrix3Xd& points) const {
  Eigen::Matrix3Xd back(3, points.cols());
  for (size_t i = 0; i < columns.size(); ++i) {
    back.col(static_cast<Eigen::Index>(i)) =
        linear.transpose() * (points.col(columns[i]) - translation);
  }
  return back;
}

View Carried(const std::string& name, const Scene& scene, const Matrix3d& linear,
             const Vector3d& translation) {
  std::vector<Symmetry> symmetries;
  for (const Body& body : scene.bodies) {
    symmetries.push_back(linear.determinant() < 0.0 ? MirrorOf(body) : IdentityOf(body));
  }
  return CarriedWith(name, scene, linear, translation, symmetries);
}

Views ViewsOf(const Scene& scene) {
  Views all;
  const auto add = [&all](const std::string& name, const auto& make) {
    try {
      all.views.push_back(make(name));
    } catch (const BadInput& bad) {
      all.missing.push_back({name, bad.problem().what});
    }
  };
  const bool planar = scene.dimension == 2;
  const Matrix3d identity = Matrix3d::Identity();
  add("translated", [&](const std::string& name) {
    return Carried(name, scene, identity, Vector3d(1.5, -2.25, planar ? 0.0 : 0.75));
  });
  add("rotated", [&](const std::string& name) {
    const Vector3d axis =
        planar ? Vector3d(Vector3d::UnitZ()) : Vector3d(1.0, 2.0, -0.5).normalized();
    return Carried(name, scene, Eigen::AngleAxisd(1.1, axis).toRotationMatrix(), Vector3d::Zero());
  });
  for (int axis = 0; axis < scene.dimension; ++axis) {
    add(std::string("mirrored in ") + "xyz"[axis], [&](const std::string& name) {
      Matrix3d mirror = identity;
      mirror(axis, axis) = -1.0;
      return Carried(name, scene, mirror, Vector3d::Zero());
    });
  }
  for (int axis = planar ? 2 : 0; axis < 3; ++axis) {
    add(std::string("points renumbered by a half turn about ") + "xyz"[axis],
        [&](const std::string& name) { return Renumbered(name, scene, axis); });
  }
  add("bodies in reverse order",
      [&](const std::string& name) { return BodiesReversed(name, scene); });
  add("elements in reverse order",
      [&](const std::string& name) { return ElementsReversed(name, scene); });
  return all;
}

}  // namespace pliant
