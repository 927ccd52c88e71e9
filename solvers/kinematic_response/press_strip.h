// The inner loops of the deforming stage, on strips of vertices (see kinematic_response.h). They
// have no branches, so that they vectorise.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_PRESS_STRIP_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_PRESS_STRIP_H_

#include <Eigen/Geometry>

#include "models/kinematic_response/surface.h"

namespace pliant::kinematic_response {

// Controls of the vertices of one strip.
struct StripControls {
  StripValues absorption;  // α
  StripValues damping;     // γ
  StripValues retention;   // ρ
  bool directed;           // does any depend on the direction?
};

// The box around vertices [begin, begin + count) [m]; infinite where one of their coordinates is no
// finite number.
Eigen::AlignedBox3d BoxAround(const GridVectors& points, int begin, int count);

// Largest squared distance of a vertex of the strip from `before` to `after` [m²].
double LargestSquaredMove(const FramedStrip& strip, const StripVectors& before,
                          const GridVectors& after);

// Of the pressed vertices of the strip, |d| > shortest: their number, and the largest squares of
// |d| and of their distance from `before` to `after` [m²].
struct PressedVertices {
  int count = 0;
  double displacement = 0.0, move = 0.0;
};
PressedVertices LookAtPressed(const FramedStrip& strip, double shortest,
                              const GridVectors& displacements, const StripVectors& before,
                              const GridVectors& after);

// Pressed vertices, |d| > shortest: o ← o + γ Fᵀ(x h); others: o ← ρ o. `S` is the relaxed surface.
// The finest level takes all that is left. O(strip), about 5 ns a vertex.
void PressStrip(const FramedStrip& strip, const StripControls& controls, bool finest,
                double shortest, const GridVectors& rest, const GridVectors& plastic,
                const GridVectors& displacements, const GridVectors& S, GridVectors* elastic);

// Pressed vertices with a rest offset, |d| and |r| > shortest: w = r + o + p recovers the share σ
// of the change of its length, w ← w (1 + σ (|r|/|w| − 1)).
void StiffenStrip(const FramedStrip& strip, const StripValues& stiffness, double shortest,
                  const GridVectors& rest, const GridVectors& plastic,
                  const GridVectors& displacements, GridVectors* elastic);

// o ← ρ o, and to zero where it is shorter than `vanishing`.
void RecoverStrip(const FramedStrip& strip, const StripValues& retention, double vanishing,
                  GridVectors* elastic);

// The part beyond the yield limit of its direction becomes plastic.
void YieldStrip(const FramedStrip& strip, const StripValues& yield, bool directed,
                GridVectors* elastic, GridVectors* plastic);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_PRESS_STRIP_H_
