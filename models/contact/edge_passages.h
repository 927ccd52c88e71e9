// Edges that go through a body with volume, in space, where no corner of either body does: two beams that cross.
//
// An edge a of a body meets an edge b of another at the place c, where the common normal n ∥ a × b, outwards of the other
// body, is one of the normals that its surface has along b: both faces at b lie behind the plane through c. Moving inwards
// a comes in there, moving outwards it leaves. It has gone through when it leaves by a side that faces away from that by which
// it came, and the way between both places leads deeper below the surface than a quarter of the thickness of the body,
//
//   n_in·n_out < −0.1,      depth on the way from c_in to c_out > t/4,      t = 2 V/A
//
// (of a plate: its thickness; of a cube: a third of its side) with c_in carried along by b. Between two times all corners move
// straight.

#ifndef PLIANT_MODELS_CONTACT_EDGE_PASSAGES_H_
#define PLIANT_MODELS_CONTACT_EDGE_PASSAGES_H_

#include <Eigen/Core>
#include <array>
#include <functional>
#include <map>
#include <vector>

#include "models/collision/box_tree.h"
#include "models/contact/scene_parts.h"

namespace pliant {

// 2 V/A of each body at these points, in the plane 2 A/U; 0 of one that takes up no space [m].
std::vector<double> ThicknessOfBodies(const SceneParts& parts, const PointColumns& x);

// How deep the straight way between two places leads below the surface of a body at these points, at seven places of it [m].
double DepthOfWay(const SceneParts& parts, int body, const PointColumns& x,
                  const Eigen::Vector3d& from, const Eigen::Vector3d& to);

// Normals that are turned by more than this beyond a right angle face away from each other (sine), and the part of the
// thickness that is through.
inline constexpr double kFacingAway = 0.1, kThrough = 0.25;

class EdgePassages {
 public:
  EdgePassages(const SceneParts& parts, const PointColumns& start);

  // `apart`: may these two bodies go through one another? `report(at, place, body, other)` at the share `at` of the time
  // between `before` and `x`.
  void Add(const SceneParts& parts, const PointColumns& before, const PointColumns& x,
           double tolerance, const std::function<bool(int, int)>& apart,
           const std::function<void(double, const Eigen::Vector3d&, int, int)>& report);

 private:
  struct Edge {
    std::array<int, 2> ends;
    std::array<int, 2> beside;  // the third corner of either face
    std::array<std::array<int, 3>, 2> faces;
    int body;
  };
  // Edge `a` meets `b` of the other body.
  struct Meeting {
    int a, b;
    double at, along;  // share of the time, and of b from its first end
    bool enters;
    Eigen::Vector3d normal;  // unit, outwards of the body of b
    Eigen::Vector3d place;
  };
  struct Entry {
    int b;
    double along;
    Eigen::Vector3d normal;
  };
  void FindMeeting(int a, int b, const PointColumns& before, const PointColumns& x,
                   double tolerance);
  void Take(const Meeting& meeting, const SceneParts& parts, const PointColumns& before,
            const PointColumns& x,
            const std::function<void(double, const Eigen::Vector3d&, int, int)>& report);

  std::vector<Edge> edges_;
  std::vector<double> thickness_;  // m, by body
  BoxTree tree_;
  std::map<std::array<int, 2>, Entry> inside_;  // {edge a, other body}
  std::vector<Meeting> meetings_;
};

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_EDGE_PASSAGES_H_
