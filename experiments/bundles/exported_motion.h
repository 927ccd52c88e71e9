// The motion of a bundle frame by frame, with what other programs cannot derive from it: at each
// point of the scene
//
//   body              number of its body
//   velocity_m_s      where the formulation has velocities
//   rest_m            where it would be without deformation: the rest shape, placed where the body starts
//   displacement_m    point − rest_m
//   strain            Green's strain of its cells (models/scene/body_strain.h), in the body frame
//   stress            of finite elements, of cells that fill a volume: Cauchy's (models/elasticity/cell_stress.h)
//   constraint_force_N, contact_force_N   where the scene has holds or contacts and the formulation
//                     knows their forces (Simulation::ConstraintForces, solvers/contact_forces.h)
//
// and the elements that the method computes with: lattice, segments, points and arrays of levels.
// Bundles hold neither forces nor elements: the simulation is restored at each recorded time, and the
// steps from the time before are made again, where there is anything that only a step knows. Where these lead elsewhere, as after a change by hand or
// on another processor, forces of the last step are NaN.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_EXPORTED_MOTION_H_
#define PLIANT_EXPERIMENTS_BUNDLES_EXPORTED_MOTION_H_

#include <Eigen/Core>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "models/scene/body_strain.h"

namespace pliant {

struct ExportedArray {
  std::string name;  // with its unit: "displacement_m"
  std::string unit, meaning;
  Eigen::MatrixXd values;  // components × points or cells; 6 components are xx, yy, zz, xy, yz, xz
};

// Elements of the method: lines, or points with arrays.
struct ExportedElements {
  std::string name;         // "lattice", "level 1"
  Eigen::Matrix3Xd points;  // 3×n [m]
  std::vector<std::array<int, 2>> lines;
  std::vector<ExportedArray> arrays;  // at its points
};

struct ExportedFrame {
  double time = 0.0;                     // s
  Eigen::Matrix3Xd points;               // 3×n, of all bodies [m]
  std::vector<ExportedArray> arrays;     // at the points; the same ones in every frame
  std::vector<Eigen::MatrixXd> strains;  // of the cells of each body, 6×cells
  // Cauchy's stress of the cells of each body [Pa], 6×cells; without columns where the method has none to show.
  std::vector<Eigen::MatrixXd> stresses;
  std::vector<ExportedElements> elements;
};

class ExportedMotion {
 public:
  // Without `again` there are neither forces nor elements, and no step is made.
  ExportedMotion(const Bundle& bundle, bool again);
  ~ExportedMotion();

  ExportedFrame At(size_t frame);
  const std::vector<std::vector<BodyCell>>& cells() const { return cells_; }  // of each body
  // Frames so far whose steps, made again, led elsewhere.
  size_t frames_elsewhere() const { return elsewhere_; }

 private:
  void GoTo(size_t frame);
  void AddShape(ExportedFrame* frame) const;
  void AddForces(ExportedFrame* frame) const;
  void AddElements(ExportedFrame* frame) const;

  const Bundle& bundle_;
  const Scene& scene_;
  Eigen::Matrix3Xd rest_;  // 3×n, world [m]
  std::vector<std::vector<BodyCell>> cells_;
  bool has_stress_;                         // does the method solve the law of the material?
  std::unique_ptr<Simulation> simulation_;  // null: no step is made
  bool constraint_forces_ = false, contact_forces_ = false;
  bool steps_again_ = false;  // is anything exported that only a step knows?
  size_t elsewhere_ = 0;
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_EXPORTED_MOTION_H_
