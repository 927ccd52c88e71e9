// Sliders and limits of a scene as displacement constraints on the points of level 0.
//
//   slider  the point goes to the nearest place x* it may be at: p = B (BᵀWB)⁻¹ Bᵀ (x* − x),
//           with B the directions that are barred there
//   limit   a measure C of some points (models/holds/measures.h) with the
//           gradients ∇_i goes back into its range by impulses λ ∇_i,
//
//             λ = (bound − C₀)/κ,   C₀ = C − κ λ,   κ = Σ_ij ∇_i·W_ij ∇_j,
//
//           with C₀ what C would be without them: λ = 0 where that is in range, so that a later
//           sweep takes back what an earlier one pushed too far
//
// W_ij is how far an impulse at point j displaces point i: points may share a segment or a body.

#ifndef PLIANT_SOLVERS_HOLDS_GUIDES_H_
#define PLIANT_SOLVERS_HOLDS_GUIDES_H_

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "models/holds/measures.h"
#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "solvers/holds/point_mover.h"
#include "solvers/simulation.h"

namespace pliant {

class Guides {
 public:
  explicit Guides(const Scene& scene);

  bool empty() const { return sliders_.empty() && limits_.empty(); }
  int size() const { return static_cast<int>(sliders_.size() + limits_.size()); }

  void Begin();  // of a step: λ = 0, sliders have given nothing
  // One correction of each that holds through the step that ends at `time` [s]; obstacles are where
  // they are then.
  void Relax(double time, PointMover* mover);

  // The misfit of a constraint: the distance of a sliding point from its admitted places, or the
  // excess of a measure over its range, for an angle as the arc on its shorter arm.
  struct Misfit {
    double size = 0.0;   // m
    double lever = 1.0;  // m per unit of the limited measure
  };
  struct Worst {
    int index = -1;
    double size = 0.0;  // m
  };
  Worst FindWorst(double time, const PointMover& mover) const;
  Worst FindWorst(double time, const PointsRef& x) const;  // 3×n, of the scene
  // Adds the constraints that points `x` violate by more than `tolerance` [m].
  void AddUnmet(double time, const PointsRef& x, double tolerance,
                std::vector<UnmetConstraint>* unmet) const;
  std::string Name(int i) const;  // "slider 'rail'", "limit 'knee'"
  // Calls visit(point, impulse, slider) with what each slider gave its point since Begin() [kg m].
  template <typename Visit>
  void ForEachSlid(const Visit& visit) const {
    for (const Slid& slid : sliders_) visit(slid.at.point[0], slid.impulse, *slid.slider);
  }
  // Calls visit(point, impulse) with what each limit gave each of its points since Begin() [kg m].
  template <typename Visit>
  void ForEachLimited(const Visit& visit) const {
    for (const Limited& limited : limits_) {
      for (int k = 0; k < limited.limit->size(); ++k) {
        visit(scene_.Index(limited.limit->points[k]), limited.given[k]);
      }
    }
  }
  // Adds what sliders gave their points since Begin() [kg m] to 3×n `impulses` over the scene.
  void AddSliderImpulses(MutablePointsRef impulses) const;

 private:
  struct Slid {
    const Slider* slider;
    WeightedPoint at;
    Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  // since Begin() [kg m]
  };
  struct Limited {
    const Limit* limit;
    double start = 0.0;   // of a twist [rad]
    double pushed = 0.0;  // λ, > 0 at the lower bound and < 0 at the upper one
    std::array<Eigen::Vector3d, 4> given = {};  // to its points since Begin() [kg m]
  };
  void Relax(double time, Slid* slid, PointMover* mover) const;
  void Relax(Limited* limited, PointMover* mover) const;
  // at(p) is the position of point p of the scene.
  template <typename At>
  PointMeasure Measured(const Limited& limited, const At& at) const;
  template <typename At>
  Misfit MisfitOf(int i, double time, const At& at) const;
  template <typename At>
  Worst WorstOf(double time, const At& at) const;

  const Scene& scene_;
  std::vector<Slid> sliders_;
  std::vector<Limited> limits_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_HOLDS_GUIDES_H_
