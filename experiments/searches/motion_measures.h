// The measures of a motion from which cost functions are composed [Faloutsos 1995, Sec. 5.1].
//
//   distance     q_x, way of the centre of mass along x from start to end [m]
//   end_speed    q̇_x, velocity of the centre of mass along x at the end [m/s]
//   energy       W = ∫ Σ |Q_γ γ̇| dt, spent by all forces of deformation, passive ones too [J]
//   net_energy   ∫ Σ Q_γ γ̇ dt, as the ledger books it: what controls and damping did less what the
//                deformation still holds; what torques of hinges did where nothing is elastic [J]
//   height       highest rise of the centre of mass above its start [m]
//   uprightness  mean cosine between the body's own up and up; 1 upright, −1 upside down
//   end_height   height of the centre of mass at the end above its start [m]
//   torque_effort   ∫ Σ τ² dt over the hinges, what trajectory optimisation makes small [N² m² s]
//   hinge_effort    ∫ Σ φ̈² dt over the hinges [rad²/s³]
//   end_shape    largest distance of a point at the end from where it would be if the body had only been
//                moved from its start with the centre of mass, not turned or deformed [m]
//   end_motion   largest speed of a point at the end [m/s]
//   penetration  largest depth of a point of the body in an obstacle, over the whole motion [m]
//
// The source measures the translation of the lattice, whose origin swings with every rotation of
// the body; here it is the centre of mass. It does not say whether negative power counts in W: here
// energy is spent where work is done and where it is taken back, since a braking muscle tires too;
// net_energy is the other reading. Either may be restricted to some modes.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_MOTION_MEASURES_H_
#define PLIANT_EXPERIMENTS_SEARCHES_MOTION_MEASURES_H_

#include <Eigen/Core>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/simulation.h"

namespace pliant {

enum class Measure {
  kDistance,
  kEndSpeed,
  kEnergy,
  kNetEnergy,
  kHeight,
  kUprightness,
  kEndHeight,
  kTorqueEffort,
  kHingeEffort,
  kEndShape,
  kEndMotion,
  kPenetration,
};
inline constexpr int kMeasures = 12;

struct MeasureInfo {
  std::string name;     // end_speed
  std::string column;   // with unit suffix: end_speed_m_s
  std::string unit;     // "1" for a pure number
  std::string meaning;  // one line
  bool along = false;   // taken along the whole motion, not from its two ends
};
const std::array<MeasureInfo, kMeasures>& MeasureInfos();  // indexed by Measure
std::optional<Measure> MeasureNamed(const std::string& name);

// Absent: not defined for the formulation, or not measured.
struct MotionMeasures {
  std::vector<ModeEnergy> modes;  // of each mode, where the formulation has some
  std::map<std::string, std::optional<double>> figures;  // of probes, by name
  std::array<std::optional<double>, kMeasures> values;
  std::optional<double>& operator[](Measure m) { return values[static_cast<size_t>(m)]; }
  const std::optional<double>& operator[](Measure m) const {
    return values[static_cast<size_t>(m)];
  }
};

// True if simulations of this backend supply what `measure` needs.
bool IsMeasured(Measure measure, const BackendInfo& backend);

// Measures one motion from its observations, the first at the start, the last at the end.
class MotionMeter {
 public:
  // For the body at index `body`. `along`: also measures along the whole motion, from each
  // observation; otherwise the observations between the two ends are not used.
  MotionMeter(const Scene& scene, int body, const BackendInfo& backend, bool along);

  void Begin(const Observation& start);
  void Add(const Observation& now);
  // `modes`: those of the simulation at the end.
  MotionMeasures End(const Observation& end, std::span<const ModeEnergy> modes) const;

 private:
  Eigen::Vector3d Centre(const Eigen::Matrix3Xd& points) const;
  auto Points(const Eigen::Matrix3Xd& all) const {
    return all.middleCols(first_point_, weighted_rest_.cols());
  }
  double Uprightness(const Eigen::Matrix3Xd& points) const;

  const Scene& scene_;
  const int body_, first_point_;
  const bool along_;
  std::array<int, kMeasures> extra_;     // which extra holds a measure, or −1
  Eigen::Matrix3Xd weighted_rest_;       // mᵢ (rᵢ − r̄), 3×n
  Eigen::Vector3d start_;                // centre of mass [m]
  Eigen::Matrix3Xd start_shape_;         // points about it, 3×n [m]
  double start_elastic_ = 0.0;           // J
  double height_ = 0.0, upright_ = 0.0;  // upright_: sum of cosines
  double penetration_ = 0.0;             // m
  int observed_ = 0;
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_MOTION_MEASURES_H_
