// The regulator of a plan: its linear motions are derivatives of the equations of motion, its touchdown that of a located impact, and
// what it says that a deviation costs is what a nonlinear motion under its torques costs.

#include "solvers/articulated_lamp/plan_regulator.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <functional>
#include <vector>

#include "solvers/spacetime/lamp_jump.h"
#include "tests/models/articulated_lamp/random_state.h"

namespace pliant::articulated_lamp {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

using StateMap = std::function<VectorXd(const VectorXd&)>;

MatrixXd CentralDifferences(const StateMap& map, const VectorXd& x, double step) {
  MatrixXd slopes(map(x).size(), x.size());
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    VectorXd forward = x, backward = x;
    forward[k] += step;
    backward[k] -= step;
    slopes.col(k) = (map(forward) - map(backward)) / (2.0 * step);
  }
  return slopes;
}

VectorXd Joined(const VectorXd& a, const VectorXd& b) {
  VectorXd both(a.size() + b.size());
  both << a, b;
  return both;
}

constexpr double kSlope = 0.3, kSlopeFriction = 0.1;

// (ẏ, ÿ) of (y, ẏ, τ) by the solvers of the simulation, or six equations of its own for a slide.
VectorXd Rates(const Lamp& lamp, LampContact contact, const LampVector& about, const VectorXd& x) {
  if (contact == LampContact::kFlight) {
    LampVector force = LampVector::Zero();
    force.tail<3>() = x.tail<3>();
    const LampVector q = x.head<6>(), v = x.segment<6>(6);
    return Joined(v, ForwardDynamics(lamp, q, v, force));
  }
  if (contact == LampContact::kStance) {
    LampVector q = about;
    q.tail<3>() = x.head<3>();
    return Joined(x.segment<3>(3),
                  StanceDynamics(lamp, q, x.segment<3>(3), x.tail<3>()).acceleration);
  }
  // M q̈ + h = (N n − μ N d; M_c; τ), q̈ = (s̈ d; 0; φ̈): unknown s̈, φ̈, N, M_c.
  const double c = std::cos(kSlope), s = std::sin(kSlope);
  LampVector q = about, v = LampVector::Zero();
  q.head<2>() += x[0] * Eigen::Vector2d(c, -s);
  q.tail<3>() = x.segment<3>(1);
  v.head<2>() = x[4] * Eigen::Vector2d(c, -s);
  v.tail<3>() = x.segment<3>(5);
  const LampMatrix mass = MassMatrix(lamp, q);
  LampMatrix system = LampMatrix::Zero();
  system.col(0) = c * mass.col(0) - s * mass.col(1);
  system.middleCols<3>(1) = mass.rightCols<3>();
  system.col(4).head<2>() = -Eigen::Vector2d(s - kSlopeFriction * c, c + kSlopeFriction * s);
  system(2, 5) = -1.0;
  LampVector right = -InverseDynamics(lamp, q, v, LampVector::Zero());
  right.tail<3>() += x.tail<3>();
  const LampVector solved = system.partialPivLu().solve(right);
  return Joined(x.segment<4>(4), solved.head<4>());
}

TEST(PlanRegulator, LinearMotionsAreDerivativesOfTheEquationsOfMotion) {
  const Lamp lamp(LampParameters{});
  LampJumpProblem problem;
  problem.in_run = {kSlope, 1.0, kSlopeFriction};
  for (const LampContact contact :
       {LampContact::kStance, LampContact::kSlide, LampContact::kFlight}) {
    const PhaseCoordinates coordinates = CoordinatesOf(problem, contact);
    const Eigen::Index k = coordinates.basis.cols();
    LampSample sample;
    sample.q << 0.2, 0.3, contact == LampContact::kSlide ? kSlope : 0.1, -0.5, 0.9, 0.3;
    if (contact == LampContact::kStance) sample.q[2] = 0.0;
    VectorXd y = coordinates.basis.transpose() * sample.q;
    VectorXd rates(k);
    for (Eigen::Index i = 0; i < k; ++i) rates[i] = 1.5 - 0.9 * static_cast<double>(i);
    if (contact == LampContact::kSlide) y[0] = 0.0;
    const Eigen::Vector3d torques(2.0, -1.0, 0.5);
    const VectorXd x = Joined(Joined(y, rates), torques);
    const VectorXd at = Rates(lamp, contact, sample.q, x);
    sample.v = coordinates.basis * rates;
    sample.acceleration = coordinates.basis * at.tail(k);
    const LinearSystem system = LinearMotion(lamp, coordinates, sample);
    const MatrixXd slopes = CentralDifferences(
        [&](const VectorXd& moved) { return Rates(lamp, contact, sample.q, moved); }, x, 1e-5);
    EXPECT_LT((system.a - slopes.leftCols(2 * k)).norm(), 1e-6 * slopes.norm());
    EXPECT_LT((system.b - slopes.rightCols(3)).norm(), 1e-6 * slopes.rightCols(3).norm());
  }
}

