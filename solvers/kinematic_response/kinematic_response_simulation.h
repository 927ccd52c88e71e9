// A scene of surfaces and obstacles as a simulation: reading DoAdvance() is reading the method.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_KINEMATIC_RESPONSE_SIMULATION_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_KINEMATIC_RESPONSE_SIMULATION_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "solvers/kinematic_response/area.h"
#include "solvers/kinematic_response/brush.h"
#include "solvers/kinematic_response/casting.h"
#include "solvers/kinematic_response/controls.h"
#include "solvers/kinematic_response/kinematic_response.h"
#include "solvers/kinematic_response/layer.h"
#include "solvers/kinematic_response/measures.h"
#include "solvers/kinematic_response/offset_inertia.h"
#include "solvers/kinematic_response/patch.h"
#include "solvers/kinematic_response/riding_body.h"
#include "solvers/kinematic_response/self_contact.h"
#include "solvers/kinematic_response/skin.h"
#include "solvers/kinematic_response/surface_maps.h"
#include "solvers/kinematic_response/surface_rays.h"
#include "solvers/simulation.h"
#include "solvers/step_limit.h"
#include "solvers/step_pictures.h"

namespace pliant::kinematic_response {

std::vector<ArrayGroup> ArrayGroups();  // of Arrays()

// Columns that only this formulation shows.
std::vector<SeriesColumn> KinematicResponseExtras();

// Bodies are held at their initial positions, or ride on proxies. Each pass of a step kicks the
// proxies by half of their forces, lets them drift, lets all surfaces respond to the obstacles at
// their final positions, and kicks again, with the reaction of the surfaces among the forces.
//
// A surface with a skeleton or with self-contact responds in the order of Sec. 5.6: to the bones,
// with everything that holds it, while it relaxes; to itself and others, in an iteration; to the
// obstacles, after which none is penetrated. Otherwise obstacles come first, and the sharing of
// surfaces comes last.
//
// State: the elastic and plastic offsets of every level, the last direction of motion of each
// obstacle, the summary of the last pass, the proxies with their reactions and entry points, the
// work, and the number of passes.
//
// A step in which an obstacle moves by more than half of its length along its way, or a rider by more
// than half of the obstacle's smallest extent, is divided into passes in which they do not, so that
// nothing passes through a surface unnoticed; obstacles that are far from all surfaces divide
// nothing. Observation::iterations counts passes. Obstacles are measured along their paths, riders by
// their speed at the beginning of the step, after its impulses: forces that change much within a
// step, or a path that is faster in a part of it, need a shorter step. A step that would need more
// than kMostPasses does not converge.
class KinematicResponseSimulation final : public Simulation, public HasPhases, public StepLimited {
 public:
  static constexpr int kMostPasses = 1000;

  // Every body is a grid of 2^k + 1 points a side (square) or a chain of as many, those that ride
  // (rides[body]) may be planar outlines too; `options` fits their levels. Throws BadInput for
  // behaviour maps that do not.
  KinematicResponseSimulation(std::shared_ptr<const Scene> scene,
                              const KinematicResponseOptions& options,
                              const std::vector<bool>& rides);

  // In the order of their bodies.
  const std::vector<RidingBody>& riders() const { return riders_; }

  std::vector<MethodPieces> Pieces() const override;  // coarser levels of the surfaces

  // Shows held surfaces; riding bodies respond at the end of the step.
  void ShowPhases(StepViewer viewer) override { viewer_ = std::move(viewer); }
  HasPhases* AsPhased() override { return this; }

  // Of contact; steps too long for the motions of the proxies are divided.
  std::vector<StepLimit> StepLimits() const override;
  const StepLimited* AsStepLimited() const override { return this; }
  std::vector<NamedArray> Arrays(std::string_view group) const override;

 private:
  struct Surface {
    int first_point;                          // its column among all points of the scene
    std::optional<SurfaceMeasures> measures;  // of sheets and chains
    KinematicResponse response;
    SurfaceOffsets offsets;
    std::vector<LevelControls> controls;
    DeformationSummary last;
    std::optional<CompliantLayer> layer;
    std::optional<OffsetInertia> inertia;
    SurfaceMaps maps;
    std::optional<Brush> brush;
    std::optional<SurfaceRays> rays;  // for contact of surfaces with each other or themselves
    std::optional<SelfContact> self_contact;
    std::optional<Skin> skin;
    std::optional<AreaKeeper> area;
    Eigen::VectorXd stiffness;   // relative, of its vertices, for contact of surfaces
    std::optional<Patch> patch;  // the surface of a block or an outline
    int body;

