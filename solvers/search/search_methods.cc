#include "solvers/search/search_methods.h"

#include <utility>

#include "solvers/search/annealing.h"
#include "solvers/search/cma_es.h"
#include "solvers/search/differential_evolution.h"
#include "solvers/search/hill_climbing.h"
#include "solvers/search/pagmo_search.h"
#include "solvers/search/random_search.h"

namespace pliant {
namespace {

struct NoOptions {
  void Bind(ParameterBinder& /*b*/) {}
};

// `make` turns numbers, budget, seed and bound options into the search.
template <typename Options, typename Make>
class Method final : public SearchMethod {
 public:
  Method(std::string name, std::string summary, Make make)
      : name_(std::move(name)), summary_(std::move(summary)), make_(make) {}

  const std::string& name() const override { return name_; }
  const std::string& summary() const override { return summary_; }
  std::vector<ParameterInfo> Parameters() const override { return DescribeParameters<Options>(); }
  std::unique_ptr<Search> Start(const MotionNumbers& numbers, std::int64_t budget,
                                std::uint64_t seed,
                                const ParameterValues& parameters) const override {
    const auto options = BindParameters<Options>(parameters);
    numbers.Validate();
    return make_(numbers, budget, seed, options);
  }

 private:
  std::string name_, summary_;
  Make make_;
};

template <typename Options, typename Make>
Method<Options, Make> MakeMethod(const char* name, const char* summary, Make make) {
  return Method<Options, Make>(name, summary, make);
}

// An algorithm of pagmo.
template <typename Options>
auto MakePagmo(const char* name, const char* summary) {
  return MakeMethod<Options>(
      name, summary,
      [](const MotionNumbers& numbers, std::int64_t budget, std::uint64_t seed,
         const Options& options) { return StartPagmo(options, numbers, budget, seed); });
}

}  // namespace

const std::vector<const SearchMethod*>& SearchMethods() {
  static const auto annealing = MakeMethod<AnnealingOptions>(
      "annealing", "simulated annealing: uphill moves are accepted with probability e^(−Δ/T)",
      [](const MotionNumbers& numbers, std::int64_t budget, std::uint64_t seed,
         const AnnealingOptions& options) -> std::unique_ptr<Search> {
        return std::make_unique<Annealing>(numbers, budget, seed, options);
      });
  static const auto hill_climbing = MakeMethod<HillClimbingOptions>(
      "hill-climbing", "descent by random steps, sized so that one in five succeeds",
      [](const MotionNumbers& numbers, std::int64_t, std::uint64_t seed,
         const HillClimbingOptions& options) -> std::unique_ptr<Search> {
        return std::make_unique<HillClimbing>(numbers, seed, options);
      });
  static const auto random_search = MakeMethod<NoOptions>(
      "random-search", "independent trials, uniformly distributed between the bounds",
      [](const MotionNumbers& numbers, std::int64_t, std::uint64_t seed, const NoOptions&)
          -> std::unique_ptr<Search> { return std::make_unique<RandomSearch>(numbers, seed); });
  static const auto cma_es =
      MakeMethod<CmaEsOptions>("cma-es",
                               "covariance matrix adaptation: a normal distribution of trials that "
                               "adapts to the shape of the valley",
                               [](const MotionNumbers& numbers, std::int64_t, std::uint64_t seed,
                                  const CmaEsOptions& options) -> std::unique_ptr<Search> {
                                 return std::make_unique<CmaEs>(numbers, seed, options);
                               });
  static const auto differential_evolution = MakeMethod<DifferentialEvolutionOptions>(
      "differential-evolution",
      "a population whose members compete with combinations of other members",
      [](const MotionNumbers& numbers, std::int64_t, std::uint64_t seed,
         const DifferentialEvolutionOptions& options) -> std::unique_ptr<Search> {
        return std::make_unique<DifferentialEvolution>(numbers, seed, options);
      });
  static const auto sade =
      MakePagmo<PagmoSade>("pagmo-sade", "pagmo: differential evolution that adapts its factors");
  static const auto de1220 = MakePagmo<PagmoDe1220>(
      "pagmo-de1220", "pagmo: differential evolution that adapts its factors and its variant");
  static const auto cmaes =
      MakePagmo<PagmoCmaes>("pagmo-cmaes", "pagmo: covariance matrix adaptation");
  static const auto xnes = MakePagmo<PagmoXnes>("pagmo-xnes", "pagmo: natural evolution strategy");
  static const auto pso_gen =
      MakePagmo<PagmoSwarm>("pagmo-pso-gen", "pagmo: a swarm of particles, by generations");
  static const auto corana = MakePagmo<PagmoAnnealing>(
      "pagmo-simulated-annealing", "pagmo: simulated annealing that adapts its ranges");
  static const std::vector<const SearchMethod*> methods = {
      &annealing,     &hill_climbing, &cma_es, &differential_evolution,
      &random_search, &sade,          &de1220, &cmaes,
      &xnes,          &pso_gen,       &corana};
  return methods;
}

const SearchMethod* FindSearchMethod(std::string_view name) {
  for (const SearchMethod* method : SearchMethods()) {
    if (method->name() == name) return method;
  }
  return nullptr;
}

}  // namespace pliant
