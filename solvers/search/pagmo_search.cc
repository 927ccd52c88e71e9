#include "solvers/search/pagmo_search.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/cmaes.hpp>
#include <pagmo/algorithms/de1220.hpp>
#include <pagmo/algorithms/pso_gen.hpp>
#include <pagmo/algorithms/sade.hpp>
#include <pagmo/algorithms/simulated_annealing.hpp>
#include <pagmo/algorithms/xnes.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <random>
#include <utility>

#include "models/problem.h"
#include "solvers/search/inverted_loop.h"

namespace pliant {
namespace {

// A cost function as pagmo asks for it; copies ask the same.
struct PagmoProblem {
  const InvertedLoop::Cost* cost = nullptr;
  pagmo::vector_double lower = {0.0}, upper = {1.0};

  pagmo::vector_double fitness(const pagmo::vector_double& x) const { return {(*cost)(x)}; }
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    return {lower, upper};
  }
};

double ForPagmo(double cost) { return std::min(cost, std::numeric_limits<double>::max()); }

pagmo::vector_double ForPagmo(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }

// An algorithm for a budget, and the size of the population that it begins with.
struct Chosen {
  pagmo::algorithm algorithm;
  int population;
};

class Chooser {
 public:
  Chooser(std::int64_t budget, Eigen::Index numbers, unsigned seed)
      : budget_(budget), numbers_(numbers), seed_(seed) {}

  Chosen operator()(const PagmoSade& o) const {
    return {
        pagmo::algorithm(pagmo::sade(Generations(o.population), static_cast<unsigned>(o.variant),
                                     static_cast<unsigned>(o.adaptation), 0.0, 0.0,
                                     /*memory=*/false, seed_)),
        o.population};
  }
  Chosen operator()(const PagmoDe1220& o) const {
    return {pagmo::algorithm(pagmo::de1220(Generations(o.population),
                                           pagmo::de1220_statics<void>::allowed_variants,
                                           static_cast<unsigned>(o.adaptation), 0.0, 0.0,
                                           /*memory=*/false, seed_)),
            o.population};
  }
  Chosen operator()(const PagmoCmaes& o) const {
    return {
        pagmo::algorithm(pagmo::cmaes(Generations(o.population), -1, -1, -1, -1, o.step_size, 0.0,
                                      0.0, /*memory=*/false, /*force_bounds=*/true, seed_)),
        o.population};
  }
  Chosen operator()(const PagmoXnes& o) const {
    return {pagmo::algorithm(pagmo::xnes(Generations(o.population), -1, -1, -1, o.step_size, 0.0,
                                         0.0, /*memory=*/false, /*force_bounds=*/true, seed_)),
            o.population};
  }
  Chosen operator()(const PagmoSwarm& o) const {
    constexpr unsigned kConstricted = 5, kRing = 2, kNeighbours = 4;  // pagmo's defaults
    return {pagmo::algorithm(pagmo::pso_gen(Generations(o.population), o.constriction, o.cognitive,
                                            o.social, o.largest_velocity, kConstricted, kRing,
                                            kNeighbours, /*memory=*/false, seed_)),
            o.population};
  }
  Chosen operator()(const PagmoAnnealing& o) const {
    if (!(o.end_temperature < o.start_temperature)) {
      throw BadInput(
          {"end_temperature", "end_temperature must be less than start_temperature", ""});
    }
    const std::int64_t bins = std::int64_t{o.temperatures} * o.ranges * numbers_;
    const std::int64_t bin =
        o.bin_size > 0 ? o.bin_size : std::max<std::int64_t>(1, (budget_ - 2 + bins) / bins);
    return {pagmo::algorithm(pagmo::simulated_annealing(
                o.start_temperature, o.end_temperature, static_cast<unsigned>(o.temperatures),
                static_cast<unsigned>(o.ranges), static_cast<unsigned>(bin), o.start_range, seed_)),
            1};
  }

 private:
  static unsigned Unsigned(std::int64_t count) {
    return static_cast<unsigned>(
        std::clamp<std::int64_t>(count, 1, std::numeric_limits<unsigned>::max()));
  }
  // So many that the budget ends within the last one at the latest.
  unsigned Generations(int population) const { return Unsigned(budget_ / population + 1); }

  std::int64_t budget_;
  Eigen::Index numbers_;
  unsigned seed_;
};

class PagmoSearch final : public Search {
 public:
  PagmoSearch(MotionNumbers numbers, Chosen chosen, unsigned seed)
      : Search(std::move(numbers)), chosen_(std::move(chosen)), seed_(seed) {}

  bool finished() const override { return loop_ && loop_->Asked() == nullptr; }
  double other_seconds() const override { return loop_ ? loop_->seconds() : 0.0; }

 protected:
  void DoBegin(double cost, bool /*feasible*/) override {
    loop_.emplace([this, cost](const InvertedLoop::Cost& ask) { Evolve(ForPagmo(cost), ask); });
  }
  void DoAsk(Eigen::VectorXd* next) override {
    const std::vector<double>& asked = *loop_->Asked();
    *next = Eigen::VectorXd::Map(asked.data(), static_cast<Eigen::Index>(asked.size()));
  }
  bool DoAccept(double cost, bool /*feasible*/) override {
    loop_->Answer(ForPagmo(cost));
    return cost <= current_cost();
  }

 private:
  // On the thread of the loop.
  void Evolve(double start_cost, const InvertedLoop::Cost& ask) const {
    pagmo::population population{
        PagmoProblem{&ask, ForPagmo(numbers().lower), ForPagmo(numbers().upper)}, 0U, seed_};
    population.push_back(ForPagmo(numbers().start), {start_cost});
    while (population.size() < static_cast<size_t>(chosen_.population)) {
      population.push_back(population.random_decision_vector());
    }
    chosen_.algorithm.evolve(population);
  }

  Chosen chosen_;
  unsigned seed_;
  std::optional<InvertedLoop> loop_;  // once the start is known; last: its thread uses the others
};

}  // namespace

bool HasPagmo() { return true; }

std::unique_ptr<Search> StartPagmo(const PagmoAlgorithm& algorithm, const MotionNumbers& numbers,
                                   std::int64_t budget, std::uint64_t seed) {
  std::mt19937_64 seeds(seed);
  const auto draw = [&seeds] { return static_cast<unsigned>(seeds() >> 32); };
  const unsigned of_population = draw(), of_algorithm = draw();
  return std::make_unique<PagmoSearch>(
      numbers, std::visit(Chooser(budget, numbers.start.size(), of_algorithm), algorithm),
      of_population);
}

}  // namespace pliant
