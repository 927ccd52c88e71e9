#include "solvers/kinematic_response/skin.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;

class SkeletonReader {
 public:
  explicit SkeletonReader(const MatrixTable& table) : table_(table) {}

  std::vector<Bone> Read() {
    RequireKnown();
    for (const NamedMatrix& entry : Group("bone")) ReadBone(entry);
    if (bones_.empty()) Fail("the skeleton has no bones", "add a [[bone]]");
    for (const NamedMatrix& entry : Group("turn")) ReadTurn(entry);
    return std::move(bones_);
  }

 private:
  [[noreturn]] void Fail(const std::string& what, const std::string& mend) const {
    throw BadInput(
        {"skeleton", table_.file.empty() ? what : what + " (in " + table_.file + ")", mend});
  }

  const std::vector<NamedMatrix>& Group(const std::string& kind) const {
    static const std::vector<NamedMatrix> none;
    const auto found = table_.groups.find(kind);
    return found == table_.groups.end() ? none : found->second;
  }

  template <typename Values>
  void RequireKeys(const Values& given, const std::vector<std::string>& known,
                   const std::string& of) const {
    for (const auto& [key, value] : given) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      Fail("unknown key '" + key + "' in " + of, DidYouMean(key, known));
    }
  }

  void RequireKnown() const {
    if (!table_.entries.empty()) {
      Fail("a skeleton has no [[entry]]", "it is made of [[bone]] and [[turn]]");
    }
    RequireKeys(table_.groups, {"bone", "turn"}, "the skeleton");
    RequireKeys(table_.scalars, {}, "the skeleton");
    RequireKeys(table_.texts, {}, "the skeleton");
  }

  int Find(const std::string& name) const {
    for (int i = 0; i < static_cast<int>(bones_.size()); ++i) {
      if (bones_[i].name == name) return i;
    }
    return -1;
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const Bone& bone : bones_) names.push_back(bone.name);
    return names;
  }

  void ReadBone(const NamedMatrix& entry) {
    const std::string of = "bone '" + entry.name + "'";
    RequireKeys(entry.scalars, {"radius"}, of);
    RequireKeys(entry.texts, {"parent"}, of);
    RequireKeys(entry.weights, {}, of);
    if (Find(entry.name) >= 0) Fail("two bones are named '" + entry.name + "'", "rename one");
    if (entry.values.rows() != 2 || entry.values.cols() != 3 || !entry.values.allFinite()) {
      Fail(of + " needs its two ends", "give values = [[x, y, z], [x, y, z]] in m");
    }
    Bone bone;
    bone.name = entry.name;
    bone.start = entry.values.row(0);
    bone.end = entry.values.row(1);
    if (bone.start == bone.end) Fail(of + " has no length", "move one of its ends");
    const auto radius = entry.scalars.find("radius");
    if (radius == entry.scalars.end()) Fail(of + " lacks 'radius'", "give its radius in m");
    bone.radius = radius->second;
    if (!(bone.radius > 0.0 && std::isfinite(bone.radius))) {
      Fail("the radius of " + of + " is out of range", "it is more than 0");
    }
    if (const auto parent = entry.texts.find("parent"); parent != entry.texts.end()) {
      bone.parent = Find(parent->second);
      if (bone.parent < 0) {
        Fail("the parent '" + parent->second + "' of " + of + " is not a bone listed before it",
             DidYouMean(parent->second, Names()));
      }
    }
    bones_.push_back(std::move(bone));
  }

  void ReadTurn(const NamedMatrix& entry) {
    const std::string of = "the turn of bone '" + entry.name + "'";
    RequireKeys(entry.scalars, {}, of);
    RequireKeys(entry.texts, {"interpolation"}, of);
    RequireKeys(entry.weights, {"axis"}, of);
    const int index = Find(entry.name);
    if (index < 0) {
      Fail("a turn is of '" + entry.name + "', which is not a bone",
           DidYouMean(entry.name, Names()));
    }
    Bone& bone = bones_[index];
    if (bone.angle.moves()) Fail("two turns of bone '" + entry.name + "'", "merge them into one");
    if (const auto axis = entry.weights.find("axis"); axis != entry.weights.end()) {
      RequireKeys(axis->second, {"x", "y", "z"}, "the axis of " + of);
      Vector3d a = Vector3d::Zero();
      for (const auto& [name, value] : axis->second) a[name[0] - 'x'] = value;
      if (!(a.norm() > 0.0) || !a.allFinite()) {
        Fail("the axis of " + of + " has no direction", "give for example axis = {z = 1}");
      }
      bone.axis = a.normalized();
    }
    if (entry.values.cols() != 2 || entry.values.rows() < 2) {
      Fail(of + " needs key frames",
           "give values = [[time, angle], [time, angle], …] in s and rad, at least two");
    }
    auto interpolation = Path::Interpolation::kCubic;
    if (const auto word = entry.texts.find("interpolation"); word != entry.texts.end()) {
      if (word->second == "linear") {
        interpolation = Path::Interpolation::kLinear;
      } else if (word->second != "cubic") {
        Fail("the interpolation of " + of + " cannot be '" + word->second + "'",
             DidYouMean(word->second, {"cubic", "linear"}));
      }
    }
    Eigen::Matrix3Xd keys = Eigen::Matrix3Xd::Zero(3, entry.values.rows());
    keys.row(0) = entry.values.col(1).transpose();
    try {
      bone.angle = Path({entry.values.col(0).begin(), entry.values.col(0).end()}, std::move(keys),
                        interpolation);
    } catch (const BadInput& bad) {
      Fail("key frames of " + of + ": " + bad.problem().what, bad.problem().mend);
    }
  }

  const MatrixTable& table_;
  std::vector<Bone> bones_;
};

}  // namespace

