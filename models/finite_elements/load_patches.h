// What a force on points of a body acts on. At a point of a solid it would sink in without limit as the
// elements become finer. So it acts on the patch that the point stands for, with the weight φ of the
// point among its neighbours in the body: 1 at it, linear to 0 at the next points of each cell,
//
//   f_i = f ∫ N_i φ dA / ∫ φ dA,
//
// the same at every refinement. The patch lies
//   - on those sides of the boundary whose corners are all under the same load: an even load on a face
//     stays on it;
//   - else on all sides of the boundary around the point;
//   - else, inside the body, in the cells around it.
// Of a profile, the boundary is its outline. On a sheet φ is made of the functions of its control points,
// by their places, and tends to the same. Of other shells and of rods the force acts at the point, which
// their theory can bear.

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

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_LOAD_PATCHES_H_
