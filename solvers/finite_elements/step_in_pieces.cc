// Steps of a given error: FiniteElementSimulation::StepInPieces().

#include <algorithm>
#include <limits>

#include "solvers/finite_elements/finite_element_simulation.h"
#include "solvers/integration/divided_step.h"

namespace pliant::finite_elements {

using Eigen::Matrix3Xd;

// The owner of TakeDividedStep(): each piece is taken at once and in two halves, and keeps the halves. Both
// differ by 2^p − 1 times the error of the halves, for a scheme of order p. Where Newton's iteration does not converge in a
// piece of a millionth of the step, the step has not converged, and what is left of it is not judged.
class FiniteElementSimulation::Pieces {
 public:
  Pieces(FiniteElementSimulation* of, double step)
      : of_(*of), shortest_(kShortest * step), impulses_(of->impulses_) {}

  void Keep() {
    begin_ = of_.state_;
    work_ = of_.work_;
    impulses_ = of_.impulses_;
  }
  void TakeBack() {
    of_.state_ = begin_;
    of_.work_ = work_;
    of_.impulses_ = impulses_;
  }
  StepOutcome TakePiece(double t, double h) {
    constexpr double kUnknown = std::numeric_limits<double>::infinity();
    length_ = h;
    error_ = kUnknown;
    const bool whole = of_.Move(t, h) == TimeStep::Result::kConverged;
    at_once_ = of_.state_.q;
    TakeBack();
    TimeStep::Result result = of_.Step(t, 0.5 * h, 0);
    if (result != TimeStep::Result::kFailed) {
      result = std::max(result, of_.Step(t + 0.5 * h, 0.5 * h, 0));
    }
    if (whole && result == TimeStep::Result::kConverged) {
      const double apart = of_.options_.time.scheme == TimeScheme::kImplicitEuler ? 1.0 : 3.0;
      error_ = (at_once_ - of_.state_.q).colwise().norm().maxCoeff() / apart;
    }
    unsolved_ |= result == TimeStep::Result::kNotConverged && h <= shortest_;
    return OutcomeOf(result);
  }
  bool AcceptsPiece(double /*end*/) const {
    return unsolved_ || error_ <= of_.options_.step_tolerance * length_;
  }

 private:
  static constexpr double kShortest =
      0x1p-20;  // of the step, of a piece that is solved by division

  FiniteElementSimulation& of_;
  double shortest_;        // s
  bool unsolved_ = false;  // has a piece so short not converged?
  MotionState begin_;
  Exchange work_;
  ContactImpulses impulses_;
  Matrix3Xd at_once_;
  double length_ = 0.0, error_ = 0.0;  // of the piece [s], [m]
};

StepOutcome FiniteElementSimulation::StepInPieces(double t, double h) {
  Pieces pieces(this, h);
  const DividedStep taken = TakeDividedStep(t, h, &pieces);
  if (taken.outcome.kind != StepOutcome::Kind::kAdvanced || !taken.gave_up) return taken.outcome;
  return {StepOutcome::Kind::kNotConverged, "a piece of the step with less than its error"};
}

}  // namespace pliant::finite_elements
