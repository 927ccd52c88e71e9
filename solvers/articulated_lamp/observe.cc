// The observations of a simulation of a lamp, and the columns that only it shows.

#include <algorithm>
#include <cmath>
#include <optional>

#include "solvers/articulated_lamp/lamp_simulation.h"

namespace pliant::articulated_lamp {
namespace {

struct Figures {
  std::optional<double> effort, torque_squares, acceleration_squares;
  std::optional<double> base_torque, mid_torque, head_torque;
  std::optional<double> normal_force, friction_force, cone_excess, clearance;
  std::optional<double> excess, pose, load;
  std::optional<double> tracking, hinges_off_plan, base_off_plan;
  std::optional<double> replans, replans_found;
  std::optional<double> plan_cost, plan_stationarity, plan_complementarity, plan_feasibility;
  std::optional<double> plan_momentum_defect;
  std::optional<double> plan_duration, plan_work, cost_of_transport;
};

const ExtraColumns<Figures>& ExtraTable() {
  static const ExtraColumns<Figures> columns = {
      {{"deformation_effort_J", "J",
        "integral of the sum over the hinges of |torque × rate|, of the servos"},
       &Figures::effort},
      {{"torque_effort_N2_m2_s", "N² m² s", "integral of the sum of squared torques"},
       &Figures::torque_squares},
      {{"hinge_effort_rad2_s3", "rad²/s³",
        "integral of the sum of squared accelerations of the hinges, without impacts"},
       &Figures::acceleration_squares},
      {{"torque_base_hinge_N_m", "N m", "torque of the servo of the base hinge in the last step"},
       &Figures::base_torque},
      {{"torque_mid_hinge_N_m", "N m", "torque of the servo of the mid hinge in the last step"},
       &Figures::mid_torque},
      {{"torque_head_hinge_N_m", "N m", "torque of the servo of the head hinge in the last step"},
       &Figures::head_torque},
      {{"floor_normal_force_N", "N", "mean force of the floor along its normal in the last step"},
       &Figures::normal_force},
      {{"floor_friction_force_N", "N",
        "mean force of the floor along its surface in the last step"},
       &Figures::friction_force},
      {{"floor_cone_excess_N", "N",
        "amount by which the friction force exceeds the friction cone, |T| - mu N"},
       &Figures::cone_excess},
      {{"clearance_m", "m", "height of the lower end of the base above the floor"},
       &Figures::clearance},
      {{"hinge_excess_rad", "rad", "angle by which the worst hinge is beyond its limits"},
       &Figures::excess},
      {{"active_pose", "1", "number of the active pose, from 0"}, &Figures::pose},
      {{"head_load_kg", "kg", "mass of the load that the head carries"}, &Figures::load},
      {{"tracking_effort_N2_m2_s", "N² m² s",
        "integral of the sum of squared torques that keep the hinges on the plan"},
       &Figures::tracking},
      {{"hinges_off_plan_rad", "rad", "difference of the worst hinge from the plan"},
       &Figures::hinges_off_plan},
      {{"base_off_plan_m", "m", "distance of the base from its position in the plan"},
       &Figures::base_off_plan},
      {{"replans", "1", "times at which the rest of the jump was planned again"},
       &Figures::replans},
      {{"replans_found", "1", "of these, how many found a plan"}, &Figures::replans_found},
      {{"plan_cost_N2_m2_s", "N² m² s", "J of the plan that is followed"}, &Figures::plan_cost},
      {{"plan_stationarity", "1",
        "largest derivative of the Lagrange function of the plan, divided by that of J"},
       &Figures::plan_stationarity},
      {{"plan_complementarity", "1",
        "largest product of an inequality of the plan and its multiplier, divided by J"},
       &Figures::plan_complementarity},
      {{"plan_feasibility", "1", "largest scaled violation of a constraint of the plan"},
       &Figures::plan_feasibility},
      {{"plan_momentum_defect", "1",
        "share of the momentum of a flight of the plan that comes from nowhere between samples"},
       &Figures::plan_momentum_defect},
      {{"plan_duration_s", "s", "time that the plan takes"}, &Figures::plan_duration},
      {{"plan_work_J", "J", "integral over the plan of the sum over the hinges of |torque × rate|"},
       &Figures::plan_work},
      {{"plan_cost_of_transport", "1",
        "that work, divided by the weight of the lamp and the distance of the plan"},
       &Figures::cost_of_transport},
  };
  return columns;
}

}  // namespace

std::vector<SeriesColumn> LampExtras() { return Describe(ExtraTable()); }

void ArticulatedLampSimulation::DoObserve(Observation* o) const {
  const auto n = body_.local.cols();
  o->points.resize(3, n);
  if (!o->velocities) o->velocities.emplace();
  o->velocities->resize(3, n);
  body_.Place(stepper_.lamp(), q_, v_, o->points, *o->velocities);
  o->constraint_energy = stops_.Energy(q_);
  if (links_) o->contact_energy = links_->Energy(stepper_, q_);
  o->work = work_;
  o->explains_momentum = true;
  Figures figures;
  double effort = 0.0, excess = 0.0;
  for (int i = 0; i < kLampHinges; ++i) {
    effort += energies_[i].spent;
    excess = std::max(excess, std::abs(stops_.Excess(i, q_[3 + i])));
  }
  figures.effort = effort;
  figures.torque_squares = torque_squares_;
  figures.acceleration_squares = acceleration_squares_;
  figures.base_torque = torques_[0];
  figures.mid_torque = torques_[1];
  figures.head_torque = torques_[2];
  figures.excess = excess;
  if (!stepper_.ground().empty()) {
    const Eigen::Vector2d& normal = Under().normal;
    const Eigen::Vector2d force = impulse_.head<2>() / last_step_;
    figures.normal_force = normal.dot(force);
    const double along = normal.y() * force.x() - normal.x() * force.y();
    figures.friction_force = along;
    figures.cone_excess = std::max(0.0, std::abs(along) - Under().friction * normal.dot(force));
    figures.clearance = stepper_.Clearance(LampPlacement(q_), q_);
  }
  if (control_) figures.pose = control_->pose();
  if (load_) figures.load = load_->MassAt(time());
  if (plan_) {
    const PlannedJump::State planned = plan_->At(time());
    figures.tracking = tracking_squares_;
    figures.hinges_off_plan = (q_ - planned.q).tail<3>().cwiseAbs().maxCoeff();
    figures.base_off_plan = (q_ - planned.q).head<2>().norm();
    if (plan_->most_replans() > 0) {
      figures.replans = static_cast<double>(plan_->replans().size());
      figures.replans_found = plan_->replans_found();
    }
    const SpacetimeSummary& found = plan_->summary();
    figures.plan_cost = found.final_cost;
    figures.plan_stationarity = found.residuals.stationarity;
    figures.plan_complementarity = found.residuals.complementarity;
    figures.plan_feasibility = found.residuals.feasibility;
    figures.plan_momentum_defect = plan_->motion().momentum_defect();
    figures.plan_duration = plan_->duration();
    figures.plan_work = plan_work_;
    figures.cost_of_transport = cost_of_transport_;
  }
  Fill(ExtraTable(), figures, &o->extras);
}

}  // namespace pliant::articulated_lamp
