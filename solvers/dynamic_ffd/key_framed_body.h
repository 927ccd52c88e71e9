// A body with key frames [Faloutsos 1995, Sec. 4.10.1]: amplitudes, rotation and position are
// interpolated between keys, so that its motion q(t), v(t), v̇(t) is prescribed until the last key.
//
//   amplitudes    γ(t), component by component
//   turn          in the plane the angle; in space a quaternion, between keys the shorter way: by
//                 slerp (linear), or the normalized C² spline through the quaternions (cubic),
//                 whose angular acceleration is continuous where that of squad jumps
//   place         of one anchor: the centre of mass, displaced from where it starts, or a pinned
//                 point that stays put:  t = x_anchor(t) − R y_anchor(γ)
//
// A segment is pinned when the key it begins with names a point. The point stays at the position
// that the motion has reached; at the first key, at its position in the scene. An unpinned segment
// continues from the end of the previous one, by the change of the displacement.
//
// Cubic is the natural spline: the velocity at the last key is whatever the motion makes it, and is
// handed over to the simulation. Linear is what the source has; its velocity jumps at the keys.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_KEY_FRAMED_BODY_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_KEY_FRAMED_BODY_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "models/dynamic_ffd/ffd_body.h"
#include "models/geometry/spline.h"
#include "solvers/control/tables.h"

namespace pliant::dynamic_ffd {

class KeyFramedBody {
 public:
  // For part `part` that is `body`, whose modes are called `modes`, starting at `q` undeformed
  // (that is where points and centre are displaced from). Throws BadInput with paths such as
  // "key[2].time" for keys that are out of order or name modes or points the body does not have.
  // `morph` is that of the body, if its driven amplitude is one.
  KeyFramedBody(int part, const FfdBody& body, const std::vector<std::string>& modes,
                const VectorRef& q, const KeyFrameTable& table, std::optional<Morph> morph);

  int part() const { return part_; }
  double end() const { return curve_.times().back(); }  // s, of the last key
  // Is the motion prescribed for the whole step, from `time` to `time` + `step`?
  bool Leads(double time, double step) const;

  // The motion at `time` (that of the last key after it): q, v and v̇ of the body.
  void At(const FfdBody& body, double time, MutableVectorRef q, MutableVectorRef v,
          MutableVectorRef a) const;

 private:
  // The point that is moved to a position: the local point y(γ) = y0 + Y γ of the body.
  struct Anchor {
    Eigen::Vector3d y0;  // m
    Eigen::Matrix3Xd Y;  // 3×D
  };
  struct Segment {
    Anchor anchor;
    bool pinned;
    Eigen::Vector3d place;  // of the pinned point; unpinned: of the centre minus its displacement
  };
  struct Turn {
    double angle;                   // rad, in the plane
    Eigen::Quaterniond quaternion;  // in space
    Eigen::Vector3d omega, alpha;   // rad/s, rad/s², world
  };
  static Anchor AnchorOf(const FfdBody& body, std::optional<int> point);
  // Samples the curve, and the amplitudes with the driven one.
  void SampleAt(double time, int segment) const;
  Turn TurnAt(double time, int segment) const;
  // World place of the local point `anchor` in the motion of `segment`.
  Eigen::Vector3d PlaceOf(const Anchor& anchor, double time, int segment) const;

  int part_;
  bool planar_, cubic_;
  std::optional<Morph> morph_;
  Eigen::Index keyed_;  // modes that are keyed: all but the driven one
  // Components: γ, displacement (3), then the angle or the quaternion (s, w), signs aligned.
  KeyedCurve curve_;
  std::vector<Segment> segments_;
  mutable CurveSample sample_, gamma_;  // scratch: of the curve; of all amplitudes
};

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_KEY_FRAMED_BODY_H_