    // True if anything besides obstacles needs the relaxed surface.
    bool AsksEverywhere() const { return patch || brush || layer; }
  };

  StepOutcome DoAdvance(double step) override;
  void DoObserve(Observation* observation) const override;
  int DoStateSize() const override;
  std::vector<StateBlock> DoStateLayout() const override;
  void DoSave(Eigen::Ref<Eigen::VectorXd> state) const override;
  void DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) override;

  void AddSurface(int body, const std::vector<BehaviourMap>& maps,
                  const std::vector<Stroke>& strokes);
  // How many passes a step needs, and for what.
  struct Division {
    int passes = 1;
    std::string why;
  };
  Division PassesNeeded(double step);
  // The way of an obstacle in a step, as a multiple of half of its length along that way: after one
  // of these it covers where it was by half. O(1).
  double LengthsOfWay(const Obstacle& obstacle, double step) const;
  // May it meet a surface or a rider in the step? False only where these are far away. O(points).
  bool MayReach(const Obstacle& obstacle, double step, double fastest);
  void Respond(Surface* surface, double begin, double end, double h);  // h = end − begin
  enum class Phase { kRelaxed, kCast, kRestricted, kDeformed };
  void Show(Phase phase, const Surface& surface) const;
  void ShowLevel(Phase phase, const Surface& surface, int level) const;
  void Extend(Surface* surface);
  void RespondInOrder(double begin, double end, double h);
  void Swell(Surface* surface);
  double CastOnEachOther();
  void Share(int passes);
  void PlacePoints(const Surface& surface, Eigen::Matrix3Xd* points) const;
  double SelfPenetration(const Surface& surface) const;  // m
  void MoveObstacles(double begin, double end);
  void Pass(double begin, double end, double h);  // h = end − begin
  StepOutcome WhereDiverged();

  // For the bodies that ride. Work is computed with the mean of the velocities before and after.
  void KickByImpulses(double begin, double end);
  void KickByForces(double time, double h);
  void PlaceMaterial();
  double PowerOf(const Eigen::Matrix3Xd& forces) const;

  // Calls visit(array) for each array of the state, in a fixed order.
  template <typename Self, typename Visit>
  static void VisitOffsets(Self& self, Visit&& visit) {
    for (auto& surface : self.surfaces_) {
      for (auto& level : surface.offsets.elastic) visit(level);
      for (auto& level : surface.offsets.plastic) visit(level);
      if (surface.inertia) {
        for (auto& level : surface.inertia->rates()) visit(level);
      }
    }
    for (auto& rider : self.riders_) {
      for (auto& level : rider.offsets().elastic) visit(level);
      for (auto& level : rider.offsets().plastic) visit(level);
    }
  }

  KinematicResponseOptions options_;
  std::vector<Surface> surfaces_;        // one per held body
  std::vector<RidingBody> riders_;       // one per body that rides
  std::vector<CastObstacle> obstacles_;  // at the end of the last pass
  double bound_;                         // beyond this coordinate a surface has diverged [m]
  std::int64_t passes_ = 0;
  bool knows_pass_ = false;                       // has there been a pass since DoRestore()?
  bool said_divided_ = false;                     // no state: has an event reported divided steps?
  std::vector<SurfaceRays::Crossing> crossings_;  // room to work in
  std::vector<Eigen::AlignedBox3d> reaches_;      // likewise
  StepViewer viewer_;

  SceneForces forces_;
  std::optional<PenaltyContact> contact_;  // friction of the riders, point by point
  Exchange work_;                          // on the riders

  // Scratch, 3×n, world: the material on its proxies and the forces on it; empty without
  // riders.
  Eigen::Matrix3Xd x_, v_, mean_v_, force_, timed_, damping_;
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_KINEMATIC_RESPONSE_SIMULATION_H_
