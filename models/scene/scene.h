// A scene: what is in the world, without any formulation. Plain data; SI units; world y is up.
//
// A planar scene (dimension 2) lives in z = 0. Points of all bodies, one body after the other, are
// the columns of 3×n matrices; `Scene::Index` says which column is which point.

#ifndef PLIANT_MODELS_SCENE_SCENE_H_
#define PLIANT_MODELS_SCENE_SCENE_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/geometry/path.h"
#include "models/geometry/subdivision.h"
#include "models/scene/behaviour.h"
#include "models/scene/body_contact.h"
#include "models/scene/material.h"
#include "models/scene/obstacle.h"

namespace pliant {

enum class ShapeKind {
  kProfile,  // planar outline read from a file: table, pot, rod
  kChain,    // points on a line, each joined to the next
  kSheet,    // (2^k+1)×(2^k+1) grid, or any nx×ny grid where a formulation allows it
  kBlock,    // nx×ny×nz grid
  kRing,     // closed planar curve
  kTube,     // grid that closes around its axis: n around × m along
  kTorus,    // grid that closes both ways: n around the axis × m around the tube
  kMesh,     // polygon mesh read from a file, refined by subdivision
};

// What a mesh was refined from.
struct Cage {
  PolygonMesh mesh;
  SubdivisionScheme scheme = SubdivisionScheme::kCatmullClark;
  int subdivisions = 0;
};

// A body: material points with masses, and what joins them for drawing, strain and volume.
struct Body {
  std::string name;
  ShapeKind shape = ShapeKind::kProfile;
  Eigen::Matrix3Xd rest;                  // 3×n, body frame [m]
  Eigen::VectorXd mass;                   // n [kg], each > 0
  std::array<int, 3> grid = {0, 0, 0};    // points along each axis; 0 where there is no grid.
                                          // Point (i,j,k) has index i + nx (j + ny k).
  std::vector<std::array<int, 2>> edges;  // pairs of points
  std::vector<std::array<int, 3>> faces;  // triangles, counter-clockwise seen from outside (or from
                                          // +z of the body frame for profile and sheet)
  std::vector<std::array<int, 4>>
      tetrahedra;  // of a volumetric mesh; seen from the fourth corner the
                   // first three are counter-clockwise
  std::vector<std::array<int, 8>> hexahedra;       // corner a is at (a & 1, a >> 1 & 1, a >> 2 & 1)
  std::vector<std::pair<std::string, int>> marks;  // names of points
  bool closed = false;                             // do the faces enclose a volume?
  bool rigid = false;        // does it keep its shape? Then only the density of a material acts.
  std::optional<Cage> cage;  // of a mesh
  std::optional<Material> material;  // else only masses are known

  // Where it starts: x = position + orientation · stretch · rest.
  Eigen::Vector3d position = Eigen::Vector3d::Zero();               // m
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  // body → world
  Eigen::Matrix3d stretch = Eigen::Matrix3d::Identity();            // initial deformation
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();               // m/s, of the centre of mass
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();       // rad/s, world frame

  int size() const { return static_cast<int>(rest.cols()); }
  Eigen::Matrix3Xd InitialPoints() const;      // 3×size, world [m]
  Eigen::Matrix3Xd InitialVelocities() const;  // 3×size, world [m/s]
};

// Several elements may share a name: "points = corners" makes four nails of one name.

// When a nail, slider, attachment or combination holds: while from ≤ t < until [s].
struct HoldTime {
  double from = 0.0;
  double until = std::numeric_limits<double>::infinity();

  bool always() const { return from <= 0.0 && until == std::numeric_limits<double>::infinity(); }
};

// Holds a point on a path (or in place). During the `preroll` before `hold.from` the nail moves the
// point smoothly to the path, along the cubic that joins the positions and velocities of both.
struct Nail {
  std::string name;
  PointRef point;
  Path path = Path::Still(Eigen::Vector3d::Zero());  // m, world
  HoldTime hold = {};
  double preroll = 0.0;  // s, 0 ≤ preroll ≤ hold.from
};

// Keeps two points of different bodies together.
struct Attachment {
  std::string name;
  PointRef a, b;
  HoldTime hold = {};
};

// Keeps a point where it may slide freely: on a line or a plane through `through`, on a curve of
// straight pieces, on the surface of an obstacle, or within a ball about `through`.
struct Slider {
  enum class Kind { kLine, kPlane, kCurve, kSurface, kBall };
  std::string name;
  PointRef point;
  Kind kind = Kind::kLine;
  Eigen::Vector3d direction =
      Eigen::Vector3d::UnitX();                       // unit: along the line, normal of the plane
  Eigen::Vector3d through = Eigen::Vector3d::Zero();  // m
  HoldTime hold = {};
  Eigen::Matrix3Xd corners = {};  // 3×k, k ≥ 2, of the curve in order [m]; two are a segment
  bool closed = false;            // does the last corner lead back to the first?
  int obstacle = 0;               // whose surface it is
  double radius = 0.0;            // of the ball [m]
};

// Keeps a length or an angle between points, of one body or of several, within a range.
struct Limit {
  enum class Kind {
    kLength,  // [m] of the line between 2 points
    kAngle,   // [rad] at the second of 3 points, between the lines to the first and the third: 0
              // when they fold onto each other, π when they are in line
    kTwist,   // [rad] about the line from the second to the third of 4 points, of the fourth
              // against the first, relative to its initial value
  };
  std::string name;
  Kind kind = Kind::kLength;
  std::array<PointRef, 4> points = {};
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();

