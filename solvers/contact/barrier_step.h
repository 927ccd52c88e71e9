// A step of a scheme in pieces that a barrier between surfaces accepts (surface_barrier.h,
// divided_step.h).

#ifndef PLIANT_SOLVERS_CONTACT_BARRIER_STEP_H_
#define PLIANT_SOLVERS_CONTACT_BARRIER_STEP_H_

#include <Eigen/Core>
#include <string>

#include "solvers/contact/surface_barrier.h"
#include "solvers/exchange.h"
#include "solvers/integration/divided_step.h"

namespace pliant {

class BarrierStep {
 public:
  // take(t, h) advances *q, *v and *work by h from t; points(q, &x) gives the points of the scene.
  template <typename Take, typename Points>
  StepOutcome Step(double t, double step, const Take& take, const Points& points,
                   SurfaceBarrier* barrier, Eigen::VectorXd* q, Eigen::VectorXd* v,
                   Exchange* work) {
    struct Pieces {
      const Take& take;
      const Points& points;
      SurfaceBarrier& barrier;
      Eigen::VectorXd &q, &v;
      Exchange& work;
      BarrierStep& kept;

      void Keep() {
        kept.q_ = q;
        kept.v_ = v;
        kept.work_ = work;
        points(q, &kept.before_);
        barrier.BeginPiece();
      }
      void TakeBack() {
        q = kept.q_;
        v = kept.v_;
        work = kept.work_;
      }
      StepOutcome TakePiece(double at, double h) { return take(at, h); }
      bool AcceptsPiece(double end) {
        points(q, &kept.after_);
        return kept.after_.allFinite() && barrier.Accepts(kept.before_, kept.after_, end);
      }
    } pieces{take, points, *barrier, *q, *v, *work, *this};
    last_ = TakeDividedStep(t, step, &pieces);
    if (last_.outcome.kind == StepOutcome::Kind::kAdvanced && last_.gave_up) {
      return {StepOutcome::Kind::kNotConverged, "distance of surfaces in contact"};
    }
    return last_.outcome;
  }

  // What is worth an event after a step: more pieces than ever before, by a factor of two; or that the
  // pieces did not suffice for the first time. Empty otherwise.
  std::string News(const SurfaceBarrier& barrier, const Scene& scene);

 private:
  DividedStep last_;
  int told_ = 64;  // pieces
  bool told_of_failure_ = false;
  // Scratch.
  Eigen::VectorXd q_, v_;
  Exchange work_;
  Eigen::Matrix3Xd before_, after_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_BARRIER_STEP_H_
