#include "tests/reference/particle.h"

#include <cmath>
#include <limits>

#include "models/problem.h"

namespace pliant {
namespace {

// A block is (x_i, f_i), or x_i alone where no force is asked for.
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Point = Eigen::Map<const Eigen::Vector3d>;

// √w f_i.
class JetEffort : public SpacetimeTerm {
 public:
  JetEffort(double time, int block, double weight)
      : SpacetimeTerm(time, {block}, {{"jet force", "N", RowKind::kCost, 3}}),
        root_weight_(std::sqrt(weight)) {}

  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override {
    Eigen::Map<Eigen::Vector3d>{values} = root_weight_ * Point(x[0] + 3);
    if (jacobians == nullptr) return;
    Eigen::Map<RowMajor> jacobian(jacobians[0], 3, 6);
    jacobian << Eigen::Matrix3d::Zero(), root_weight_ * Eigen::Matrix3d::Identity();
  }

 private:
  double root_weight_;
};

// m (left − 2 x_i + right)/h² − f_i − m g, where at a ghost node left and right are the same block.
class JetPhysics : public SpacetimeTerm {
 public:
  JetPhysics(double time, const ParticleProblem& problem, double h, double weight, int middle,
             std::vector<int> neighbours, std::vector<int> sizes)
      : SpacetimeTerm(time, Blocks(middle, neighbours),
                      {{"physics", "N", RowKind::kEquality, 3, 1.0, weight}}),
        stiffness_(problem.mass / (h * h)),
        weight_force_(problem.mass * problem.gravity),
        sizes_(std::move(sizes)) {}

  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override {
    const int neighbours = static_cast<int>(sizes_.size());
    const double share = 2.0 * stiffness_ / neighbours;  // of each neighbour
    Eigen::Vector3d lack = -2.0 * stiffness_ * Point(x[0]) - Point(x[0] + 3) - weight_force_;
    for (int i = 0; i < neighbours; ++i) lack += share * Point(x[1 + i]);
    Eigen::Map<Eigen::Vector3d>{values} = lack;
    if (jacobians == nullptr) return;
    Eigen::Map<RowMajor>(jacobians[0], 3, 6) << -2.0 * stiffness_ * Eigen::Matrix3d::Identity(),
        -Eigen::Matrix3d::Identity();
    for (int i = 0; i < neighbours; ++i) {
      Eigen::Map<RowMajor> jacobian(jacobians[1 + i], 3, sizes_[i]);
      jacobian.setZero();
      jacobian.leftCols<3>() = share * Eigen::Matrix3d::Identity();
    }
  }

 private:
  static std::vector<int> Blocks(int middle, const std::vector<int>& neighbours) {
    std::vector<int> blocks = {middle};
    blocks.insert(blocks.end(), neighbours.begin(), neighbours.end());
    return blocks;
  }

  double stiffness_;
  Eigen::Vector3d weight_force_;
  std::vector<int> sizes_;  // of the neighbours' blocks
};

// x_i = place.
class PlaceTerm : public SpacetimeTerm {
 public:
  PlaceTerm(double time, int block, int size, const Eigen::Vector3d& place, const char* name)
      : SpacetimeTerm(time, {block}, {{name, "m", RowKind::kEquality, 3}}),
        size_(size),
        place_(place) {}

  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override {
    Eigen::Map<Eigen::Vector3d>{values} = Point(x[0]) - place_;
    if (jacobians == nullptr) return;
    Eigen::Map<RowMajor> jacobian(jacobians[0], 3, size_);
    jacobian.setZero();
    jacobian.leftCols<3>().setIdentity();
  }

