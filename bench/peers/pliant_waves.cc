#include "bench/peers/waves.h"
#include "models/collision/box_tree.h"
#include "models/collision/crossing.h"

namespace pliant {
namespace {

class PliantPairs final : public PairFinder {
 public:
  PliantPairs(const WavingSheet& below, const WavingSheet& above)
      : below_(Boxes(below)), above_(Boxes(above)), first_(below.x.cols()) {
    x_.resize(3, first_ + above.x.cols());
  }
  long Count(const WavingSheet& below, const WavingSheet& above) override {
    below_.Refit([&](int f) { return BoxOf(below, f); });
    above_.Refit([&](int f) { return BoxOf(above, f); });
    x_.leftCols(first_) = below.x;
    x_.rightCols(above.x.cols()) = above.x;
    long pairs = 0;
    const auto offset = static_cast<int>(first_);
    below_.ForEachPair(above_, [&](int i, int j) {
      const auto& a = below.faces[i];
      auto b = above.faces[j];
      for (int& corner : b) corner += offset;
      for (int s = 0; s < 3; ++s) {
        if (EdgeCrossesFace(x_, {a[s], a[(s + 1) % 3]}, b) ||
            EdgeCrossesFace(x_, {b[s], b[(s + 1) % 3]}, a)) {
          ++pairs;
          return;
        }
      }
    });
    return pairs;
  }

 private:
  static Bounds BoxOf(const WavingSheet& sheet, int f) {
    const auto& face = sheet.faces[f];
    Bounds box = Bounds::Of(sheet.x.col(face[0]), sheet.x.col(face[1]));
    box.Take(Eigen::Vector3d(sheet.x.col(face[2])));
    return box;
  }
  static BoxTree Boxes(const WavingSheet& sheet) {
    std::vector<Bounds> boxes;
    for (int f = 0; f < static_cast<int>(sheet.faces.size()); ++f) boxes.push_back(BoxOf(sheet, f));
    return BoxTree(boxes);
  }
  BoxTree below_, above_;
  Eigen::Index first_;
  Eigen::Matrix3Xd x_;
};

const RegisterPairEngine registered({"Pliant",
                                     [](const WavingSheet& below, const WavingSheet& above) {
                                       return std::make_unique<PliantPairs>(below, above);
                                     }});

}  // namespace
}  // namespace pliant
