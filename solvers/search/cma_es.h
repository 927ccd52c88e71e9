// Covariance matrix adaptation [Hansen 2016]: trials are normally distributed around a mean m,
//
//   x = m + σ N(0, C),
//
// in generations of λ. The better half moves the mean, and the steps that led there stretch C; the
// length of the mean's path sets σ. Invariant under rotations and scalings of the numbers: it
// follows narrow valleys that axis-parallel steps do not see. Numbers are counted over the width of
// their bounds; a trial beyond a bound is folded back for its score, the mean is not.

#ifndef PLIANT_SOLVERS_SEARCH_CMA_ES_H_
#define PLIANT_SOLVERS_SEARCH_CMA_ES_H_

#include <cstdint>
#include <vector>

#include "solvers/parameters.h"
#include "solvers/search/random_stream.h"
#include "solvers/search/search.h"

namespace pliant {

struct CmaEsOptions {
  double step_size = 0.2;  // first σ over the width of the bounds, in (0, 1]
  int population = 0;      // λ; 0: 4 + ⌊3 ln n⌋

  void Bind(ParameterBinder& b);
};

class CmaEs final : public Search {
 public:
  // Throws BadInput for a population of 1, 2 or 3.
  CmaEs(MotionNumbers numbers, std::uint64_t seed, const CmaEsOptions& options);

  double step_size() const { return sigma_; }

 protected:
  void DoAsk(Eigen::VectorXd* next) override;
  bool DoAccept(double cost, bool feasible) override;

 private:
  void Adapt();  // O(n³)

  struct Candidate {
    Eigen::VectorXd step;  // (x − m)/σ
    double cost;
  };

  RandomStream random_;
  Eigen::Index n_;
  size_t population_;
  Eigen::VectorXd weights_;  // of the better half, sum 1
  double selected_;          // μ_eff, how many trials the weights are worth
  double path_rate_, path_damping_, cumulation_, rank_one_, rank_mu_, expected_norm_;

  Eigen::VectorXd mean_, path_, covariance_path_;  // mean over the width of the bounds
  Eigen::MatrixXd covariance_, axes_;              // C = B D² Bᵀ
  Eigen::VectorXd lengths_;                        // D
  double sigma_;
  int generation_ = 0;
  std::vector<Candidate> candidates_;  // of this generation, evaluated; the last one is pending
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SEARCH_CMA_ES_H_
