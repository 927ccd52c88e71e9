// Transfer between the levels of a hierarchy of grids [Harrison 1994, Sec. 5.2]: displacement
// vectors are restricted to the next coarser level, surfaces are prolongated to the next finer one.

#ifndef PLIANT_MODELS_KINEMATIC_RESPONSE_TRANSFER_H_
#define PLIANT_MODELS_KINEMATIC_RESPONSE_TRANSFER_H_

#include <Eigen/Core>
#include <span>

#include "models/geometry/grid_hierarchy.h"

namespace pliant::kinematic_response {

// How a vertex gets its displacement vector from its children: the vertices of the 3×3 block (3×1
// on a curve) around its position on the finer grid, as far as they are in the grid.
enum class Restriction {
  kMaximum,        // the longest child; spreads the displacement quickly
  kAverage,        // centre ≠ 0: the longer of the centre and the mean of the other non-zero
                   // children; centre = 0: as maximum
  kFullWeighting,  // mean with weights 4 (centre), 2 (edge), 1 (corner), zeros included. The source
                   // names it only as future work; at borders the weights in the grid are
                   // normalised
  kCombined,       // half of the longest child and half of a full weighting over the larger 5×5
                   // block, weights (1, 4, 6, 4, 1) along each axis: the combination of the two
                   // that the source names as future work
};

// Of vectors of equal length the first wins, row by row. Lengths that differ by less than one part
// in 10⁸ count as equal: otherwise rounding would decide between the mirror images of a symmetric
// contact, and the response would depend on the position of the scene.
inline constexpr double kEqualSquaredLengths = 1.0 + 2e-8;

// The vector of a vertex from those of its children, rows index[…] of `displacements`, of which
// number `centre` is the vertex itself; `weight` of each in full weighting, also the one of the
// combined operator.
Eigen::Vector3d RestrictChildren(Restriction restriction, const GridVectors& displacements,
                                 std::span<const int> index, std::span<const double> weight,
                                 int centre);

// `coarse` is the level below `fine`; `restricted` has its size. O(vertices).
void Restrict(Restriction restriction, const GridSize& fine, const GridVectors& displacements,
              const GridSize& coarse, GridVectors* restricted);

// The same for the vertices u in [begin, end) of row `v` of the coarser grid. Returns whether any
// of them is not zero.
bool RestrictRow(Restriction restriction, const GridSize& fine, const GridVectors& displacements,
                 const GridSize& coarse, int v, int begin, int end, GridVectors* restricted);

// How new vertices are interpolated between those of the coarser level. An axis that wraps has no
// borders.
enum class Prolongation {
  kLinear,  // mean of the two ends of an edge, of the four corners of a cell
  kCubic,   // (−1, 9, 9, −1)/16 along each axis; one-sided next to a border:
            // (5, 15, −5, 1)/16, with three samples (3, 6, −1)/8, with two (1, 1)/2. Exact for
            // cubics where there are four samples
  kSubdivision,  // refinement of a cubic B-spline along each axis: new vertices (1, 1)/2, old ones
                 // (1, 6, 1)/8 and kept at borders. Smooths; reproduces linear functions
};

// `fine` is the level above `coarse`; `prolongated` has its size. O(vertices).
void Prolongate(Prolongation prolongation, const GridSize& coarse, const GridVectors& values,
                const GridSize& fine, GridVectors* prolongated);

// One coordinate of the vertices u in [begin, end) of row `v` of the finer grid, written to row[u];
// `begin` is even, and row[end] may be written to. `values` are that coordinate on the coarser
// grid, `scratch` has room for coarse.nu numbers.
void ProlongateRow(Prolongation prolongation, const GridSize& coarse, const double* values, int v,
                   int begin, int end, double* scratch, double* row);

// The coarse samples from which the samples [begin, end) of the finer of two axes are prolongated:
// samples [first, last] of the n of the coarser one, which go beyond its ends where it wraps, with
// weights whose magnitudes add up to no more than `weight`.
struct AxisReach {
  int first, last;
  double weight;
};
AxisReach ReachOnAxis(Prolongation prolongation, int n, bool wraps, int begin, int end);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_MODELS_KINEMATIC_RESPONSE_TRANSFER_H_
