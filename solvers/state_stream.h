// Copies matrices and numbers to or from a saved state, one after the other.

#ifndef PLIANT_SOLVERS_STATE_STREAM_H_
#define PLIANT_SOLVERS_STATE_STREAM_H_

#include <Eigen/Core>

namespace pliant {

class StateWriter {
 public:
  explicit StateWriter(Eigen::Ref<Eigen::VectorXd> state) : state_(state) {}
  void operator()(const Eigen::Ref<const Eigen::Matrix3Xd>& m) {
    state_.segment(next_, m.size()) = Eigen::Map<const Eigen::VectorXd>(m.data(), m.size());
    next_ += m.size();
  }
  void operator()(double value) { state_[next_++] = value; }

 private:
  Eigen::Ref<Eigen::VectorXd> state_;
  Eigen::Index next_ = 0;
};

class StateReader {
 public:
  explicit StateReader(const Eigen::Ref<const Eigen::VectorXd>& state) : state_(state) {}
  void operator()(Eigen::Ref<Eigen::Matrix3Xd> m) {
    Eigen::Map<Eigen::VectorXd>(m.data(), m.size()) = state_.segment(next_, m.size());
    next_ += m.size();
  }
  double operator()() { return state_[next_++]; }

 private:
  const Eigen::Ref<const Eigen::VectorXd>& state_;
  Eigen::Index next_ = 0;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_STATE_STREAM_H_
