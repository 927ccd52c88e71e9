// Displacement vectors from a sculpting tool instead of an obstacle [Harrison 1994, Secs. 1.2,
// 4.2.2: "the displacement vectors are part of the input"]. One [[entry]] of the table of strokes
// is one stroke of a round brush:
//
//   name = "furrow"
//   values = [[0.0, -0.5, 0, 0],    times [s] and places [m] of its centre, straight in between;
//             [1.0, 0.5, 0, 0]]     in the plane without z. One row is a dab
//   radius = 0.2                    R [m]
//   depth = 0.05                    D [m], how far it presses; negative: pulls
//   falloff = "smooth"              w: "smooth" (1 − (r/R)²)², "linear" 1 − r/R, "flat" 1
//   body = "clay"                   of one body only
//
// Within r < R of the way of the centre in a step a vertex that starts at c, where the surface has
// the normal n, is to be D w(r/R) below c, r measured from c:
//
//   h = −n sign D,   d = max(0, |D| w − h·(S − c)) h
//
// so that a brush at rest gives a fixed point, as an obstacle does, and strokes at the same place
// do not add up: the deepest counts. Of these and the vectors of obstacles the longer one counts.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_BRUSH_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_BRUSH_H_

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <vector>

#include "models/geometry/path.h"
#include "solvers/kinematic_response/kinematic_response.h"
#include "solvers/parameters.h"

namespace pliant::kinematic_response {

struct Stroke {
  enum class Falloff { kSmooth, kLinear, kFlat };

  std::string name, where;  // place of the entry, such as "strokes.entry[2]"
  Path path = Path::Still(Eigen::Vector3d::Zero());
  double radius = 0.0, depth = 0.0;  // m
  Falloff falloff = Falloff::kSmooth;
  std::optional<std::string> body;

  double Weight(double r) const;  // w(r/R) for 0 ≤ r < R
};

// Throws BadInput for unknown keys and words, radii that are not positive, depths of 0, times that
// do not increase and positions of another dimension.
std::vector<Stroke> ReadStrokes(const MatrixTable& table, int dimension);

// Throws BadInput when a stroke names a body that is not among these, or one that rides.
void RequireHeld(const std::vector<Stroke>& strokes, const std::vector<std::string>& bodies,
                 const std::vector<bool>& rides);

// When the last stroke ends [s].
double EndOf(const std::vector<Stroke>& strokes);

// The strokes on one surface.
class Brush {
 public:
  // `start` (vertices×3 [m]) is the initial finest level.
  Brush(std::vector<Stroke> strokes, const KinematicResponse& response, GridVectors start);

  // Adds the displacement vectors of a pass from `begin` to `end` [s] to those of obstacles.
  // O(strips + vertices within reach) for each stroke at work.
  void Cast(double begin, double end, KinematicResponse* response) const;

 private:
  void Press(const Stroke& stroke, const Eigen::Vector3d& from, const Eigen::Vector3d& to,
             int strip, int row, KinematicResponse* response) const;

  std::vector<Stroke> strokes_;
  GridVectors start_;
  std::vector<Eigen::AlignedBox3d> boxes_;  // of the strips of start_
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_BRUSH_H_
