// Contact of the faces and edges of surfaces with bounded obstacles (obstacle_contact = "surface"), beside
// that of their places (obstacle_contact.h): what lies between places meets obstacles too.
//
//   cells      faces and edges of no face; in the plane edges
//   energy     U = A E φ, φ = max over weights w of f(d(w)) − Σ w_j f(d_j) with f(d) = b(thickness − d)
//              (excess.h, barrier.h), d(w) the depth of the place Σ w_j x_j and d_j of the corners: what a
//              cell is deeper than its corners say. Infinite, as that of a place, at a depth of the thickness
//   force      on corner j: A E w_j (f′(d) n − f′(d_j) n_j)
//   step       the same with w, n and n_j at the mean and divided differences of f, plus Gonzalez's
//              correction along the way: times the way it is −ΔU exactly
//   friction   μ times what the cell adds to the push, against the way of the place across n̄
//
// A is the least share that a corner has for each of its cells: U stays convex in the distances. Of a face that
// is small beside the obstacle φ is small of second order, so that the limit of fine elements and of a thin
// barrier is that of places alone. Cells keep a tenth of their room in an iteration, by conservative
// advancement (clearance.h): none goes through, however small the obstacle.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_CELL_CONTACT_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_CELL_CONTACT_H_

#include <Eigen/Core>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "models/collision/bounds.h"
#include "models/contact/barrier.h"
#include "models/contact/excess.h"
#include "models/scene/scene.h"
#include "solvers/contact/contact_tally.h"
#include "solvers/finite_elements/contact_places.h"
#include "solvers/finite_elements/obstacle_contact.h"
#include "solvers/finite_elements/point_forces.h"

namespace pliant::finite_elements {

class CellContact {
 public:
  // `places` must outlive it. Without cells where `options` do not ask for them. Throws BadInput where the
  // thickness reaches the middle of an obstacle.
  CellContact(const Scene& scene, const ContactPlaces& places, const ContactOptions& options);

  bool empty() const { return cells_.empty() || obstacles_.empty(); }

  // Finds the cells that come near obstacles in a step; Include() adds those near at x, and says whether
  // there are any. They depend on nothing but what is given here.
  void Begin(const PointMotion& motion);
  bool Include(const Eigen::Matrix3Xd& x);
  int near() const { return static_cast<int>(near_.size()); }
  std::vector<NodeCombination> Links()
      const;  // of each of these cells its nodes, for ReducedMatrix

  double Energy(double time, const Eigen::Matrix3Xd& x) const;  // J
  // As those of ObstacleContact.
  void AddForces(double time, const Eigen::Matrix3Xd& x, Eigen::Matrix3Xd* forces) const;
  void AddDiscreteForces(const PointMotion& motion, Eigen::Matrix3Xd* forces) const;
  void AddFriction(const PointMotion& motion, bool discrete, Eigen::Matrix3Xd* forces) const;
  void AddRubs(const PointMotion& motion, double time, const Eigen::Matrix3Xd& x,
               std::vector<Rub>* rubs) const;
  void Tally(const PointMotion& motion, bool discrete, const ContactDurations& durations,
             ContactTally* tally) const;
  void AddWorkOfObstacles(const PointMotion& motion, bool discrete,
                          ObstacleContact::Work* work) const;
  double PushWorkAt(const PointMotion& motion, double time, const Eigen::Matrix3Xd& x) const;
  void AddTangent(const PointMotion& motion, bool discrete, double factor, int first_link,
                  ReducedMatrix* matrix) const;

  // The part of the way from x to y at one time that leaves each cell at least a tenth of its room.
  double LargestFraction(double time, const Eigen::Matrix3Xd& x, const Eigen::Matrix3Xd& y) const;

 private:
  struct Cell {
    std::array<int, 3> corners;  // places
    int count;                   // 2: an edge, 3: a face
    double scale;                // A E [N/m]
    std::span<const int> places() const { return {corners.data(), static_cast<size_t>(count)}; }
  };
  struct Near {
    int obstacle, cell;
    friend bool operator<(const Near& a, const Near& b) {
      return a.obstacle != b.obstacle ? a.obstacle < b.obstacle : a.cell < b.cell;
    }
  };
  struct Push {
    int obstacle;
    const Cell* cell;
    Eigen::Matrix3d forces;   // on the corners [N]
    Eigen::Vector3d weights;  // of the corners at the place
    Eigen::Vector3d normal;   // unit, outwards
    double size;              // ≥ 0, what the cell adds [N]
    double stiffness;         // along the normal [N/m]
    Eigen::Vector3d moved;    // Δξ of the place [m]
  };
  // A cell at one time, relative to the obstacle: its excess, else the place nearest to it.
  struct State {
    PartCorners corners;
    Eigen::Vector3d distances;  // of the corners [m]
    Eigen::Matrix3d normals;    // of the corners, columns
    Excess excess;              // depth < 0 outside
  };
  // f(d) = b(thickness − d).
  class OfDepth final : public DepthEnergy {
   public:
    explicit OfDepth(const Barrier& barrier) : barrier_(barrier) {}
    double Value(double depth) const override {
      return barrier_.Value(barrier_.thickness() - depth);
    }
    double Slope(double depth) const override {
      return -barrier_.Slope(barrier_.thickness() - depth);
    }

   private:
    const Barrier& barrier_;
  };

  void MakeCells();
  PartCorners CornersOf(const Cell& cell, const Eigen::Matrix3Xd& x,
                        const Eigen::Vector3d& origin) const;
  State StateOf(const ObstacleShape& shape, const PartCorners& corners) const;
  bool PushAt(const Near& near, const PointMotion& motion, double time, const Eigen::Matrix3Xd& x,
              Push* push) const;
  bool DiscretePush(const Near& near, const PointMotion& motion, Push* push) const;
  void Complete(const Near& near, const PointMotion& motion, Push* push) const;
  template <typename Visit>
  void ForEachPush(const PointMotion& motion, bool discrete, const Visit& visit) const;
  Bounds BoxOf(int obstacle, double time, double room) const;
  Bounds BoxOf(const Cell& cell, const Eigen::Matrix3Xd& x) const;
  void Find(const Eigen::Matrix3Xd& x0, const Eigen::Matrix3Xd& x1);
  Eigen::Vector3d OriginOf(int obstacle, double time) const;
  Eigen::Vector3d ShiftOf(int obstacle, const PointMotion& motion) const;
  Eigen::Vector3d FrictionOn(const Push& push, double h) const;

  std::vector<Obstacle> obstacles_;  // bounded ones
  std::vector<int> numbers_;         // of these in the scene
  const ContactPlaces& places_;
  ContactOptions options_;
  Barrier barrier_;
  OfDepth energy_;
  std::vector<Cell> cells_;
  double t0_ = 0.0, t1_ = 0.0;  // s, of the step
  std::vector<Near> near_;      // ascending
};

// The first pair of a body and a bounded obstacle that can pass between places of its surface, whose positions
// at rest are `rest`: in words, or empty.
std::string WhatPassesBetweenPlaces(const Scene& scene, const ContactPlaces& places,
                                    const Eigen::Matrix3Xd& rest);

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_CELL_CONTACT_H_