// A lamp under the torques of a plan and of its regulator, in the phases of the plan: it takes off when the plan does, and its base comes down
// flat at once when its middle does.
class RegulatedMotion {
 public:
  RegulatedMotion(const LampJumpProblem& problem, const LampTrajectory& plan,
                  const PlanRegulator& regulator, const RegulatorWeights& weights)
      : lamp_(problem.lamp, problem.gravity),
        problem_(problem),
        plan_(plan),
        regulator_(regulator),
        weights_(weights) {}

  // ∫ Σ δτ² + w_φ Σ δφ² + w_φ̇ Σ δφ̇² dt from the beginning of a phase with a deviation of its
  // state, until long after the plan.
  double Cost(size_t phase, const VectorXd& deviation, double scale) {
    const LampNode& node = plan_.phases[phase].nodes.front();
    const MatrixXd basis = CoordinatesOf(problem_, plan_.phases[phase].contact).basis;
    const Eigen::Index k = basis.cols();
    q_ = node.q + scale * basis * deviation.head(k);
    v_ = node.v + scale * basis * deviation.segment(k, k);
    if (deviation.size() > 2 * k) q_[0] += scale * deviation[2 * k];  // where it stands
    cost_ = 0.0;
    time_ = plan_.phases[phase].start;
    for (size_t p = phase; p < plan_.phases.size(); ++p) Pass(p);
    return cost_;
  }

  static constexpr double kAfter = 1.0;  // s

 private:
  void Pass(size_t p) {
    const LampPhase& phase = plan_.phases[p];
    const bool last = p + 1 == plan_.phases.size();
    const double end = phase.start + phase.duration + (last ? kAfter : 0.0);
    // Steps divide the intervals of the plan, whose torques and accelerations jump between them.
    for (double next = phase.start; time_ < end - 1e-12;) {
      while (next <= time_ + 1e-12) next += phase.step() / kWithin;
      if (next > end) next = end;
      const double h = next - time_;
      const LampVector q = q_, v = v_;
      const double cost = cost_;
      Step(p, h);
      if (phase.contact == LampContact::kFlight && q_[1] < problem_.end_height &&
          time_ > phase.start + 0.5 * phase.duration) {
        // The time of the touchdown within the step, by Newton.
        double part = h;
        for (int i = 0; i < 8; ++i) {
          part -= (q_[1] - problem_.end_height) / v_[1];
          q_ = q, v_ = v, cost_ = cost;
          Step(p, part);
        }
        time_ += part;
        return Land();
      }
      time_ = next;
    }
    // Who is later than the plan flies on.
    if (phase.contact != LampContact::kFlight) return;
    for (int i = 0; i < 8; ++i) {
      const double part = -(q_[1] - problem_.end_height) / v_[1];
      Step(p, part);
      time_ += part;
    }
    Land();
  }

  void Land() {
    const Impact impact = PlasticImpact(lamp_, q_, v_);
    q_[2] = 0.0;
    v_.setZero();
    v_.tail<3>() = impact.rates;
  }

