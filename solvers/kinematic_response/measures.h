// The numbers by which responses of held surfaces are compared: distance, width, volume.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_MEASURES_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_MEASURES_H_

#include "models/geometry/grid_hierarchy.h"

namespace pliant::kinematic_response {

struct Answer {
  double largest = 0.0;  // longest displacement of a vertex from the start [m]
  double area = 0.0;     // of what is displaced by more than 1 % of that [m²; m of a curve]
  double volume = 0.0;   // swept along the normals of the start, > 0 outwards [m³; m² of a curve]
};

class SurfaceMeasures {
 public:
  // An initial surface (vertices×3 [m]); normals as in framed_rows.h.
  SurfaceMeasures(const GridSize& grid, GridVectors start);

  double area() const { return area_; }  // of the start [m²; m of a curve]
  Answer Measure(const GridVectors& surface) const;
  // ∫ of a vector per vertex (vertices×3) over the area of the start.
  Eigen::Vector3d Integrate(const GridVectors& vectors) const;

 private:
  GridVectors start_;
  GridVectors normals_;  // per vertex, as long as its share of the area [m²; m]
  double area_;
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_MEASURES_H_
