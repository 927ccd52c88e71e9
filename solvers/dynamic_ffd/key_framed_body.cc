#include "solvers/dynamic_ffd/key_framed_body.h"

#include <algorithm>
#include <cmath>

#include "models/problem.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;

// A step that ends up to this fraction after the last key is still prescribed: rounding.
constexpr double kLeadRounding = 1e-6;

std::string KeyPath(size_t key, const std::string& name) {
  return "key[" + std::to_string(key) + "]." + name;
}

void RequireTimes(const KeyFrameTable& table) {
  if (table.keys.size() < 2) {
    throw BadInput({"key", "key frames need at least two keys", "add a [[key]]"});
  }
  if (table.keys.front().time != 0.0) {
    throw BadInput({KeyPath(0, "time"), "the first key must be at 0 s", ""});
  }
  for (size_t i = 1; i < table.keys.size(); ++i) {
    if (table.keys[i].time > table.keys[i - 1].time) continue;
    throw BadInput(
        {KeyPath(i, "time"), "the times of the keys must increase", "sort the keys by time"});
  }
}

// Amplitudes of the modes at a key.
VectorXd Amplitudes(const KeyFrameTable& table, size_t i, const std::vector<std::string>& modes) {
  VectorXd gamma = VectorXd::Zero(static_cast<Eigen::Index>(modes.size()));
  for (const auto& [name, value] : table.keys[i].pose) {
    const auto found = std::find(modes.begin(), modes.end(), name);
    if (found == modes.end()) {
      throw BadInput({KeyPath(i, "pose." + name), "the body has no mode '" + name + "'",
                      modes.empty() ? "" : DidYouMean(name, modes)});
    }
    gamma[found - modes.begin()] = value;
  }
  return gamma;
}

Vector4d Components(const Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }
Quaterniond FromComponents(const Vector4d& s) { return {s[0], s[1], s[2], s[3]}; }

KeyedCurve MakeCurve(const FfdBody& body, const std::vector<std::string>& modes, const VectorRef& q,
                     const KeyFrameTable& table) {
  RequireTimes(table);
  const bool planar = body.dimension() == 2;
  const auto d = static_cast<Eigen::Index>(modes.size());
  std::vector<double> times;
  Eigen::MatrixXd keys(d + 3 + (planar ? 1 : 4), static_cast<Eigen::Index>(table.keys.size()));
  for (size_t i = 0; i < table.keys.size(); ++i) {
    const KeyFrameTable::Key& key = table.keys[i];
    times.push_back(key.time);
    auto column = keys.col(static_cast<Eigen::Index>(i));
    column.head(d) = Amplitudes(table, i, modes);
    column.segment<3>(d) = key.displacement;
    if (planar) {
      if (key.displacement.z() != 0.0) {
        throw BadInput({KeyPath(i, "displacement"), "a planar scene lives in z = 0", ""});
      }
      if (key.axis.head<2>().norm() > 0.0) {
        throw BadInput({KeyPath(i, "turn"), "a planar scene turns about z only", ""});
      }
      column[d + 3] = q[2] + key.axis.z() * key.turn;
      continue;
    }
    Vector4d turned = Components(Eigen::AngleAxisd(key.turn, key.axis) *
                                 Quaterniond(q[3], q[4], q[5], q[6]).normalized());
    if (i > 0 && turned.dot(keys.col(static_cast<Eigen::Index>(i) - 1).tail<4>()) < 0.0) {
      turned = -turned;  // the shorter way
    }
    column.tail<4>() = turned;
  }
  return KeyedCurve(std::move(times), std::move(keys),
                    table.interpolation == Path::Interpolation::kCubic);
}

}  // namespace

KeyFramedBody::KeyFramedBody(int part, const FfdBody& body, const std::vector<std::string>& modes,
                             const VectorRef& q, const KeyFrameTable& table,
                             std::optional<Morph> morph)
    : part_(part),
      planar_(body.dimension() == 2),
      cubic_(table.interpolation == Path::Interpolation::kCubic),
      morph_(std::move(morph)),
      keyed_(body.free_modes()),
      curve_(MakeCurve(body, modes, q, table)) {
  const Anchor centre = AnchorOf(body, std::nullopt);
  Matrix3Xd start(3, body.points());
  body.Points(q, start);
  for (int i = 0; i + 1 < static_cast<int>(table.keys.size()); ++i) {
    const std::optional<int> pin = table.keys[i].pin;
    if (pin && (*pin < 0 || *pin >= body.points())) {
      throw BadInput({KeyPath(i, "pin"), "the body has no point " + std::to_string(*pin),
                      "its points are 0 to " + std::to_string(body.points() - 1)});
    }
    Segment segment{pin ? AnchorOf(body, pin) : centre, pin.has_value(), Vector3d::Zero()};
    if (i > 0) {
      segment.place = PlaceOf(segment.anchor, curve_.times()[i], i - 1);
    } else {
      segment.place = pin ? Vector3d(start.col(*pin)) : start * body.masses() / body.masses().sum();
    }
    if (i > 0 && !pin) segment.place -= table.keys[i].displacement;
    segments_.push_back(std::move(segment));
  }
  if (table.keys.back().pin) {
    throw BadInput({KeyPath(table.keys.size() - 1, "pin"),
                    "a pin has no effect after the last key, where the body is free", "remove it"});
  }
}

KeyFramedBody::Anchor KeyFramedBody::AnchorOf(const FfdBody& body, std::optional<int> point) {
  const Eigen::MatrixXd& shapes = body.shapes();
  Matrix3Xd local(3, shapes.cols());
  for (Eigen::Index a = 0; a < shapes.cols(); ++a) {
    const Eigen::Map<const Matrix3Xd> shape(shapes.col(a).data(), 3, body.points());
    local.col(a) =
        point ? Vector3d(shape.col(*point)) : Vector3d(shape * body.masses() / body.masses().sum());
  }
  return {local.col(0), local.rightCols(shapes.cols() - 1)};
}