  int size() const { return kind == Kind::kLength ? 2 : kind == Kind::kAngle ? 3 : 4; }
};

// Holds a linear combination of points, Σ weight · x, on a path (or in place).
struct Combination {
  struct Term {
    PointRef point;
    double weight = 1.0;
  };
  std::string name;
  std::vector<Term> terms;
  Path path = Path::Still(Eigen::Vector3d::Zero());  // m, world
  HoldTime hold = {};
};

// f = −(stiffness (ℓ − rest_length) + damping ℓ̇) along the line; with rest_length 0 it is
// f = −stiffness (x − y) − damping (ẋ − ẏ), also where x = y.
struct Spring {
  std::string name;
  PointRef a;
  std::optional<PointRef> b;                         // a point; otherwise `anchor`
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();  // m, world; used when b is absent
  double stiffness = 0.0;                            // N/m, ≥ 0
  double damping = 0.0;                              // N s/m, ≥ 0
  double rest_length = 0.0;                          // m, ≥ 0
};

// A constant force while from ≤ t < until.
struct TimedForce {
  std::string name;
  PointRef point;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  // N, world
  double from = 0.0;                                // s
  double until = std::numeric_limits<double>::infinity();
};

// A sudden change of momentum at `time`, at which steps are divided (switch_times.h).
struct Impulse {
  std::string name;
  PointRef point;
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  // N s, world
  double time = 0.0;                                  // s
};

// A body that does not notice immediately that nothing supports it [Faloutsos 1995, App. B, laws 1
// and 5]. It has support while one of its points touches an obstacle. Without support and unaware,
// gravity does not act on it. It becomes aware, and stays aware, when it has been without support
// for `delay`, or when, without support, its gaze points at least `looks_down` below the
// horizontal; whichever comes first.
struct Notice {
  std::string name;
  int body = 0;
  std::optional<double> delay;                      // s, ≥ 0
  std::optional<double> looks_down;                 // rad, in [−π/2, π/2]
  Eigen::Vector3d gaze = Eigen::Vector3d::UnitX();  // unit, body frame
};

// A body whose rest shape changes into another: each point moves on a straight line of the body's
// frame, with the fraction 10 s³ − 15 s⁴ + 6 s⁵, s = (t − from)/(until − from), which starts and
// ends without velocity and acceleration.
struct Morph {
  std::string name;
  int body = 0;
  Eigen::Matrix3Xd target;         // 3×n, body frame [m]
  double from = 0.0, until = 1.0;  // s

  struct Fraction {
    double value, rate, acceleration;  // 1, 1/s, 1/s²
  };
  Fraction At(double time) const;
};

struct Scene {
  std::string name;
  std::string description;
  int dimension = 3;                         // 2 or 3
  Eigen::Vector3d gravity{0.0, -9.81, 0.0};  // m/s²
  std::vector<Body> bodies;
  std::vector<Obstacle> obstacles;
  std::vector<Nail> nails;
  std::vector<Attachment> attachments;
  std::vector<Slider> sliders;
  std::vector<Combination> combinations;
  std::vector<Limit> limits;
  std::vector<Spring> springs;
  std::vector<TimedForce> forces;
  std::vector<Impulse> impulses;
  std::vector<Notice> notices;  // at most one for each body
  std::vector<Morph> morphs;    // at most one for each body
  std::vector<Behaviour> behaviours;
  std::vector<BodyContact> contacts;  // at most one for each pair of bodies
  std::vector<int> first_points;      // of each body, and their number, by NumberPoints()

  // Numbers the points, once the bodies are complete: Offset(), Index() and PointCount() then cost
  // O(1). Without it, and after bodies came or went, they count the points of all bodies before.
  // Whoever gives a body another number of points afterwards numbers them again.
  void NumberPoints();
  int PointCount() const { return Offset(static_cast<int>(bodies.size())); }
  int Offset(int body) const;  // column of the body's first point
  int Index(const PointRef& ref) const { return Offset(ref.body) + ref.point; }

  Eigen::VectorXd Masses() const;              // n [kg]
  Eigen::Matrix3Xd InitialPoints() const;      // 3×n, world [m]
  Eigen::Matrix3Xd InitialVelocities() const;  // 3×n, world [m/s]
};

// The elements of a scene that a translation record must mention, by their canonical names, in the
// order of the scene: "gravity", "body.table", "body.table.velocity", "body.table.stretch",
// "body.table.material", "body.table.rigid", "obstacle.floor", "obstacle.floor.friction",
// "obstacle.floor.restitution", "obstacle.floor.motion", "nail.left", "nail.left.motion",
// "nail.left.switch", "attachment.knee", "attachment.knee.switch", "slider.rail", "slider.rail.switch", "combination.middle",
// "combination.middle.motion", "combination.middle.switch", "limit.knee", "spring.foundation",
// "force.push", "impulse.kick", "notice.cliff", "morph.growth", "behaviour.reflex", "contact" (all pairs
// of bodies that meet without a statement about them), "contact.table.pot",
// "contact.table.pot.friction", "contact.table.pot.restitution". Absent
// properties (no gravity, no friction, a fixed nail, a nail that always holds) are not listed;
// equal names appear once.
std::vector<std::string> Elements(const Scene& scene);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_SCENE_H_
