// Cost functions of a motion, to be minimised [Faloutsos 1995, Table 5.1].
//
//   1/distance                     1/q_x
//   energy/distance                W/q_x
//   energy/sqrt(distance*speed)    W/√(q_x q̇_x)      over the scale: 1e7 and 5e7 in the table
//   energy/sqrt(distance)          W/√q_x             5e7 in the table
//   weighted-sum                   Σ weight · measure, energies also of single modes, figures of probes
//   jump                           J + penalty · what is missing to the goal, J = ∫ κ Σ τ² + ε Σ φ̈² + π Σ |τ φ̇| dt
//   energy-jump                    the same with W in place of J, for bodies without hinges
//
// The running text of the source leaves open how far the root reaches; its table has both under
// it. "If q_x q̇_x < 0 the cost is set to a high value": this would favour a body that moves
// backwards, also at the end, where the product is positive. Here a quotient is the penalty unless
// each quantity it divides by is positive. The rows that differ in their scale alone are one
// function: scaling the cost scales the temperature at which annealing makes the same choices,
// nothing else.
//
// The jump is the problem of solvers/spacetime/jump_problem.h as a search sees it: the centre of mass comes
// to rest `goal` further and as high as it began. What is missing is how far the motion ends from
// that, beyond the tolerance: along x, in height, and the way its end speed makes in a second. With
// end = state, the whole body ends as it began, as a plan asks: not turned or deformed, and no point moves;
// and short_by says how far of the tolerance may be short of the goal. The laws of motion, the floor and the limits of the hinges need no terms: a simulation keeps them.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_MOTION_COST_H_
#define PLIANT_EXPERIMENTS_SEARCHES_MOTION_COST_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "experiments/searches/motion_measures.h"
#include "solvers/search/motion_problem.h"
#include "solvers/spacetime/jump_problem.h"

namespace pliant {

struct MotionCostFunction {
  enum class Form {
    kInverseDistance,
    kEnergyPerDistance,
    kEnergyPerRootDistanceSpeed,
    kEnergyPerRootDistance,
    kWeightedSum,
    kJump,
    kEnergyJump,
  };
  Form form = Form::kInverseDistance;
  double scale = 1.0;                  // divides every form but the weighted sum, > 0
  double penalty = 1e6;                // cost of a motion that made no way or went backwards
  double goal = 0.0;                   // m, of a jump
  double tolerance = 0.01;             // m, of a jump, > 0
  enum class End { kCentre, kState };  // of what a jump asks to be where it began, and at rest
  End end = End::kCentre;
  std::optional<double> short_by;  // m, of a jump, ≥ 0: tolerance towards its start
  // Of a jump: κ, ε and π, ≥ 0.
  double torque_weight = 1.0, acceleration_weight = 1e-5, work_weight = 0.0;
  std::array<double, kMeasures> weights{};  // of the weighted sum, and there
  struct ModeWeight {
    std::string mode;
    bool net;  // of its net energy, ∫ Q γ̇ dt, instead of ∫ |Q γ̇| dt
    double weight;
  };
  std::vector<ModeWeight> mode_weights;
  struct FigureWeight {
    std::string figure;  // of a probe: "sag_max_m"
    double weight;
  };
  std::vector<FigureWeight> figure_weights;
  // What a motion must keep, whatever the form: `penalty` is added to its cost for each unit beyond.
  struct Limit {
    std::string of;                     // the name of a measure, or a figure of a probe
    std::optional<double> least, most;  // in its unit; one of them at least
  };
  std::vector<Limit> limits;

  bool IsJump() const { return form == Form::kJump || form == Form::kEnergyJump; }
  // Whether it asks for anything that a motion can miss.
  bool HasConditions() const { return form != Form::kWeightedSum || !limits.empty(); }
  // The measures that the form and the limits use, besides single modes.
  std::vector<Measure> Reads() const;
  // The figures of probes that have a weight, even 0, or a limit; each once.
  std::vector<std::string> Figures() const;
};

// Names of the terms of a score, with unit suffix: all measures in their order, then the energies
// of modes that have a weight, even 0, the figures of probes (Figures()), and for a jump the distance between its goal and where the
// centre of mass ends.
std::vector<std::string> TermsOf(const MotionCostFunction& function);

// Cost and terms (NaN where absent). A penalised motion has violation 1 and the name of the measure
// that is not positive. A measure that the form needs and that is not defined makes a failure.
MotionScore ScoreMotion(const MotionCostFunction& function, const MotionMeasures& measures);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_MOTION_COST_H_
