#include "experiments/files/scene_keys.h"

#include <cmath>

namespace pliant {

EnumWords<ShapeKind> WordsOf(ShapeKind) {
  return {{"profile", ShapeKind::kProfile}, {"chain", ShapeKind::kChain},
          {"sheet", ShapeKind::kSheet},     {"block", ShapeKind::kBlock},
          {"ring", ShapeKind::kRing},       {"tube", ShapeKind::kTube},
          {"torus", ShapeKind::kTorus},     {"mesh", ShapeKind::kMesh}};
}

EnumWords<SubdivisionScheme> WordsOf(SubdivisionScheme) {
  return {{"catmull-clark", SubdivisionScheme::kCatmullClark}, {"loop", SubdivisionScheme::kLoop}};
}

EnumWords<Path::Interpolation> WordsOf(Path::Interpolation) {
  return {{"cubic", Path::Interpolation::kCubic}, {"linear", Path::Interpolation::kLinear}};
}

EnumWords<SheetPlane> WordsOf(SheetPlane) {
  return {{"xy", SheetPlane::kXy}, {"xz", SheetPlane::kXz}, {"yz", SheetPlane::kYz}};
}

EnumWords<Limit::Kind> WordsOf(Limit::Kind) {
  return {{"length", Limit::Kind::kLength},
          {"angle", Limit::Kind::kAngle},
          {"twist", Limit::Kind::kTwist}};
}

EnumWords<ObstacleKind> WordsOf(ObstacleKind) {
  return {{"plane", ObstacleKind::kPlane},
          {"sphere", ObstacleKind::kSphere},
          {"box", ObstacleKind::kBox},
          {"capsule", ObstacleKind::kCapsule},
          {"solid", ObstacleKind::kSolid}};
}

Eigen::Vector3d Direction(const Eigen::Vector3d& vector, const FilePlace& place,
                          const std::string& what) {
  const double length = vector.norm();
  if (!(length > 0.0) || !std::isfinite(length)) {
    FailAt(place, what + " has no direction", "give a vector that is not zero");
  }
  return vector / length;
}

Eigen::AngleAxisd ToRotation(const RotationValue& rotation, const FilePlace& place) {
  if (const auto* angle = std::get_if<double>(&rotation)) {
    return Eigen::AngleAxisd(*angle, Eigen::Vector3d::UnitZ());
  }
  const auto& keys = std::get<AxisAngleKeys>(rotation);
  return Eigen::AngleAxisd(keys.angle, Direction(keys.axis, place, "the axis of rotation"));
}

void SceneKeys::Bind(KeyBinder& b) {
  b.Required("name", &name, "1", "what reports call the scene");
  b.Default("description", &description, "1", "what it shows; the comment at the top of its file");
  b.Default("dimension", &dimension, "1", "3, or 2 for a planar scene that lives in z = 0");
  b.Default("gravity", &gravity, "m/s²", "acceleration of free fall; y is up");
  b.Required("body", &body, "", "what deforms: [[body]], at least one");
  b.Optional("obstacle", &obstacle, "", "what bodies collide with: [[obstacle]]");
  b.Optional("nail", &nail, "", "points held in place or led along a path: [[nail]]");
  b.Optional("attachment", &attachment, "", "points of two bodies kept together: [[attachment]]");
  b.Optional("slider", &slider, "", "points kept where they may slide: [[slider]]");
  b.Optional("combination", &combination, "",
             "sums of weighted points held in place or led along a path: [[combination]]");
  b.Optional("limit", &limit, "", "lengths and angles kept in a range: [[limit]]");
  b.Optional("spring", &spring, "", "springs and dampers: [[spring]]");
  b.Optional("force", &force, "", "constant forces for a time: [[force]]");
  b.Optional("impulse", &impulse, "", "sudden changes of momentum: [[impulse]]");
  b.Optional("notice", &notice, "",
             "bodies on which gravity acts only after they notice that nothing holds them: "
             "[[notice]]");
  b.Optional("morph", &morph, "", "bodies whose rest shape changes into another: [[morph]]");
  b.Optional("behaviour", &behaviour, "",
             "goals that points pursue, one after the other: [[behaviour]]");
}

void AxisAngleKeys::Bind(KeyBinder& b) {
  b.Required("axis", &axis, "1", "direction of the axis, of any length");
  b.Required("angle", &angle, "rad", "right-handed angle about the axis");
}

void BodyKeys::Bind(KeyBinder& b) {
  b.Required("name", &name, "1", "name, by which other elements refer to the body");
  b.Required("shape", &shape, "1", "kind of shape; it decides which further keys there are");
  b.Default("position", &position, "m", "where the origin of the body's frame starts");
  b.Optional("rotation", &rotation, "rad",
             "how the body starts turned; a bare number turns about z");
  b.Optional("stretch", &stretch, "1",
             "factors along x, y, z of the body's frame by which it starts deformed");
  b.Default("velocity", &velocity, "m/s", "initial velocity of the centre of mass");
  b.Optional("angular_velocity", &angular_velocity, "rad/s",
             "initial rate of turn in the world frame; a bare number turns about z");
  b.Optional("marks", &marks, "1", "names of points, by which other elements may call them");
}

void OutlineKeys::Bind(KeyBinder& b) {
  b.Required("points", &points, "m", "material points [x, y] in the body's frame");
  b.Required("masses", &masses, "kg", "mass of each point");
  b.Optional("edges", &edges, "1", "pairs of points to draw and to measure strain on");
  b.Optional("faces", &faces, "1", "triangles of points, counter-clockwise, to measure area on");
}

void ProfileKeys::Bind(KeyBinder& b) {
  b.Optional("file", &file, "1", "shape file that holds the following four keys in their place");
  outline.Bind(b);
  b.Optional("mass", &mass, "kg", "total mass; the masses of the points are scaled to it");
}

void ChainKeys::Bind(KeyBinder& b) {
  b.Required("from", &from, "m", "first point, in the body's frame");
  b.Required("to", &to, "m", "last point, in the body's frame");
  b.Required("points", &points, "1", "number of points, evenly along the line");
  b.Required("mass", &mass, "kg", "total mass, spread evenly over the points");
}

void SheetKeys::Bind(KeyBinder& b) {
  b.Required("size", &size, "m", "extent along the two axes; the sheet is centred");
  b.Required("points", &points, "1", "number of points along the two axes");
  b.Default("plane", &plane, "1",
            "the plane it starts in; its normal is +z for xy, +y for xz, +x for yz");
  b.Required("mass", &mass, "kg", "total mass, spread evenly over the points");
}

void BlockKeys::Bind(KeyBinder& b) {
  b.Required("size", &size, "m", "extent along the three axes; the block is centred");
  b.Required("points", &points, "1", "number of points along the three axes");
  b.Required("mass", &mass, "kg", "total mass, spread evenly over the points");
}

void RingKeys::Bind(KeyBinder& b) {
  b.Required("radius", &radius, "m", "radius about the z-axis of the body's frame");
  b.Required("points", &points, "1", "number of points; the first also follows the last");
  b.Required("mass", &mass, "kg", "total mass, spread evenly over the points");
}

void TubeKeys::Bind(KeyBinder& b) {
  b.Required("radius", &radius, "m", "radius about the z-axis of the body's frame");
  b.Required("length", &length, "m", "extent along that axis; the tube is centred");
  b.Required("points", &points, "1", "number of points around and along the axis");
  b.Required("mass", &mass, "kg", "total mass, spread evenly over the points");
}

void TorusKeys::Bind(KeyBinder& b) {
  b.Required("radius", &radius, "m",
             "from the z-axis of the body's frame to the middle of the tube");
  b.Required("tube_radius", &tube_radius, "m", "radius of the tube itself, less than radius");
  b.Required("points", &points, "1", "number of points around the axis and around the tube");
  b.Required("mass", &mass, "kg", "total mass, spread evenly over the points");
}

void PolygonKeys::Bind(KeyBinder& b) {
  b.Required("vertices", &vertices, "m", "corners of the faces");
  b.Required("faces", &faces, "1",
             "each a list of vertices (the first is 0), counter-clockwise seen from outside");
}

void MeshKeys::Bind(KeyBinder& b) {
  b.Optional("file", &file, "1", "OBJ file that holds the following three keys in their place");
  polygons.Bind(b);
  b.Optional("lines", &lines, "1",
             "each a list of vertices, joined one to the next: a graph of edges in the place of "
             "faces, which are then empty");
  b.Default("scale", &scale, "1", "factor on the vertices");
  b.Default("scheme", &scheme, "1", "how it is refined: catmull-clark, or loop for triangles");
  b.Default("subdivisions", &subdivisions, "1",
            "how often it is refined; the points of the body are the vertices after that");
  b.Required("mass", &mass, "kg", "total mass, spread evenly over the points");
}

void PointOfKeys::Bind(KeyBinder& b) {
  b.Required("body", &body, "1", "name of the body");
  b.Required("point", &point, "1",
             "the point: its index, [i, j, k] in a grid, \"start\", \"end\" or a mark");
}

void TargetKeys::Bind(KeyBinder& b) {
  b.Required("name", &name, "1", "what the translation record calls it");
  b.Required("body", &body, "1", "name of the body");
  b.Optional("point", &point, "1",
             "the point: its index, [i, j, k] in a grid, \"start\", \"end\" or a mark");
  b.Optional("points", &points, "1",
             "instead of point: a list of points, or one of the groups all, corners, border, "
             "bottom, top, start, end");
}

void PathKeys::Bind(KeyBinder& b) {
  b.Required("times", &times, "s", "increasing times of the keys; still before and after");
  b.Required("keys", &keys, "m", "position at each time");
  b.Default("interpolation", &interpolation, "1",
            "cubic: C² spline at rest at both ends; linear: velocity jumps at the keys");
}

void NailPathKeys::Bind(KeyBinder& b) {
  b.Optional("drag", &drag, "1",
             "a file of samples time, x, y[, z] of a hand, which stands for times and offsets");
  b.Default("tolerance", &tolerance, "m", "how far from a sample of the drag the path may pass");
  b.Required("times", &times, "s", "increasing times of the keys; still before and after");
  b.Optional("offsets", &offsets, "m", "displacement at each time from where the point starts");
  b.Optional("keys", &keys, "m", "instead of offsets, for a single point: its position");
  b.Default("interpolation", &interpolation, "1",
            "cubic: C² spline at rest at both ends; linear: velocity jumps at the keys");
}

void HoldKeys::Bind(KeyBinder& b) {
  b.Default("from", &from, "s", "when it begins to hold; an impulse then matches the velocities");
  b.Optional("until", &until, "s", "when it lets go; without it it never does");
}

void NailKeys::Bind(KeyBinder& b) {
  target.Bind(b);
  b.Optional("path", &path, "", "leads the point; without it the point stays where it starts");
  hold.Bind(b);
  b.Default("preroll", &preroll, "s",
            "for so long before `from` the point is led smoothly to where its path is then");
}

void SliderKeys::Bind(KeyBinder& b) {
  target.Bind(b);
  b.Optional("direction", &direction, "1", "the line it moves along, of any length");
  b.Optional("normal", &normal, "1", "instead of direction: normal of the plane it moves in");
  b.Optional("along", &along, "m",
             "instead of direction: corners of the curve it moves along; two are a segment");
  b.Default("closed", &closed, "1", "does the last corner of `along` lead back to the first?");
  b.Optional("on", &on, "1",
             "instead of direction: name of the obstacle whose surface it stays on");
  b.Optional("within", &within, "m", "instead of direction: radius of the ball it stays in");
  b.Optional(
      "through", &through, "m",
      "a point of the line or plane, centre of the ball; without it where each point starts");
  hold.Bind(b);
}

void TermKeys::Bind(KeyBinder& b) {
  b.Required("body", &body, "1", "name of the body");
  b.Required("point", &point, "1", "the point: its index, [i, j, k] in a grid, or a mark");
  b.Default("weight", &weight, "1", "what its position is multiplied by, not 0");
}

void CombinationKeys::Bind(KeyBinder& b) {
  b.Required("name", &name, "1", "what the translation record calls it");
  b.Required("terms", &terms, "", "the points and their weights");
  b.Optional("value", &value, "m", "what the sum stays; without it what it is at the start");
  b.Optional("path", &path, "", "instead of value: leads the sum");
  hold.Bind(b);
}

void LimitKeys::Bind(KeyBinder& b) {
  b.Required("name", &name, "1", "what the translation record calls it");
  b.Required(
      "measure", &measure, "1",
      "length between 2 points; angle at the second of 3; twist of the fourth of 4 about the "
      "line from the second to the third, against the first, from where it starts");
  b.Required("points", &points, "", "the points, of one body or of several");
  b.Optional("at_least", &at_least, "m or rad", "lower bound; at least one of the two");
  b.Optional("at_most", &at_most, "m or rad", "upper bound");
}

void BehaviourKeys::Bind(KeyBinder& b) {
  b.Required("name", &name, "1", "what the translation record calls it");
  b.Required("script", &script, "1", "its lines, or the name of a file that holds them; see above");
  b.Optional("places", &places, "m", "names of places in the world, for the script");
}

void AttachmentKeys::Bind(KeyBinder& binder) {
  binder.Required("name", &name, "1", "what the translation record calls it");
  binder.Required("a", &a, "", "a point of one body");
  binder.Required("b", &b, "",
                  "a point of another body, at the same place unless it begins to hold later");
  binder.Default("apart", &apart, "1",
                 "may the two points start apart? displacement-constraints then assembles the "
                 "bodies before the start; other backends pull them together while they move");
  hold.Bind(binder);
}

void SpringKeys::Bind(KeyBinder& b) {
  target.Bind(b);
  b.Optional("anchor", &anchor, "m",
             "fixed end: a place, or \"start\" for where each point starts");
  b.Optional("to", &to, "", "instead of anchor: a point the spring leads to");
  b.Required("stiffness", &stiffness, "N/m", "force per elongation, of each spring");
  b.Default("damping", &damping, "N s/m", "force per rate of elongation, of each spring");
  b.Default("rest_length", &rest_length, "m", "length without force");
}

void ForceHistoryKeys::Bind(KeyBinder& b) {
  b.Required("times", &times, "s", "increasing: one for each force, when it begins, and the end");
  b.Required("forces", &forces, "N", "force on each point, from its time until the next one");
}

void ForceKeys::Bind(KeyBinder& b) {
  target.Bind(b);
  b.Optional("force", &force, "N", "force on each point");
  b.Optional("history", &history, "",
             "instead of force, from and until: forces one after the other, as of a hand");
  b.Optional("from", &from, "s", "when it begins; without it at the start");
  b.Optional("until", &until, "s", "when it ends; without it the force never ends");
}

void NoticeKeys::Bind(KeyBinder& b) {
  b.Required("name", &name, "1", "what the translation record calls it");
  b.Required("body", &body, "1", "name of the body");
  b.Optional("delay", &delay, "s",
             "it notices when it has touched no obstacle for so long; at least one of the two");
  b.Optional("looks_down", &looks_down, "rad",
             "it notices when its gaze points so far below the horizontal");
  b.Default("gaze", &gaze, "1", "where it looks, a direction of the body's frame");
}

void MorphKeys::Bind(KeyBinder& b) {
  b.Required("name", &name, "1", "what the translation record calls it");
  b.Required("body", &body, "1", "name of the body");
  b.Optional("points", &points, "m", "the other rest shape: every point in the body's frame");
  b.Optional("stretch", &stretch, "1",
             "instead of points: factors along x, y, z about the centre of mass");
  b.Default("from", &from, "s", "when the rest shape begins to change");
  b.Required("until", &until, "s", "when it is the other one");
}

void ImpulseKeys::Bind(KeyBinder& b) {
  target.Bind(b);
  b.Required("impulse", &impulse, "N s", "impulse on each point");
  b.Default("time", &time, "s", "when");
}

void ObstacleKeys::Bind(KeyBinder& b) {
  b.Required("name", &name, "1", "what the translation record calls it");
  b.Required("shape", &shape, "1", "kind of shape; it decides which further keys there are");
  b.Default("friction", &friction, "1", "Coulomb coefficient; 0: without friction");
  b.Default("restitution", &restitution, "1",
            "speed after a bounce over speed before it, 0 to 1; where contact acts by impulses");
  b.Optional("position", &position, "m",
             "where the origin is: the centre, or a point of the plane; [0, 0, 0] without it");
  b.Optional("path", &path, "", "instead of position: carries the obstacle, without turning it");
}

void PlaneKeys::Bind(KeyBinder& b) {
  b.Optional("normal", &normal, "1", "direction out of the solid, of any length; +y without it");
  b.Optional("slope", &slope, "rad", "instead of normal: angle by which it rises towards +x");
}

void SphereKeys::Bind(KeyBinder& b) { b.Required("radius", &radius, "m", "radius"); }

void BoxKeys::Bind(KeyBinder& b) {
  b.Required("half_size", &half_size, "m", "half its extent along its three axes");
  b.Optional("rotation", &rotation, "rad", "how it is turned; a bare number turns about z");
}

void CapsuleKeys::Bind(KeyBinder& b) {
  b.Required("half_axis", &half_axis, "m", "from the centre to the end of the axis");
  b.Required("radius", &radius, "m", "radius about the axis");
}

void SolidKeys::Bind(KeyBinder& b) {
  b.Optional("file", &file, "1", "OBJ file that holds the following two keys in their place");
  polygons.Bind(b);
  b.Default("scale", &scale, "1", "factor on the vertices");
  b.Optional("rotation", &rotation, "rad", "how it is turned; a bare number turns about z");
}

}  // namespace pliant