Skeleton ReadSkeleton(const MatrixTable& table) { return Skeleton(SkeletonReader(table).Read()); }

Skin::Skin(Skeleton skeleton, int level, const GridVectors& rest)
    : skeleton_(std::move(skeleton)), level_(level), rest_(rest), target_(rest) {
  for (Eigen::Index i = 0; i < rest_.rows(); ++i) {
    bone_of_.push_back(skeleton_.Nearest(rest_.row(i)));
  }
  for (const Bone& bone : skeleton_.bones()) {
    shapes_.emplace_back(Capsule{0.5 * (bone.end - bone.start), bone.radius});
  }
  for (const ObstacleShape& shape : shapes_) {
    bones_.push_back({.shape = &shape, .rule = CastingRule::kNearest});
  }
}

void Skin::Pose(double time, KinematicResponse* response) {
  skeleton_.Place(time, &pose_);
  for (int i = 0; i < skeleton_.size(); ++i) {
    const Bone& bone = skeleton_.bones()[i];
    bones_[i].origin = pose_[i] * Vector3d(0.5 * (bone.start + bone.end));
    std::get<Capsule>(shapes_[i]).half_axis =
        pose_[i].linear() * Vector3d(0.5 * (bone.end - bone.start));
  }
  for (Eigen::Index i = 0; i < rest_.rows(); ++i) {
    target_.row(i) = (pose_[bone_of_[i]] * Vector3d(rest_.row(i))).transpose();
  }
  response->MoveRest(level_, target_);
}

double Skin::Depth(const GridVectors& surface) const {
  double deepest = 0.0;
  for (Eigen::Index i = 0; i < surface.rows(); ++i) {
    for (const CastObstacle& bone : bones_) {
      const Vector3d x = surface.row(i);
      deepest = std::max(deepest, -SignedDistance(*bone.shape, bone.origin, x).distance);
    }
  }
  return deepest;
}

double Skin::LongestWay(double begin, double end) const {
  std::vector<Eigen::Isometry3d> before, after;
  std::vector<double> way(2 * bones_.size(), 0.0);
  skeleton_.Place(begin, &before);
  for (int piece = 1; piece <= kWaySamples; ++piece) {
    skeleton_.Place(begin + (end - begin) * piece / kWaySamples, &after);
    for (size_t i = 0; i < bones_.size(); ++i) {
      const Bone& bone = skeleton_.bones()[i];
      way[2 * i] += (after[i] * bone.start - before[i] * bone.start).norm();
      way[2 * i + 1] += (after[i] * bone.end - before[i] * bone.end).norm();
    }
    before.swap(after);
  }
  return *std::max_element(way.begin(), way.end());
}

}  // namespace pliant::kinematic_response
