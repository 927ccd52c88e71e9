// What the files validate*.cc share: requirements that throw BadInput for a key of the scene.

#ifndef PLIANT_MODELS_SCENE_VALIDATE_PARTS_H_
#define PLIANT_MODELS_SCENE_VALIDATE_PARTS_H_

#include <functional>
#include <string>

#include "models/problem.h"
#include "models/scene/scene.h"

namespace pliant {

// "nail[2].point": the path of a key.
std::string At(const char* table, size_t index, const char* key = "");

template <typename Derived>
void RequireFinite(const Eigen::DenseBase<Derived>& values, const std::string& where,
                   const std::string& what) {
  if (!values.derived().allFinite()) {
    throw BadInput({where, what + " is not a finite number", ""});
  }
}
void RequireNotNegative(double value, const std::string& where, const std::string& what);
// Of what acts from one time until another.
void RequireEndsLater(double from, double until, const std::string& where, const std::string& what);
void RequireBody(const Scene& scene, int body, const std::string& where);
void RequirePoint(const Scene& scene, const PointRef& ref, const std::string& where);
// A planar scene keeps every vector in z = 0.
void RequirePlanar(const Scene& scene, const Eigen::Vector3d& vector, const std::string& where);
void RequirePlanarPath(const Scene& scene, const Path& path, const std::string& where);

void ValidateBody(const Scene& scene, size_t b);
void ValidateObstacle(const Scene& scene, size_t o);
// Calls what throws BadInput for a broken rule, and keeps it.
using Check = std::function<void(const std::function<void()>& rule)>;
// Nails, attachments, sliders, limits and combinations.
void ValidateConstraints(const Scene& scene, const Check& check);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_VALIDATE_PARTS_H_