  // The plan of a phase, carried on before its beginning and after its end.
  LampSample PlanAt(const LampPhase& phase, double time) const {
    const double end = phase.start + phase.duration;
    if (&phase == &plan_.phases.back() && time > end) {
      LampSample rest = LampTrajectory::At(lamp_, phase, end);
      rest.v.setZero();
      rest.acceleration.setZero();
      return rest;
    }
    const double within = std::clamp(time, phase.start, end), beyond = time - within;
    LampSample sample = LampTrajectory::At(lamp_, phase, within);
    sample.q += beyond * sample.v + 0.5 * beyond * beyond * sample.acceleration;
    sample.v += beyond * sample.acceleration;
    return sample;
  }

  // (q̇, q̈) and the rate of the cost.
  void Slope(size_t p, double time, const LampVector& q, const LampVector& v, LampVector* by_q,
             LampVector* by_v, double* by_cost) const {
    const LampPhase& phase = plan_.phases[p];
    const LampSample plan = PlanAt(phase, time);
    Eigen::Matrix<double, 12, 1> off;
    off << q - plan.q, v - plan.v;
    const LampAngles change = -regulator_.At(p, time) * off;
    const LampAngles torques =
        InverseDynamics(lamp_, plan.q, plan.v, plan.acceleration).tail<3>() + change;
    LampVector counts = LampVector::Ones();
    counts.head<2>() /= weights_.length * weights_.length;
    *by_q = v;
    by_v->setZero();
    if (phase.contact == LampContact::kFlight) {
      LampVector force = LampVector::Zero();
      force.tail<3>() = torques;
      *by_v = ForwardDynamics(lamp_, q, v, force);
    } else {
      by_v->tail<3>() = StanceDynamics(lamp_, q, v.tail<3>(), torques).acceleration;
      counts.head<3>().setZero();
    }
    *by_cost = change.squaredNorm() + weights_.angle * off.head<6>().cwiseAbs2().dot(counts) +
               weights_.rate * off.tail<6>().cwiseAbs2().dot(counts);
  }

  // Runge–Kutta of order 4; h may be negative.
  void Step(size_t p, double h) {
    const LampVector q = q_, v = v_;
    LampVector by_q = LampVector::Zero(), by_v = by_q, sum_q = by_q, sum_v = by_q;
    double by_cost = 0.0, sum = 0.0;
    const double nodes[] = {0.0, 0.5, 0.5, 1.0}, weights[] = {1.0, 2.0, 2.0, 1.0};
    const double inside = 1e-9 * h;  // accelerations of the plan jump at its nodes
    for (int i = 0; i < 4; ++i) {
      const double at = time_ + (i == 0 ? inside : (i == 3 ? h - inside : 0.5 * h));
      Slope(p, at, q + nodes[i] * h * by_q, v + nodes[i] * h * by_v, &by_q, &by_v, &by_cost);
      sum_q += weights[i] / 6.0 * by_q;
      sum_v += weights[i] / 6.0 * by_v;
      sum += weights[i] / 6.0 * by_cost;
    }
    q_ = q + h * sum_q;
    v_ = v + h * sum_v;
    cost_ += h * sum;
  }

  static constexpr int kWithin = 20;  // steps in an interval of the plan
  const Lamp lamp_;
  const LampJumpProblem& problem_;
  const LampTrajectory& plan_;
  const PlanRegulator& regulator_;
  const RegulatorWeights& weights_;
  LampVector q_, v_;
  double time_ = 0.0, cost_ = 0.0;
};

class RegulatorOfAPlan : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    LampJumpOptions options;
    options.step = 0.01;
    options.meshes.refinements = 0;
    motion_ = new LampJumpMotion(SolveLampJump(LampJumpProblem{}, options));
    ASSERT_TRUE(motion_->summary().converged());
  }
  static void TearDownTestSuite() { delete motion_; }
  const LampJumpProblem problem_ = {};
  const RegulatorWeights weights_ = {};
  static LampJumpMotion* motion_;
};
LampJumpMotion* RegulatorOfAPlan::motion_ = nullptr;

