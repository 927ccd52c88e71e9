#include "experiments/searches/motion_measures.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "experiments/runs/series.h"
#include "models/scene/touch.h"

namespace pliant {
namespace {

// Measures that the formulation itself keeps as extras of its observations.
struct KeptMeasure {
  Measure measure;
  const char* extra;
};
constexpr KeptMeasure kKept[] = {{Measure::kEnergy, "deformation_effort_J"},
                                 {Measure::kTorqueEffort, "torque_effort_N2_m2_s"},
                                 {Measure::kHingeEffort, "hinge_effort_rad2_s3"}};

int FindExtra(const std::vector<SeriesColumn>& extras, const char* name) {
  const auto found = std::find_if(extras.begin(), extras.end(),
                                  [name](const SeriesColumn& extra) { return extra.name == name; });
  return found == extras.end() ? -1 : static_cast<int>(found - extras.begin());
}

}  // namespace

const std::array<MeasureInfo, kMeasures>& MeasureInfos() {
  static const std::array<MeasureInfo, kMeasures> infos = {{
      {"distance", "distance_m", "m", "distance of the centre of mass along x", false},
      {"end_speed", "end_speed_m_s", "m/s", "velocity of the centre of mass along x at the end",
       false},
      {"energy", "energy_J", "J", "energy spent by all forces of deformation: integral of |power|",
       false},
      {"net_energy", "net_energy_J", "J", "work of all forces of deformation: integral of power",
       false},
      {"height", "height_m", "m", "highest rise of the centre of mass above its start", true},
      {"uprightness", "uprightness", "1", "mean cosine between the body's up and up", true},
      {"end_height", "end_height_m", "m", "height of the centre of mass at the end above its start",
       false},
      {"torque_effort", "torque_effort_N2_m2_s", "N² m² s",
       "integral of the sum of squared torques of the hinges", false},
      {"hinge_effort", "hinge_effort_rad2_s3", "rad²/s³",
       "integral of the sum of squared accelerations of the hinges", false},
      {"end_shape", "end_shape_m", "m",
       "largest distance of a point at the end from the start moved with the centre of mass",
       false},
      {"end_motion", "end_motion_m_s", "m/s", "largest speed of a point at the end", false},
      {"penetration", "penetration_m", "m", "largest depth of a point in an obstacle", true},
  }};
  return infos;
}

std::optional<Measure> MeasureNamed(const std::string& name) {
  const auto found = std::ranges::find(MeasureInfos(), name, &MeasureInfo::name);
  if (found == MeasureInfos().end()) return std::nullopt;
  return static_cast<Measure>(found - MeasureInfos().begin());
}

bool IsMeasured(Measure measure, const BackendInfo& backend) {
  return std::all_of(std::begin(kKept), std::end(kKept), [&](const KeptMeasure& kept) {
    return kept.measure != measure || FindExtra(backend.extras, kept.extra) >= 0;
  });
}

MotionMeter::MotionMeter(const Scene& scene, int body, const BackendInfo& backend, bool along)
    : scene_(scene), body_(body), first_point_(scene.Offset(body)), along_(along) {
  extra_.fill(-1);
  const std::vector<SeriesColumn> extras = ExtrasOf(backend, scene);
  for (const KeptMeasure& kept : kKept) {
    extra_[static_cast<size_t>(kept.measure)] = FindExtra(extras, kept.extra);
  }
  const Body& shape = scene.bodies[static_cast<size_t>(body)];
  const Eigen::Vector3d centre = shape.rest * shape.mass / shape.mass.sum();
  weighted_rest_ = (shape.rest.colwise() - centre) * shape.mass.asDiagonal();
}

Eigen::Vector3d MotionMeter::Centre(const Eigen::Matrix3Xd& points) const {
  const Body& body = scene_.bodies[static_cast<size_t>(body_)];
  return Points(points) * body.mass / body.mass.sum();
}

// The rotation R that brings the rest shape nearest to the points, Σ m |x − x̄ − R (r − r̄)|² least
// [Kabsch 1976]; its middle entry is the cosine.
double MotionMeter::Uprightness(const Eigen::Matrix3Xd& points) const {
  const auto x = Points(points);
  const Eigen::Matrix3d covariance = x * weighted_rest_.transpose();
  if (!covariance.allFinite())
    return std::nan("");  // a decomposition would return without a result
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(covariance,
                                              Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d u = svd.matrixU();
  if (u.determinant() * svd.matrixV().determinant() < 0.0) u.col(2) *= -1.0;
  return (u * svd.matrixV().transpose())(1, 1);
}

void MotionMeter::Begin(const Observation& start) {
  start_ = Centre(start.points);
  start_shape_ = Points(start.points).colwise() - start_;
  start_elastic_ = start.elastic_energy.value_or(0.0);
  height_ = upright_ = penetration_ = 0.0;
  observed_ = 0;
  Add(start);
}

void MotionMeter::Add(const Observation& now) {
  if (!along_) return;
  height_ = std::max(height_, Centre(now.points).y() - start_.y());
  upright_ += Uprightness(now.points);
  ForEachTouch(scene_.obstacles, now.time, Points(now.points), 0.0, [&](const Touch& touch) {
    penetration_ = std::max(penetration_, -touch.at.distance);
  });
  ++observed_;
}

MotionMeasures MotionMeter::End(const Observation& end, std::span<const ModeEnergy> modes) const {
  MotionMeasures measures;
  const Eigen::Vector3d centre = Centre(end.points);
  measures[Measure::kDistance] = centre.x() - start_.x();
  measures[Measure::kEndHeight] = centre.y() - start_.y();
  measures[Measure::kEndShape] =
      ((Points(end.points).colwise() - centre) - start_shape_).colwise().norm().maxCoeff();
  if (end.velocities) {
    measures[Measure::kEndSpeed] = Centre(*end.velocities).x();
    measures[Measure::kEndMotion] = Points(*end.velocities).colwise().norm().maxCoeff();
  }
  for (const KeptMeasure& kept : kKept) {
    const int extra = extra_[static_cast<size_t>(kept.measure)];
    if (extra >= 0) measures[kept.measure] = end.extras.at(static_cast<size_t>(extra));
  }
  measures.modes.assign(modes.begin(), modes.end());
  if (end.work && end.elastic_energy) {
    const Exchange& work = *end.work;
    measures[Measure::kNetEnergy] = work[WorkClass::kControl] + work[WorkClass::kDamping] -
                                    (*end.elastic_energy - start_elastic_);
  } else if (end.work && extra_[static_cast<size_t>(Measure::kEnergy)] >= 0) {
    measures[Measure::kNetEnergy] = (*end.work)[WorkClass::kControl];
  }
  if (observed_ > 0) {
    measures[Measure::kHeight] = height_;
    measures[Measure::kUprightness] = upright_ / observed_;
    measures[Measure::kPenetration] = penetration_;
  }
  return measures;
}

}  // namespace pliant
