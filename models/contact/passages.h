// What goes through an obstacle or another body, and when and where.
//
// Between two times at which the points are shown, every point and every origin of an obstacle is
// taken to move straight: whatever passes between is found, however thin and fast it is.
//
//   obstacle   A face, an edge or a lone point goes through one that is bounded when it comes deeper
//              than a quarter of its smallest thickness and leaves it by a side that faces away from
//              that by which it came: the normals at both places make more than a right angle, by 6 degrees. What
//              slides along or rolls off is not meant, nor what leaves by the next side of a block
//              that rounding or a strain has made a little more than perpendicular.
//   body       A point goes through a body without volume (in the plane: without area) when it
//              passes a face (an edge); through one with it when it has come in by one face and
//              leaves by another that faces away from the first likewise, on a way that leads deeper below its surface
//              than a quarter of the thickness of the body. In space edges that belong to no face go through one another, too, and edges
//              through bodies with volume (edge_passages.h). Bodies that are attached to one another are left out.

#ifndef PLIANT_MODELS_CONTACT_PASSAGES_H_
#define PLIANT_MODELS_CONTACT_PASSAGES_H_

#include <Eigen/Core>
#include <array>
#include <map>
#include <memory>
#include <vector>

#include "models/collision/box_tree.h"
#include "models/contact/edge_passages.h"
#include "models/contact/scene_parts.h"

namespace pliant {

struct Passage {
  double time;            // s, when it was through
  Eigen::Vector3d place;  // m, of the part that went through: where it left
  int body;
  int obstacle = -1, other = -1;  // what it went through: an obstacle, or a body
};

class Passages {
 public:
  explicit Passages(std::shared_ptr<const Scene> scene);

  // The points at a later time than before. O(parts) where few are near obstacles or other bodies.
  void Add(double time, const PointColumns& x);

  // The first of each body and obstacle, and of each two bodies, in the order of the times of Add().
  const std::vector<Passage>& found() const { return found_; }

 private:
  struct Entry {
    bool inside = false;
    double deepest = 0.0;    // m
    Eigen::Vector3d normal;  // outwards, where it came in
    // Of a body the facet by which it came in, and the place on it by the weights of its second and third corner.
    int facet = -1;
    double u = 0.0, v = 0.0;
  };
  void AddObstacle(int obstacle, double time, const PointColumns& x);
  void Follow(int obstacle, double time, const PointColumns& x, int part, Entry* entry);
  void AddBodies(double time, const PointColumns& x);
  // A point that changes sides of a facet where it meets it, at the share `at` of the time between.
  struct Hit {
    double at;
    int facet;
    bool enters;  // from the outer side
    Eigen::Vector3d normal;
    double u, v;  // place on the facet
  };
  void FindHit(int point, int facet, const PointColumns& x);
  void Take(int point, const Hit& hit, double time, const PointColumns& x);
  void Keep(const Passage& passage);
  std::vector<Passage>::iterator Find(int body, int obstacle, int other);
  bool KnownBefore(int body, int obstacle, int other);  // than the last time of Add()

  std::shared_ptr<const Scene> scene_;
  SceneParts parts_;
  std::vector<std::array<int, 3>> facets_;  // what points go through: faces, in the plane edges
  std::vector<int> body_of_facet_;          // (with their second corner twice)
  std::vector<std::array<int, 2>> lone_edges_;
  std::vector<int> body_of_lone_edge_;
  std::vector<double> thickness_;  // m, by body
  EdgePassages edges_;
  BoxTree part_tree_, facet_tree_, lone_tree_, body_tree_;
  std::vector<Bounds> body_bounds_;           // swept since the last time
  std::vector<std::array<int, 2>> attached_;  // bodies, sorted
  // Of what has been near: {obstacle, part} and {body, point}. A table of all would grow with their
  // product.
  std::map<std::array<int, 2>, Entry> into_obstacles_, into_bodies_;
  Eigen::Matrix3Xd before_;  // m, at time_
  double time_ = 0.0;        // s
  bool started_ = false;
  double tolerance_;       // m
  std::vector<Hit> hits_;  // of one point
  std::vector<Passage> found_;
};

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_PASSAGES_H_
