// Bullet: the trees of its soft bodies (btDbvt), which are refitted each step, and the test of triangles of its
// GImpact meshes.

#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <BulletCollision/Gimpact/btTriangleShapeEx.h>

#include <cstdint>

#include "bench/peers/waves.h"

namespace pliant {
namespace {

class BulletPairs final : public PairFinder {
 public:
  BulletPairs(const WavingSheet& below, const WavingSheet& above) {
    Make(below, &below_);
    Make(above, &above_);
  }
  long Count(const WavingSheet& below, const WavingSheet& above) override {
    Refit(below, below_.m_root);
    Refit(above, above_.m_root);
    Visit visit{below, above};
    below_.collideTT(below_.m_root, above_.m_root, visit);
    return visit.pairs;
  }

 private:
  static btVector3 At(const WavingSheet& sheet, int point) {
    return {sheet.x(0, point), sheet.x(1, point), sheet.x(2, point)};
  }
  static btDbvtVolume BoxOf(const WavingSheet& sheet, int f) {
    const btVector3 corners[3] = {At(sheet, sheet.faces[f][0]), At(sheet, sheet.faces[f][1]),
                                  At(sheet, sheet.faces[f][2])};
    return btDbvtVolume::FromPoints(corners, 3);
  }
  static void Make(const WavingSheet& sheet, btDbvt* tree) {
    for (std::intptr_t f = 0; f < static_cast<std::intptr_t>(sheet.faces.size()); ++f) {
      tree->insert(BoxOf(sheet, static_cast<int>(f)), reinterpret_cast<void*>(f));
    }
    tree->optimizeTopDown();
  }
  // From the leaves to the root, as its soft bodies do with their faces.
  static void Refit(const WavingSheet& sheet, btDbvtNode* node) {
    if (node->isleaf()) {
      node->volume = BoxOf(sheet, static_cast<int>(reinterpret_cast<std::intptr_t>(node->data)));
      return;
    }
    Refit(sheet, node->childs[0]);
    Refit(sheet, node->childs[1]);
    Merge(node->childs[0]->volume, node->childs[1]->volume, node->volume);
  }
  struct Visit : btDbvt::ICollide {
    Visit(const WavingSheet& below, const WavingSheet& above) : below(below), above(above) {}
    static btPrimitiveTriangle TriangleOf(const WavingSheet& sheet, const btDbvtNode* leaf) {
      const auto& face = sheet.faces[reinterpret_cast<std::intptr_t>(leaf->data)];
      btPrimitiveTriangle triangle;
      for (int c = 0; c < 3; ++c) triangle.m_vertices[c] = At(sheet, face[c]);
      triangle.m_margin = 0.0;
      triangle.buildTriPlane();
      return triangle;
    }
    void Process(const btDbvtNode* a, const btDbvtNode* b) override {
      btPrimitiveTriangle one = TriangleOf(below, a), other = TriangleOf(above, b);
      if (!one.overlap_test_conservative(other)) return;
      GIM_TRIANGLE_CONTACT contact;
      if (one.find_triangle_collision_clip_method(other, contact)) ++pairs;
    }
    const WavingSheet &below, &above;
    long pairs = 0;
  };
  btDbvt below_, above_;
};

const RegisterPairEngine registered({"Bullet",
                                     [](const WavingSheet& below, const WavingSheet& above) {
                                       return std::make_unique<BulletPairs>(below, above);
                                     }});

}  // namespace
}  // namespace pliant