bool KeyFramedBody::Leads(double time, double step) const {
  return time + step <= end() + kLeadRounding * step;
}

void KeyFramedBody::SampleAt(double time, int i) const {
  curve_.At(time, i, &sample_);
  gamma_.value = sample_.value.head(keyed_);
  gamma_.rate = sample_.rate.head(keyed_);
  gamma_.acceleration = sample_.acceleration.head(keyed_);
  if (!morph_) return;
  const Morph::Fraction fraction = morph_->At(time);
  for (auto [vector, value] :
       {std::pair(&gamma_.value, fraction.value), std::pair(&gamma_.rate, fraction.rate),
        std::pair(&gamma_.acceleration, fraction.acceleration)}) {
    vector->conservativeResize(keyed_ + 1);
    (*vector)[keyed_] = value;
  }
}

KeyFramedBody::Turn KeyFramedBody::TurnAt(double time, int i) const {
  const auto value = sample_.value.tail<4>();
  if (planar_) {
    return {sample_.value.tail<1>()[0], Quaterniond::Identity(),
            Vector3d(0, 0, sample_.rate.tail<1>()[0]),
            Vector3d(0, 0, sample_.acceleration.tail<1>()[0])};
  }
  if (!cubic_) {
    CurveSample from, to;
    curve_.At(curve_.times()[i], i, &from);
    curve_.At(curve_.times()[i + 1], i, &to);
    const Quaterniond start = FromComponents(from.value.tail<4>());
    const Eigen::AngleAxisd way(FromComponents(to.value.tail<4>()) * start.conjugate());
    const double span = curve_.times()[i + 1] - curve_.times()[i];
    const double done = (time - curve_.times()[i]) / span;
    return {0.0, Eigen::AngleAxisd(done * way.angle(), way.axis()) * start,
            way.angle() / span * way.axis(), Vector3d::Zero()};
  }
  // u = s/|s|, its rates from s = n u, and ω = 2 u̇ u*, ω̇ = 2 ü u* (u̇ u̇* has no vector part).
  const Vector4d rate = sample_.rate.tail<4>(), acceleration = sample_.acceleration.tail<4>();
  const double n = value.norm();
  const Vector4d u = value / n;
  const double n_dot = u.dot(rate);
  const Vector4d u_dot = (rate - n_dot * u) / n;
  const double n_ddot = u_dot.dot(rate) + u.dot(acceleration);
  const Vector4d u_ddot = (acceleration - n_ddot * u - 2.0 * n_dot * u_dot) / n;
  const Quaterniond turned = FromComponents(u), back = turned.conjugate();
  return {0.0, turned, 2.0 * (FromComponents(u_dot) * back).vec(),
          2.0 * (FromComponents(u_ddot) * back).vec()};
}

Vector3d KeyFramedBody::PlaceOf(const Anchor& anchor, double time, int i) const {
  SampleAt(time, i);
  const Turn turn = TurnAt(time, i);
  const Matrix3d rotation = planar_ ? Matrix3d(Eigen::AngleAxisd(turn.angle, Vector3d::UnitZ()))
                                    : turn.quaternion.toRotationMatrix();
  const Segment& segment = segments_[i];
  Vector3d place = segment.place + rotation * (anchor.y0 - segment.anchor.y0 +
                                               (anchor.Y - segment.anchor.Y) * gamma_.value);
  if (!segment.pinned) place += sample_.value.segment<3>(keyed_);
  return place;
}

void KeyFramedBody::At(const FfdBody& body, double time, MutableVectorRef q, MutableVectorRef v,
                       MutableVectorRef a) const {
  const double t = std::min(time, end());
  const int i = curve_.Segment(t);
  SampleAt(t, i);
  const Turn turn = TurnAt(t, i);
  const Segment& segment = segments_[i];
  q.tail(body.modes()) = gamma_.value;
  v.tail(body.modes()) = gamma_.rate;
  a.tail(body.modes()) = gamma_.acceleration;
  if (planar_) {
    q[2] = turn.angle;
    v[2] = turn.omega.z();
    a[2] = turn.alpha.z();
  } else {
    q.segment<4>(3) = Components(turn.quaternion);
    v.segment<3>(3) = turn.omega;
    a.segment<3>(3) = turn.alpha;
  }
  // t = x − R y of the anchor, and its rates.
  const Matrix3d rotation = body.Rotation(q);
  const Vector3d y = rotation * (segment.anchor.y0 + segment.anchor.Y * gamma_.value);
  const Vector3d y_dot = rotation * (segment.anchor.Y * gamma_.rate);
  const Vector3d y_ddot = rotation * (segment.anchor.Y * gamma_.acceleration);
  Vector3d place = segment.place - y;
  Vector3d velocity = -(turn.omega.cross(y) + y_dot);
  Vector3d acceleration = -(turn.alpha.cross(y) + turn.omega.cross(turn.omega.cross(y)) +
                            2.0 * turn.omega.cross(y_dot) + y_ddot);
  if (!segment.pinned) {
    place += sample_.value.segment<3>(keyed_);
    velocity += sample_.rate.segment<3>(keyed_);
    acceleration += sample_.acceleration.segment<3>(keyed_);
  }
  const int n = planar_ ? 2 : 3;
  q.head(n) = place.head(n);
  v.head(n) = velocity.head(n);
  a.head(n) = acceleration.head(n);
}

}  // namespace pliant::dynamic_ffd
