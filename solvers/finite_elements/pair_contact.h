// Contact of the surfaces of bodies with one another and with themselves, by a barrier in the distance
// of pairs [Li et al. 2020]: a place and a face, two edges, in the plane a place and an edge.
//
//   energy     U = ½ A E b(√D) m, D(C) the squared distance as a function of the products C of edge vectors
//              (pair_gap.h), A the share of the surface, E the smaller of Young's moduli; m, 1 for all
//              but edges that are nearly parallel, takes these out smoothly
//   step       the discrete gradient in C, S̄ = m̄ ΔU/ΔD ∇̄D + Ū Δm/ΔC: it keeps energy, momentum and
//              angular momentum, and force(i) = −2 Σ_ab R_ia S̄_ab r̄_b
//   friction   μ times the push of the same step, against the relative way across the distance, risen
//              smoothly below a speed. It is equal and opposite; as it acts across the distance, which
//              is less than the thickness, angular momentum is kept up to friction times that
//
// Surfaces must not touch at the start. Pairs of one body that are nearer than two thicknesses at rest
// are its own neighbours and are left out.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_PAIR_CONTACT_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_PAIR_CONTACT_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "models/collision/bounds.h"
#include "models/collision/box_tree.h"
#include "models/contact/barrier.h"
#include "models/contact/pair_gap.h"
#include "models/scene/scene.h"
#include "solvers/contact/contact_tally.h"
#include "solvers/finite_elements/contact_places.h"
#include "solvers/finite_elements/point_forces.h"

namespace pliant::finite_elements {

class PairContact {
 public:
  // `places` must outlive it; `rest` are the places at rest, each body in its own frame.
  PairContact(const Scene& scene, const ContactPlaces& places, const Eigen::Matrix3Xd& rest,
              const ContactOptions& options);

  bool empty() const { return !any_; }

  // Finds the pairs that can come within the thickness while each place stays in the box of x₀ and x₁
  // and half a thickness around it. Depends on nothing but these two.
  void Begin(const Eigen::Matrix3Xd& x0, const Eigen::Matrix3Xd& x1);
  // Adds pairs where x lies outside the box. Returns whether the list changed.
  bool Include(const Eigen::Matrix3Xd& x);
  // Of each pair its nodes, for ReducedMatrix.
  std::vector<NodeCombination> Links() const;

  double Energy(const Eigen::Matrix3Xd& x) const;  // J, of the pairs
  void AddForces(const Eigen::Matrix3Xd& x, Eigen::Matrix3Xd* forces) const;
  void AddDiscreteForces(const PointMotion& motion, Eigen::Matrix3Xd* forces) const;
  void AddFriction(const PointMotion& motion, bool discrete, Eigen::Matrix3Xd* forces) const;
  void AddRubs(const Eigen::Matrix3Xd& x, std::vector<Rub>* rubs) const;
  // Impulses of the push and of friction, by pairs of bodies.
  void Tally(const PointMotion& motion, bool discrete, const ContactDurations& durations,
             ContactTally* tally) const;
  void AddTangent(const PointMotion& motion, bool discrete, double factor, int first_link,
                  ReducedMatrix* matrix) const;

  // The part of the way from x to y that leaves at least a tenth of the gap of any two parts.
  double LargestFraction(const Eigen::Matrix3Xd& x, const Eigen::Matrix3Xd& y);
  // The smallest distance of any two parts that meet, where it is below the thickness [m].
  double SmallestGap(const Eigen::Matrix3Xd& x);

 private:
  struct Pair {
    PairKind kind;
    std::array<int, 4> corners;  // places; the last of a point and an edge twice
    double scale;                // ½ A E [N/m]
    double friction;
    double parallel;  // of edges: |u × v|² below which m < 1 [m⁴]
    bool operator==(const Pair& other) const = default;
  };
  using Corners = Eigen::Matrix<double, 3, 4>;
  // A pair that pushes.
  struct Push {
    Eigen::Matrix<double, 3, 4> forces;  // on the corners [N]
    Eigen::Vector4d weights;             // of the corners in the separation; sum 0
    Eigen::Vector3d normal;              // unit, along the separation
    double size;                         // ≥ 0 [N]
    double stiffness;                    // along the normal [N/m]
  };
  bool PushOf(const Pair& pair, const Eigen::Matrix3Xd& x, Push* push) const;
  // The relative way of its parts across the separation and along it [m], and friction against it.
  static Eigen::Vector3d MovedOf(const Pair& pair, const Push& push, const PointMotion& motion) {
    return (At(pair, motion.x1) - At(pair, motion.x0)) * push.weights;
  }
  Eigen::Vector3d RubOf(const Pair& pair, const Push& push, const PointMotion& motion) const;
  bool DiscretePushOf(const Pair& pair, const PointMotion& motion, Push* push) const;
  bool PushOf(const Pair& pair, const PointMotion& motion, bool discrete, Push* push) const {
    return discrete ? DiscretePushOf(pair, motion, push) : PushOf(pair, motion.x1, push);
  }
  static Corners At(const Pair& pair, const Eigen::Matrix3Xd& x);
  double EnergyOf(const Pair& pair, const Eigen::Matrix3d& gram) const;

  struct Meeting {
    bool meets = false;
    double friction = 0.0;
  };
  const Meeting& MeetingOf(int a, int b) const { return meetings_[a * bodies_ + b]; }
  bool Neighbours(PairKind kind, const std::array<int, 4>& corners) const;
  void Refit(double room);
  // Calls visit(kind, corners) for each two parts that meet whose boxes overlap.
  template <typename Visit>
  void ForEachNear(const Visit& visit) const;
  void FindPairs();

  const ContactPlaces& places_;
  ContactOptions options_;
  Barrier barrier_;
  Eigen::Matrix3Xd rest_;
  int bodies_ = 0;
  bool any_ = false;
  std::vector<Meeting> meetings_;
  std::vector<Bounds> boxes_, covered_;  // of the places
  BoxTree place_tree_, face_tree_, edge_tree_;
  std::vector<Pair> pairs_;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_PAIR_CONTACT_H_
