// The treatments of affine_step.h, each compiled separately for every size of body.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_AFFINE_TREATMENTS_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_AFFINE_TREATMENTS_H_

#include <memory>
#include <vector>

#include "solvers/linear_deformation/affine_step.h"

namespace pliant::linear_deformation {

std::unique_ptr<AffineStep> MakeExplicitAffineStep(const Scene& scene,
                                                   const std::vector<LinearBody>& bodies,
                                                   const std::vector<LinearMaterial>& materials,
                                                   const FeedbackOptions& feedback,
                                                   const ConstraintMatrix& matrix);
std::unique_ptr<AffineStep> MakeImplicitAffineStep(const Scene& scene,
                                                   const std::vector<LinearBody>& bodies,
                                                   const std::vector<LinearMaterial>& materials,
                                                   const FeedbackOptions& feedback, bool linearised,
                                                   const ConstraintMatrix& matrix);

// make.template operator()<D, M>() of the dimensions d and μ of the bodies.
template <typename Make>
std::unique_ptr<AffineStep> WithAffineSizes(const Scene& scene,
                                            const std::vector<LinearBody>& bodies, Make make) {
  switch (10 * scene.dimension + bodies[0].material_dimension()) {
    case 21:
      return make.template operator()<2, 1>();
    case 22:
      return make.template operator()<2, 2>();
    case 31:
      return make.template operator()<3, 1>();
    case 32:
      return make.template operator()<3, 2>();
    default:
      return make.template operator()<3, 3>();
  }
}

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_AFFINE_TREATMENTS_H_
