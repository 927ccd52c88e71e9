// Deformation modes: displacements of the control points of a lattice, each with an amplitude γ_k
// that is a generalized coordinate [Faloutsos 1995, Sec. 4.3].
//
// A mode is drawn control point by control point, or is a shape of the library, or a weighted
// sum of other modes. γ = 1 is the displacement as drawn. The source states |γ| ≤ 1 and never
// enforces it; here a mode may have limits, and without them only the potential keeps it
// small.

#ifndef PLIANT_MODELS_DYNAMIC_FFD_MODES_H_
#define PLIANT_MODELS_DYNAMIC_FFD_MODES_H_

#include <Eigen/Core>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "models/dynamic_ffd/mode_shapes.h"
#include "models/dynamic_ffd/strain_energy.h"
#include "models/geometry/lattice.h"

namespace pliant::dynamic_ffd {

// A part of a mode that is a sum: another mode of the table and its weight.
struct BlendPart {
  int mode;
  double weight;
};

struct DeformationMode {
  std::string name;
  Eigen::Matrix3Xd displacements;        // 3×P, d^k_ij at γ = 1, in lattice axes [m]; or
  std::optional<ModeShape> shape = {};   // of the library; or
  std::vector<BlendPart> blend = {};     // a sum
  std::optional<double> stiffness = {};  // K in the potential V = K |γ|^p [J], ≥ 0; or
  std::optional<double> frequency = {};  // of free vibration in this mode alone [Hz], which gives
                                         // K; or neither: the material's, else 0
  double exponent = 2.0;                 // p, ≥ 2; not 2 only where K is `stiffness`
  double damping = 0.0;                  // D in the force −D γ̇ [J s], ≥ 0; or
  std::optional<double> damping_ratio = {};  // 1, of critical damping in this mode alone
  double initial = 0.0, initial_rate = 0.0;  // γ [1] and γ̇ [1/s] at the start
  double lower = -std::numeric_limits<double>::infinity();  // limits of γ: hard stops
  double upper = std::numeric_limits<double>::infinity();
  int lattice = 0;     // of the table, which it deforms
  bool in_use = true;  // false: only a part of sums, or not selected
};

// A lattice as described by a table: for a body or a part of one.
struct LatticePlan {
  std::string name;                                  // empty for that of the whole body
  LatticeBases bases = BernsteinBases({3, 3, 0});    // 4×4 control points as in the source
  Eigen::Vector3d size = Eigen::Vector3d::Ones();    // m, the box that it was drawn for
  Eigen::Vector3d lower = Eigen::Vector3d::Zero();   // the part of the body's box that it covers,
  Eigen::Vector3d upper = Eigen::Vector3d::Ones();   // 0 … 1 along each axis
  Eigen::Matrix3Xd points = Eigen::Matrix3Xd(3, 0);  // of an extended lattice, drawn in its box [m]
};

// The material that determines the stiffness of modes that do not state one.
struct ModeMaterial {
  ElasticMaterial elastic;
  std::optional<double> density;    // kg/m³: the volume of a body is its mass over it; or it fills
  std::optional<double> thickness;  // its box, with this thickness [m] in the plane
};

struct ModeTable {
  std::vector<LatticePlan> lattices = {LatticePlan()};  // the first is that of the whole body
  std::vector<DeformationMode> modes;
  std::optional<ModeMaterial> material;

  // Displacements of mode k on `lattice`, which is placed according to the plan of the mode. Drawn
  // displacements are scaled componentwise to its extent. Throws BadInput as ShapeDisplacements
  // does, naming the mode.
  Eigen::Matrix3Xd DisplacementsOn(const Lattice& lattice, int k) const;
};

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_MODELS_DYNAMIC_FFD_MODES_H_