// What is lost by deviations of ε and −ε, less what the plan itself loses where it leaves the laws of motion between its nodes.
void ExpectCostToGo(const LampJumpProblem& problem, const LampTrajectory& plan,
                    const RegulatorWeights& weights) {
  const PlanRegulator regulator(problem, plan, weights, 0.0001);
  RegulatedMotion motion(problem, plan, regulator, weights);
  for (size_t phase = plan.phases.size(); phase-- > 0;) {
    const MatrixXd& s = regulator.CostToGo(phase);
    for (Eigen::Index k = 0; k < s.rows(); ++k) {
      VectorXd deviation = VectorXd::Zero(s.rows());
      deviation[k] = 1.0;
      deviation[(k + 4) % s.rows()] = -0.7;
      const double predicted = deviation.dot(s * deviation);
      const double scale = std::sqrt(1e-6 / predicted);
      const double up = motion.Cost(phase, deviation, scale);
      const double down = motion.Cost(phase, deviation, -scale);
      const double none = motion.Cost(phase, deviation, 0.0);
      const double cost = 0.5 * (up + down) - none;
      EXPECT_NEAR(cost, scale * scale * predicted, 0.01 * scale * scale * predicted)
          << "phase " << phase << ", coordinate " << k;
    }
  }
}

TEST_F(RegulatorOfAPlan, CostToGoIsWhatTheNonlinearMotionCosts) {
  ExpectCostToGo(problem_, motion_->trajectory, weights_);
}

// Where it stands after the first hop counts in the second.
TEST(RegulatorOfHops, CostToGoIsWhatTheNonlinearMotionCosts) {
  LampJumpProblem hops = {.distance = 0.6};
  hops.stops = {{.distance = 0.3}};
  LampJumpOptions options;
  options.step = 0.005;
  const LampJumpMotion motion = SolveLampJump(hops, options);
  ASSERT_TRUE(motion.summary().converged());
  ExpectCostToGo(hops, motion.trajectory, {});
}

TEST_F(RegulatorOfAPlan, GainsAreOfSecondOrderInTheStep) {
  const LampTrajectory& plan = motion_->trajectory;
  const auto gains = [&](double step, size_t phase, double time) {
    return PlanRegulator(problem_, plan, weights_, step).At(phase, time);
  };
  for (const size_t phase : {size_t{0}, size_t{1}}) {
    const double time = plan.phases[phase].start + 0.5 * plan.phases[phase].duration;
    const PlanRegulator::Gains exact = gains(0.00005, phase, time);
    const double coarse = (gains(0.001, phase, time) - exact).norm();
    const double middle = (gains(0.0005, phase, time) - exact).norm();
    const double fine = (gains(0.00025, phase, time) - exact).norm();
    EXPECT_NEAR(std::log2(coarse / middle), 2.0, 0.2) << phase;
    EXPECT_NEAR(std::log2(middle / fine), 2.0, 0.2) << phase;
    EXPECT_LT(fine, 0.01 * exact.norm()) << phase;
  }
}

// In the air the tilt and the way of the base count; standing, where the base is, as long as there is a flight ahead.
TEST_F(RegulatorOfAPlan, AnswersToTheBaseWhereAFlightIsAhead) {
  const LampTrajectory& plan = motion_->trajectory;
  const PlanRegulator regulator(problem_, plan, weights_);
  for (const size_t phase : {size_t{0}, size_t{2}}) {
    const PlanRegulator::Gains gains = regulator.At(phase, plan.phases[phase].start + 0.3);
    if (phase == 0) {
      EXPECT_GT(gains.col(0).norm(), 0.1);
    } else {
      EXPECT_EQ(gains.col(0).norm(), 0.0);
    }
    EXPECT_EQ(gains.middleCols<2>(1).norm(), 0.0);
    EXPECT_EQ(gains.middleCols<3>(6).norm(), 0.0);
    EXPECT_GT(gains.middleCols<3>(3).norm(), 10.0);
  }
  const PlanRegulator::Gains flying =
      regulator.At(1, plan.phases[1].start + 0.5 * plan.phases[1].duration);
  EXPECT_GT(flying.col(2).norm(), 1.0);
  EXPECT_GT(flying.col(8).norm(), 0.01);
}

}  // namespace
}  // namespace pliant::articulated_lamp
