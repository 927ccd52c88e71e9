// What a point of a solid stands for. At a point itself a force would sink in without limit as the
// elements become finer, and a hold would let go. So both act on the patch around the point, with its
// weight φ among its neighbours in the body: 1 at it, linear to 0 at the next points of each cell. The
// patch is the same at every refinement. It lies
//   - of a force, on those sides of the boundary whose corners are all under the same load: an even load
//     on a face stays on it;
//   - else on all sides of the boundary around the point;
//   - else, inside the body, in the cells around it; of a hold on the sides between these cells, which are
//     enough for a limit, while a patch in the cells would couple all of their nodes.
// Of a profile, the boundary is its outline. On a sheet φ is made of the functions of its control points,
// by their places, and tends to the same. Other shells and rods have no patches: their theory can bear a force at
// a point.
//
//   force   f_i = f ∫ N_i φ dA / ∫ φ dA
//   hold    the point is where the affine motion a + B (X − X_p) that is nearest to the patch takes it:
//           min ∫ φ |x(X) − a − B (X − X_p)|² dA,   a = Σ w_i x_i
//
// What is held turns and strains with the body: Σ w_i = 1 and Σ w_i X_i = X_p, so that a force of a hold,
// w_i f on the nodes, has its moment about the point. At a corner some w_i are negative.

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_LOAD_PATCHES_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_LOAD_PATCHES_H_

#include <Eigen/SparseCore>
#include <vector>

#include "models/finite_elements/elastic_part.h"

namespace pliant::finite_elements {

// k×m, a row for each of the `points` (numbers of points of the body) under one load; rows sum to one: forces
// on nodes = forces on points · patches.
Eigen::SparseMatrix<double, Eigen::RowMajor> LoadPatches(const ElasticPart& part,
                                                         const std::vector<int>& points);

// k×m, a row of w for each of the `points`, of a solid or a profile.
Eigen::SparseMatrix<double, Eigen::RowMajor> HoldPatches(const ElasticPart& part,
                                                         const std::vector<int>& points);

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_LOAD_PATCHES_H_
