// Pose control of the lamp: a pose graph gives each driven hinge a target φ*, and one of three laws
// takes it there.
//
//   printed          the joint correction of [Chitimalli 2008, "Algorithm and Pseudo code of
//                    iterative Joint correction"]: in each step the link beyond the hinge is given
//                    the world rate −s m/D where φ − φ* < −ε, +s m/D where φ − φ* > ε, else 0. m is
//                    the mass of the link, D the distance of its hinge, or of its centre of mass, from the centre of mass of
//                    the whole, times the duration of the pose where arrival is timed. The source has
//                    "x_link" for the place of the link.
//   sign-corrected   the same with the other sign. As printed the hinge runs away from its target
//                    when angle and rate have one sense, as they have here.
//   consistent       a torque on the link beyond the hinge, and its reaction on the one before:
//                    τ = C (φ_r − φ) + D (φ̇_r − φ̇) + what gravity asks while the floor carries
//                    the lamp.
//
// The first two set velocities: nothing reacts, momentum is not conserved, a heavier link turns
// faster, and arrival at a wanted time is not what dividing by that time gives. With `timed` the
// reference φ_r of the third is at φ* when the pose's duration ends; else it is φ*. It runs there
//
//   smoothstep       from where the hinge was when the pose became active, by 3 s² − 2 s³: at rest
//                    at every pose;
//   spline           by one C² cubic spline through the poses from where the hinge started, at rest
//                    at both ends (models/geometry/path.h). For poses that follow each other by time.
//
// A final pose has no duration: φ_r steps to it.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_HINGE_CONTROL_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_HINGE_CONTROL_H_

#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "models/geometry/path.h"
#include "solvers/array_blocks.h"
#include "solvers/articulated_lamp/lamp_stepper.h"
#include "solvers/control/pd_controller.h"
#include "solvers/control/pose_graph.h"
#include "solvers/control/sensors.h"

namespace pliant::articulated_lamp {

// The fourth is planned_jump.h.
enum class HingeLaw { kConsistent, kPrinted, kSignCorrected, kPlanned };

enum class PoseInterpolation { kSmoothstep, kSpline };

enum class CorrectionDistance { kHinge, kCentreOfMass };

struct HingeControlOptions {
  HingeLaw law = HingeLaw::kConsistent;
  bool timed = false;
  PoseInterpolation interpolation = PoseInterpolation::kSmoothstep;  // of the consistent law, timed
  bool gravity_compensation = true;                                  // of the consistent law
  double torque_limit = std::numeric_limits<double>::infinity();     // N·m, of torques, > 0
  double speed = 3.0;                                        // s [m/(kg s)] of the other two, > 0
  CorrectionDistance distance = CorrectionDistance::kHinge;  // D is from here
  double dead_band = 0.02;                                   // ε [rad] of the other two, ≥ 0
};

// Names of the hinges in control tables, from the base outwards.
inline constexpr std::string_view kHingeNames[kLampHinges] = {"base hinge", "mid hinge",
                                                              "head hinge"};

class HingeControl {
 public:
  // The coordinates of the servos are hinges, one servo for each channel of the graph, one sensor
  // for each of its sensors. Throws BadInput for a spline through poses that do not follow each other by time.
  HingeControl(PoseGraph graph, std::vector<PdServo> servos, Sensors sensors,
               const HingeControlOptions& options);

  bool feels() const { return sensors_.size() > 0; }  // does it need points?
  int pose() const { return state_.pose; }
  bool sets_velocities() const {
    return options_.law == HingeLaw::kPrinted || options_.law == HingeLaw::kSignCorrected;
  }

  // Resets the graph to its start for a lamp at q, with points x (3×n, the whole scene).
  void Start(double time, const LampVector& q, const PointsRef& x);
  // At the end of a step of `step` seconds, at `time`.
  void Update(double time, double step, const LampVector& q, const PointsRef& x);

  // The laws that set velocities: rates of the driven links in v.
  void SetVelocities(const Lamp& lamp, const LampVector& q, LampVector* v) const;
  // The consistent law: torques of the step that ends at `end`; `carried`: by the floor.
  HingeTorques Torques(const Lamp& lamp, double end, double step, bool carried,
                       const LampPlacement& placement, const LampVector& q,
                       const LampVector& v) const;

  int StateSize() const { return graph_.StateSize() + kLampHinges; }
  void AddTo(StateBlocks* layout) const {  // of Save()
    layout->Add("active pose, when it became so, which sensors are armed", graph_.StateSize(),
                "1, s, 1");
    layout->Add(
        splined() ? "angles of the hinges at the start" : "angles of the hinges when it became so",
        kLampHinges, "rad");
  }
  void Save(Eigen::Ref<Eigen::VectorXd> state) const;
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  struct Reference {
    LampAngles angles, rates;  // of driven hinges
  };
  bool splined() const {
    return options_.law == HingeLaw::kConsistent && options_.timed &&
           options_.interpolation == PoseInterpolation::kSpline;
  }
  void FindTimes();   // of a spline
  void MakeSpline();  // from from_
  Reference ReferenceAt(double time) const;
  // Duration of the present pose, if time alone determines it [s].
  std::optional<double> Duration() const;

  PoseGraph graph_;
  std::vector<PdServo> servos_;
  Sensors sensors_;
  HingeControlOptions options_;
  PoseGraph::State state_;
  LampAngles from_ = LampAngles::Zero();  // φ when the pose became active; of a spline at the start
  std::vector<int> order_;                // of a spline: its poses, without the final one
  std::vector<double> times_;             // s, of its knots: the start, and the end of each pose
  std::optional<Path> spline_;            // x, y, z: the hinges
  std::vector<bool> readings_;            // scratch
};

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_HINGE_CONTROL_H_
