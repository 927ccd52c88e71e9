#include "solvers/search/pagmo_search.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <variant>

#include "models/problem.h"
#include "solvers/search/inverted_loop.h"
#include "solvers/search/pagmo_evolution.h"

namespace pliant {
namespace {

// Of the module, which stays loaded.
PagmoEvolution& LoadedEvolution() {
  static void* const module = dlopen(PLIANT_PAGMO_MODULE, RTLD_NOW | RTLD_LOCAL);
  static void* const evolution = module ? dlsym(module, "PliantEvolveWithPagmo") : nullptr;
  if (evolution == nullptr) {
    throw BadInput({"method", "the searches of pagmo are in a module that cannot be loaded",
                    "put the folder of " PLIANT_PAGMO_MODULE
                    " into LD_LIBRARY_PATH, or search by another method"});
  }
  return *reinterpret_cast<PagmoEvolution*>(evolution);
}

double ForPagmo(double cost) { return std::min(cost, std::numeric_limits<double>::max()); }

std::vector<double> ForPagmo(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }

class PagmoSearch final : public Search {
 public:
  PagmoSearch(MotionNumbers numbers, PagmoTask task)
      : Search(std::move(numbers)), task_(std::move(task)), evolve_(LoadedEvolution()) {}

  bool finished() const override { return loop_ && loop_->Asked() == nullptr; }
  double other_seconds() const override { return loop_ ? loop_->seconds() : 0.0; }

 protected:
  void DoBegin(double cost, bool /*feasible*/) override {
    task_.start_cost = ForPagmo(cost);
    loop_.emplace([this](const InvertedLoop::Cost& ask) { evolve_(task_, ask); });
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
  PagmoTask task_;
  PagmoEvolution& evolve_;
  std::optional<InvertedLoop> loop_;  // once the start is known; last: its thread uses the others
};

}  // namespace

bool HasPagmo() { return true; }

std::unique_ptr<Search> StartPagmo(const PagmoAlgorithm& algorithm, const MotionNumbers& numbers,
                                   std::int64_t budget, std::uint64_t seed) {
  const auto* annealing = std::get_if<PagmoAnnealing>(&algorithm);
  if (annealing && !(annealing->end_temperature < annealing->start_temperature)) {
    throw BadInput({"end_temperature", "end_temperature must be less than start_temperature", ""});
  }
  std::mt19937_64 seeds(seed);
  const auto draw = [&seeds] { return static_cast<unsigned>(seeds() >> 32); };
  const unsigned of_population = draw(), of_algorithm = draw();
  return std::make_unique<PagmoSearch>(
      numbers, PagmoTask{algorithm, budget, ForPagmo(numbers.start), ForPagmo(numbers.lower),
                         ForPagmo(numbers.upper), 0.0, of_population, of_algorithm});
}

}  // namespace pliant
