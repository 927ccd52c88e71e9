// When the nails of a scene act on their points, and the target positions. A nail holds its point
// on its path from one time to another (hold.h); through its preroll it leads it there, by the
// cubic that joins place and velocity of the point, when the preroll begins, with those of the path
// when the nail begins to hold. While another nail holds the point none leads it.

#ifndef PLIANT_SOLVERS_HOLDS_NAILS_H_
#define PLIANT_SOLVERS_HOLDS_NAILS_H_

#include <Eigen/Core>
#include <vector>

#include "models/geometry/cubic_segment.h"
#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "solvers/state_stream.h"

namespace pliant {

struct Hold;

class Nails {
 public:
  explicit Nails(const Scene& scene);

  // A step from `begin` to `end` [s], with the points at x and their velocities, 3×n over the
  // scene: ways of prerolls begin.
  void Begin(double begin, double end, const PointsRef& x, const PointsRef& v);

  // Does the nail hold or lead its point through the step that ends at `end`, and to which place
  // [m]? By index in the scene.
  bool Acts(int nail, double end) const;
  // The same for the hold of a nail or of an attachment.
  bool Acts(const Hold& hold, double end) const;
  Eigen::Vector3d Place(int nail, double end) const;
  // The mean velocity of that place over the step [m/s]: exactly 0 where it rests.
  Eigen::Vector3d MeanVelocity(int nail, double begin, double end) const;

  // Points with a nail that acts, ascending; valid until the next call.
  const std::vector<int>& Points(double end);
  bool switches() const { return switch_; }  // can the set of points change?

  int numbers() const { return 13 * static_cast<int>(leads_.size()); }  // saved
  void Save(StateWriter* write) const;
  void Restore(StateReader* read);

 private:
  // Of a nail with a preroll.
  struct Lead {
    int nail;
    bool on = false;
    CubicSegment way;
  };
  const Lead* LeadOf(int nail) const;

  const std::vector<Nail>& nails_;
  const std::vector<Attachment>& attachments_;
  std::vector<int> points_;  // of each nail
  bool switch_ = false;
  std::vector<int> acting_;  // scratch of Points()
  std::vector<Lead> leads_;  // state
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_HOLDS_NAILS_H_
