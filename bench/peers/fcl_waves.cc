// FCL: a hierarchy of boxes along the axes, refitted each step, and its test of triangles.

#include <fcl/narrowphase/collision.h>

#include "bench/peers/waves.h"

namespace pliant {
namespace {

using Box = fcl::AABBd;

class FclPairs final : public PairFinder {
 public:
  FclPairs(const WavingSheet& below, const WavingSheet& above) {
    Make(below, &below_);
    Make(above, &above_);
  }
  long Count(const WavingSheet& below, const WavingSheet& above) override {
    Update(below, &below_);
    Update(above, &above_);
    fcl::CollisionRequestd request(1 << 20, false);
    result_.clear();
    fcl::collide(&below_, fcl::Transform3d::Identity(), &above_, fcl::Transform3d::Identity(),
                 request, result_);
    return static_cast<long>(result_.numContacts());
  }

 private:
  void Place(const WavingSheet& sheet) {
    points_.clear();
    for (Eigen::Index i = 0; i < sheet.x.cols(); ++i) points_.emplace_back(sheet.x.col(i));
  }
  void Make(const WavingSheet& sheet, fcl::BVHModel<Box>* model) {
    Place(sheet);
    std::vector<fcl::Triangle> triangles;
    for (const auto& face : sheet.faces) triangles.emplace_back(face[0], face[1], face[2]);
    model->beginModel();
    model->addSubModel(points_, triangles);
    model->endModel();
  }
  void Update(const WavingSheet& sheet, fcl::BVHModel<Box>* model) {
    Place(sheet);
    // Its update keeps the positions before and fits boxes around the way between: replacing fits them to the positions.
    model->beginReplaceModel();
    model->replaceSubModel(points_);
    model->endReplaceModel(true, true);
  }
  fcl::BVHModel<Box> below_, above_;
  std::vector<fcl::Vector3d> points_;
  fcl::CollisionResultd result_;
};

const RegisterPairEngine registered({"FCL", [](const WavingSheet& below, const WavingSheet& above) {
                                       return std::make_unique<FclPairs>(below, above);
                                     }});

}  // namespace
}  // namespace pliant
