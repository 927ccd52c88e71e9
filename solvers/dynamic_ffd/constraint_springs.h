// Nails and attachments of a formulation without constraints: stiff damped springs between points
// that should coincide. C = x − n(t) for a nail on the path n, C = x_a − x_b for an attachment:
//
//   f = −k C − c Ċ,     U = ½ k Σ |C|²
//
// dU/dt = −f·(ẋ − ṅ) − c |Ċ|², so that the material's energy including U changes by the work f·ṅ of
// the moving nail and by the loss −c |Ċ|².

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_CONSTRAINT_SPRINGS_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_CONSTRAINT_SPRINGS_H_

#include <optional>
#include <vector>

#include "models/geometry/path.h"
#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "solvers/exchange.h"
#include "solvers/parameters.h"

namespace pliant::dynamic_ffd {

struct ConstraintSpringOptions {
  double stiffness = 2e4;  // k, N/m
  double damping = 20.0;   // c, N s/m
  void Bind(ParameterBinder& binder);
};

class ConstraintSprings {
 public:
  ConstraintSprings(const Scene& scene, const ConstraintSpringOptions& options);

  bool empty() const { return nails_.empty() && attachments_.empty(); }

  // Adds the forces at `time` to 3×n `forces` [N], and to `rates` their power f·ṅ − c |Ċ|² and the
  // forces of nails. The two forces of an attachment with a gap exert a torque on the bodies; they
  // are internal, so they are not added to the impulses, and the residual of angular momentum shows
  // this torque.
  void AddForces(double time, const PointsRef& x, const PointsRef& v, MutablePointsRef forces,
                 Exchange* rates) const;

  // The part −c Ċ of the forces alone.
  void AddDamping(double time, const PointsRef& v, MutablePointsRef forces) const;

  double Energy(double time, const PointsRef& x) const;  // U [J]

  // Largest |C| and |Ċ|; not defined without constraints.
  struct Gap {
    double error = 0.0;  // m
    double rate = 0.0;   // m/s
  };
  std::optional<Gap> LargestGap(double time, const PointsRef& x, const PointsRef& v) const;

 private:
  struct IndexedNail {
    int point;
    Path path;
  };
  struct IndexedAttachment {
    int a, b;
  };
  ConstraintSpringOptions options_;
  std::vector<IndexedNail> nails_;
  std::vector<IndexedAttachment> attachments_;
};

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_CONSTRAINT_SPRINGS_H_
