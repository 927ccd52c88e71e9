// Sensors of a controller: readings, true or false, that may trigger its transitions
// [Faloutsos 1995, Sec. 3.2.3]. Sensors have no memory; the pose graph detects changes of
// readings.

#ifndef PLIANT_SOLVERS_CONTROL_SENSORS_H_
#define PLIANT_SOLVERS_CONTROL_SENSORS_H_

#include <memory>
#include <string>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/scene.h"

namespace pliant {

struct Sensor {
  enum class Kind {
    kContact,    // any of the points touches an obstacle
    kNoContact,  // none of the points does
    kAbove,      // the centre of mass of the body is at the height y ≥ threshold
    kBelow,      // … y ≤ threshold
    kTime,       // time ≥ threshold
  };
  std::string name;
  Kind kind = Kind::kContact;
  std::vector<int> points;  // of the body, for contact; empty: all
  double threshold = 0.0;   // m or s
};

// Does any of the points (columns of x) touch an obstacle at `time`? A point that lies on a surface
// to rounding touches it. O(points · obstacles).
bool Touches(const Scene& scene, double time, const PointsRef& x, const std::vector<int>& points);

// The sensors of one body.
class Sensors {
 public:
  // Throws BadInput ("sensor[1].points") for points the body does not have.
  Sensors(std::shared_ptr<const Scene> scene, int body, std::vector<Sensor> sensors);

  int size() const { return static_cast<int>(sensors_.size()); }
  // Readings at `time` for all points of the scene, 3×n.
  void Read(double time, const PointsRef& x, std::vector<bool>* readings) const;

 private:
  bool Reading(const Sensor& sensor, double time, const PointsRef& x) const;

  std::shared_ptr<const Scene> scene_;
  int body_, first_point_;
  std::vector<Sensor> sensors_;  // points as columns of x
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTROL_SENSORS_H_
