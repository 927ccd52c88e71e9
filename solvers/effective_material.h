// What a body holds of its material at small strain, measured on the body that a formulation built: it
// is stretched, compressed and sheared evenly, x = (1 + ε) X, and the energy is read.
//
//   q(ε) = (V(h ε) + V(−h ε))/h² = vol ε : C : ε        C_ij = (q(e_i + e_j) − q(e_i − e_j))/(4 vol)
//   S = C⁻¹ of the strains that the body can take       E_a = 1/S_aa,   ν_ab = −S_ab/S_aa
//
// A strain that the body cannot take is one that does not happen: what keeps its width has ν = 0 and a
// stiffness that is that of a body that keeps its width. The damping ratio is ½ (α/ω + β ω) of the
// lowest lengthwise vibration of the free body, ω = π/L √(E/ρ), with β = (power lost)/(ε̇ : C : ε̇ vol)
// of a stretch along its length at rest.

#ifndef PLIANT_SOLVERS_EFFECTIVE_MATERIAL_H_
#define PLIANT_SOLVERS_EFFECTIVE_MATERIAL_H_

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/simulation.h"

namespace pliant {

struct MaterialProbe {
  std::vector<Eigen::Vector3d> axes;  // of the body frame along which it is strained: 1, 2 or 3,
                                      // orthonormal, the first along its length
  double volume = 0.0;                // m³
  double length = 0.0;                // m, along the first axis
  double mass = 0.0;                  // kg, what moves
  // V [J] of the body at rest deformed by F; absent where it cannot take this shape.
  std::function<std::optional<double>(const Eigen::Matrix3d& F)> energy;
  // Power [W] ≥ 0 that damping takes at rest from the even rate of strain L [1/s].
  std::function<double(const Eigen::Matrix3d& rate)> loss = {};
  double mass_damping = 0.0;  // α [1/s]
};

struct EffectiveMaterial {
  std::vector<std::optional<double>> youngs_moduli;  // along each axis [Pa]; absent: rigid
  std::optional<double> poisson_ratio;               // from the first axis to the second
  double density = 0.0;                              // kg/m³
  std::optional<double> damping_ratio;
  std::optional<double> frequency;  // Hz, at which it is damped so
};
EffectiveMaterial Measure(const MaterialProbe& probe);

// "E = 1e+05 Pa, ν = 0.3, 1000 kg/m³, damping ratio 0.02 at 5 Hz"
std::string InWords(const EffectiveMaterial& material);

// The axes, volume and length of a body with a material: a solid, a surface or planar body, a line.
// Its mass is that of its points.
MaterialProbe ProbeOf(const Body& body, int world_dimension);

// Of a net whose edges are springs of this compliance [m/N], or keep their lengths where it is 0. It has the
// Poisson's ratio of its triangles or squares, whatever the material asks for.
MaterialProbe NetProbe(const Body& body, int world_dimension, double compliance);

// Measures the body and says in its entry "body.NAME.material" of the record what it holds, and in one
// table of all bodies among the findings. Does nothing for a body without a material.
void AddMeasured(const Body& body, const MaterialProbe& probe, Translation* translation);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_EFFECTIVE_MATERIAL_H_
