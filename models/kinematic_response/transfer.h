// Transfer between the levels of a hierarchy of grids [Harrison 1994, Sec. 5.2]: displacement
// vectors are restricted to the next coarser level, surfaces are prolongated to the next finer one.

#ifndef PLIANT_MODELS_KINEMATIC_RESPONSE_TRANSFER_H_
#define PLIANT_MODELS_KINEMATIC_RESPONSE_TRANSFER_H_

#include "models/geometry/grid_hierarchy.h"

namespace pliant {

// How a vertex gets its displacement vector from its children, the vertices of the 3×3 block (3×1
// on a curve) around its own place on the finer grid, as far as they are in the grid.
enum class Restriction {
  kMaximum,        // the longest child; carries the displacement across the surface quickly
  kAverage,        // centre ≠ 0: the longer of the centre and the mean of the other non-zero
                   // children; centre = 0: as maximum
  kFullWeighting,  // mean with weights 4 (centre), 2 (edge), 1 (corner), zeros included. The source
                   // names it only as future work; at borders the weights in the grid are
                   // normalised
};

// Of vectors of equal length the first wins, row by row. Lengths that differ by less than a part in
// 10⁸ are equal: otherwise rounding would decide between the mirror images of a symmetric contact,
// and a scene would answer in another way when seen from another place.
inline constexpr double kEqualSquaredLengths = 1.0 + 2e-8;

// `coarse` is the level below `fine`; `restricted` has its size. O(vertices).
void Restrict(Restriction restriction, const GridSize& fine, const GridVectors& displacements,
              const GridSize& coarse, GridVectors* restricted);

// How new vertices are interpolated between those of the coarser level.
enum class Prolongation {
  kLinear,  // mean of the two ends of an edge, of the four corners of a cell
  kCubic,  // (−1, 9, 9, −1)/16 along each axis; one-sided next to a border: (5, 15, −5, 1)/16, with
           // three samples (3, 6, −1)/8, with two (1, 1)/2. Exact for cubics where there are four
           // samples
};

// `fine` is the level above `coarse`; `prolongated` has its size. O(vertices).
void Prolongate(Prolongation prolongation, const GridSize& coarse, const GridVectors& values,
                const GridSize& fine, GridVectors* prolongated);

// One coordinate of row `v` of the finer grid, fine.nu numbers written to `row`; `values` are that
// coordinate on the coarser grid, `scratch` has room for coarse.nu numbers.
void ProlongateRow(Prolongation prolongation, const GridSize& coarse, const double* values, int v,
                   double* scratch, double* row);

}  // namespace pliant

#endif  // PLIANT_MODELS_KINEMATIC_RESPONSE_TRANSFER_H_