 private:
  int size_;
  Eigen::Vector3d place_;
};

// (x_{i+1} − x_i)/h = 0, a discrete zero velocity.
class Rest : public SpacetimeTerm {
 public:
  Rest(double time, double h, int first, int first_size, int second_size)
      : SpacetimeTerm(time, {first, first + 1}, {{"rest", "m/s", RowKind::kEquality, 3}}),
        rate_(1.0 / h),
        sizes_{first_size, second_size} {}

  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override {
    Eigen::Map<Eigen::Vector3d>{values} = rate_ * (Point(x[1]) - Point(x[0]));
    if (jacobians == nullptr) return;
    for (int i = 0; i < 2; ++i) {
      Eigen::Map<RowMajor> jacobian(jacobians[i], 3, sizes_[i]);
      jacobian.setZero();
      jacobian.leftCols<3>() = (i == 0 ? -rate_ : rate_) * Eigen::Matrix3d::Identity();
    }
  }

 private:
  double rate_;
  int sizes_[2];
};

}  // namespace

void ParticleProblem::Validate() const {
  const auto require = [](bool holds, const std::string& name, const char* rule) {
    if (!holds) throw BadInput({name, name + " must be " + rule, ""});
  };
  require(mass > 0.0 && std::isfinite(mass), "mass", "finite and positive");
  require(duration > 0.0 && std::isfinite(duration), "duration", "finite and positive");
  require(gravity.allFinite(), "gravity", "finite");
  require(start.allFinite(), "start", "finite");
  require(goal.allFinite(), "goal", "finite");
}

double ParticleProblem::LeastCost() const {
  const double t = duration;
  return mass * mass *
         (12.0 * (goal - start).squaredNorm() / (t * t * t) + gravity.squaredNorm() * t);
}

ParticleMotion SolveParticle(const ParticleProblem& problem, int intervals,
                             ParticleBoundary boundary, const SpacetimeOptions& options) {
  problem.Validate();
  if (intervals < 3) throw BadInput({"intervals", "a particle needs at least 3 intervals", ""});
  const int last = intervals;
  const double h = problem.duration / intervals;
  const bool ghosts = boundary == ParticleBoundary::kGhostNodes;
  const auto inner = [&](int i) { return i > 0 && i < last; };
  const auto size = [&](int i) { return ghosts || inner(i) ? 6 : 3; };

  SpacetimeProgram program;
  for (int i = 0; i <= last; ++i) program.AddBlock(size(i));
  for (int i = 0; i <= last; ++i) {
    if (size(i) == 3) continue;
    const double time = i * h, weight = inner(i) ? h : 0.5 * h;
    std::vector<int> neighbours;
    if (i > 0) neighbours.push_back(i - 1);
    if (i < last) neighbours.push_back(i + 1);
    std::vector<int> sizes;
    for (const int k : neighbours) sizes.push_back(size(k));
    program.AddTerm(std::make_unique<JetEffort>(time, i, weight));
    program.AddTerm(
        std::make_unique<JetPhysics>(time, problem, h, weight, i, neighbours, std::move(sizes)));
  }
  program.AddTerm(std::make_unique<PlaceTerm>(0.0, 0, size(0), problem.start, "start"));
  program.AddTerm(
      std::make_unique<PlaceTerm>(problem.duration, last, size(last), problem.goal, "goal"));
  if (!ghosts) {
    program.AddTerm(std::make_unique<Rest>(0.0, h, 0, size(0), size(1)));
    program.AddTerm(
        std::make_unique<Rest>(problem.duration, h, last - 1, size(last - 1), size(last)));
  }

  Eigen::VectorXd x = Eigen::VectorXd::Zero(program.variables());
  for (int i = 0; i <= last; ++i) {
    const double s = static_cast<double>(i) / intervals;
    x.segment<3>(program.blocks()[i].offset) = problem.start + s * (problem.goal - problem.start);
  }

  ParticleMotion motion;
  motion.summary = Solve(program, options, &x);
  motion.positions.resize(3, intervals + 1);
  motion.forces.setConstant(3, intervals + 1, std::numeric_limits<double>::quiet_NaN());
  for (int i = 0; i <= last; ++i) {
    const int offset = program.blocks()[i].offset;
    motion.positions.col(i) = x.segment<3>(offset);
    if (size(i) == 6) motion.forces.col(i) = x.segment<3>(offset + 3);
  }
  return motion;
}

}  // namespace pliant
