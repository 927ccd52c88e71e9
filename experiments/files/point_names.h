// How scene files refer to the points of bodies: by index, by place in the grid, by mark or group.

#ifndef PLIANT_EXPERIMENTS_FILES_POINT_NAMES_H_
#define PLIANT_EXPERIMENTS_FILES_POINT_NAMES_H_

#include <string>
#include <variant>
#include <vector>

#include "experiments/files/keys.h"
#include "models/scene/probe.h"
#include "models/scene/scene.h"

namespace pliant {

// One point of a body: its index, its place in the grid, or a mark or group that has one point.
struct PointName {
  std::variant<int, std::vector<int>, std::string> is;
};
template <>
struct Codec<PointName> : Codec<decltype(PointName::is)> {
  static std::string Words() { return "point"; }
  static std::string Example() { return "0"; }
  static PointName Read(FileValue* value, const ReadContext& context) {
    return {Codec<decltype(PointName::is)>::Read(value, context)};
  }
  static FileData Write(const PointName& name) {
    return Codec<decltype(PointName::is)>::Write(name.is);
  }
};

// All throw FileError at the place of the name that is wrong.
int OnePointNamed(const Body& body, const PointName& name, const FilePlace& place);
int BodyNamed(const Scene& scene, const std::string& name, const FilePlace& place);
// Among those that have been read: that a body is missing may follow from a mistake in it.
int BodyNamed(const SceneSoFar& so_far, const std::string& name, const FilePlace& place);

// Bind the keys body and point: as a table of their own, or among other keys.
void Bind(KeyBinder& b, PointRef& point);
void BindPoint(KeyBinder& b, PointRef* point);
// Binds the key body alone to the index of the body in the scene.
void BindBody(KeyBinder& b, int* body);
// The keys name, body, and point or points, of an element that acts on each of several points.
std::vector<PointRef> BindPoints(KeyBinder& b, std::string* name);
// The keys body, and point or points, of which a probe of a whole body has none.
void Bind(KeyBinder& b, ProbeSet& set);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_POINT_NAMES_H_
