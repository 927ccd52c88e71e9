// Probes: quantities that an author measures on named points of a scene, each a column of the series. They look at
// the positions and velocities of material points, so that they say the same of every formulation; only reactions and
// contacts are forces, of which each formulation has its own (docs/formulations.md).
//
//   x̄(S) = Σ m x / Σ m      centre of mass of a set S of points of one body; of one point its place
//
//   position       x̄(S), one component                                          m
//   displacement   x̄(S) − x̄(S) at the start, a component or the length          m
//   velocity       dx̄(S)/dt, a component or the length                          m/s
//   distance       |x̄(B) − x̄(A)|                                                m
//   angle          of three sets, at the second: between the lines to the first and to the third;
//                  of two sets: between the direction `against` and the line from the first to the second.
//                  0 to π; about an axis n the angle of the projections along n, anticlockwise seen
//                  against n, −π to π                                            rad
//   area           of all faces of a body                                        m²
//   volume         that the faces of a body enclose, below 0 inside out          m³
//   strain         of two points of one body: (ℓ − ℓ₀)/ℓ₀ of the line between them, ℓ₀ in the rest shape;
//                  of a body: the largest magnitude of the strain of its edges   1
//   reaction       Σ of the forces on the points of S by nails, attachments, combinations and sliders, a component or
//                  the length                                                    N
//   contact-impulse   J = Σ of the impulses of contact on the points of S since the start, of all that touches them or
//                  of one obstacle or body, a component or the length            N s
//   contact-force  (J(t) − J(t₀)) / (t − t₀), t₀ the time of the record before   N

#ifndef PLIANT_MODELS_SCENE_PROBE_H_
#define PLIANT_MODELS_SCENE_PROBE_H_

#include <Eigen/Core>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/scene.h"

namespace pliant {

enum class ProbeKind {
  kPosition,
  kDisplacement,
  kVelocity,
  kDistance,
  kAngle,
  kArea,
  kVolume,
  kStrain,
  kReaction,
  kContactForce,
  kContactImpulse,
};

// Points of one body.
struct ProbeSet {
  int body = 0;
  std::vector<int> points;  // of the body; empty: all
  std::string name;         // "bridge.middle"
};

// What touches: an obstacle or a body of the scene.
struct ProbeToucher {
  bool is_obstacle = true;
  int index = 0;
  std::string name;
};

struct Probe {
  std::string name;
  ProbeKind kind = ProbeKind::kPosition;
  std::vector<ProbeSet> of;
  std::optional<ProbeToucher> from;        // of contact; absent: all that touches
  std::optional<int> component;            // 0, 1, 2: x, y, z
  std::optional<Eigen::Vector3d> against;  // unit, of an angle of two sets
  std::optional<Eigen::Vector3d> about;    // unit, of an angle with a sign
  // s: the time of which its figures are, but for the last value and `at`; absent: the run.
  std::optional<std::array<double, 2>> during;
  // Figures of its curve besides the least, the largest, the mean and the last value.
  std::optional<double> crosses;  // when it first passes this value
  bool cycles = false;            // falls to `crosses`, which is there then, and what lies between
  bool oscillates = false;        // period and decay of a damped oscillation
  std::vector<double> at;         // s: its values at these times
};

// The kinds of probes, in the order of ProbeKind.
struct ProbeKindInfo {
  const char* word;
  const char* unit;
  const char* meaning;      // one line
  size_t fewest, most;      // sets that it takes
  bool of_whole_body;       // does it need a whole body where it takes one set?
  bool may_have_component;  // x, y or z
  bool needs_component;
};
std::span<const ProbeKindInfo> ProbeKinds();
const ProbeKindInfo& InfoOf(ProbeKind kind);

// "displacement y of bridge.middle".
std::string MeaningOf(const Probe& probe);

// Whether any of them is a reaction, or of contact.
bool NeedHoldForces(const std::vector<Probe>& probes);
bool NeedContactForces(const std::vector<Probe>& probes);
bool IsOfContact(const Probe& probe);

// The obstacle or body of this name; BadInput at "from" where there is none.
ProbeToucher TouchingNamed(const Scene& scene, const std::string& name);

// Forces or impulses of contact, by points (3×n) and on the first body of each of ContactPairs() (3×pairs); absent where
// nobody knows them.
struct ContactVectors {
  std::optional<Eigen::Matrix3Xd> points, pairs;
};

// What a simulation says of the forces of a record.
struct ProbeForces {
  std::optional<Eigen::Matrix3Xd> holds;  // Simulation::ConstraintForces() [N]
  ContactVectors contact_force;           // N, mean since the record before
  ContactVectors contact_impulse;         // N s, since the start
};

// Why a probe cannot be measured in this scene: BadInput at "of", "from", "component", "against" or "about".
void RequireMeasurable(const Scene& scene, const Probe& probe);

class ProbeMeter {
 public:
  // Of probes that RequireMeasurable() lets pass.
  ProbeMeter(const Scene& scene, std::vector<Probe> probes);

  const std::vector<Probe>& probes() const { return probes_; }
  // `velocities` and `forces` may be null. Absent: not defined, as a velocity without velocities, the angle of points
  // that coincide.
  std::optional<double> Measure(size_t probe, const PointsRef& x,
                                const Eigen::Matrix3Xd* velocities,
                                const ProbeForces* forces = nullptr) const;

 private:
  // Of contact: a pair whose vector counts, for the body of the probe with sign 1.
  struct SignedPair {
    Eigen::Index number;
    double sign;
  };
  std::optional<Eigen::Vector3d> SumOfContact(size_t probe, const ContactVectors& vectors) const;
  void FindPairs(const Probe& probe);

  struct Columns {
    int first, count;              // of the body
    std::vector<int> points;       // columns of the scene
    std::vector<double> fraction;  // of the mass of the set, for each point
    Eigen::Vector3d start;         // m
    Eigen::Vector3d Centre(const PointsRef& of) const;
  };

  const Scene& scene_;
  std::vector<Probe> probes_;
  std::vector<std::vector<Columns>> sets_;      // of each probe
  std::vector<std::vector<SignedPair>> pairs_;  // of each probe, of its whole body
};

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_PROBE_H_
