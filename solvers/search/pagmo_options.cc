#include "solvers/search/pagmo_search.h"

namespace pliant {
namespace {

constexpr char kPopulation[] = "size of the population";
constexpr char kAdaptation[] =
    "how the factors of the mutation adapt: 1 as in jDE, 2 as in iDE, from those of other members";

void BindStepSize(ParameterBinder& b, double* step_size) {
  b.Real("step_size", step_size, "1", Between(1e-12, 1.0),
         "first standard deviation, divided by the width of the bounds");
}

}  // namespace

void PagmoSade::Bind(ParameterBinder& b) {
  b.Integer("population", &population, "1", AtLeast(7), kPopulation);
  b.Integer("variant", &variant, "1", Between(1, 18),
            "variant of the mutation, as pagmo counts them: 2 is rand/1/exp");
  b.Integer("adaptation", &adaptation, "1", Between(1, 2), kAdaptation);
}

void PagmoDe1220::Bind(ParameterBinder& b) {
  b.Integer("population", &population, "1", AtLeast(7), kPopulation);
  b.Integer("adaptation", &adaptation, "1", Between(1, 2), kAdaptation);
}

void PagmoCmaes::Bind(ParameterBinder& b) {
  b.Integer("population", &population, "1", AtLeast(5), kPopulation);
  BindStepSize(b, &step_size);
}

void PagmoXnes::Bind(ParameterBinder& b) {
  b.Integer("population", &population, "1", AtLeast(4), kPopulation);
  BindStepSize(b, &step_size);
}

void PagmoSwarm::Bind(ParameterBinder& b) {
  b.Integer("population", &population, "1", AtLeast(5), kPopulation);
  b.Real("constriction", &constriction, "1", Between(0.0, 1.0),
         "factor of the velocity of a particle in each generation");
  b.Real("cognitive", &cognitive, "1", Between(0.0, 4.0),
         "pull of the best place of the particle itself");
  b.Real("social", &social, "1", Between(0.0, 4.0), "pull of the best place of its neighbours");
  b.Real("largest_velocity", &largest_velocity, "1", Between(1e-12, 1.0),
         "largest move in a generation, divided by the width of the bounds");
}

void PagmoAnnealing::Bind(ParameterBinder& b) {
  b.Real("start_temperature", &start_temperature, "cost", MoreThan(0.0), "first temperature");
  b.Real("end_temperature", &end_temperature, "cost", MoreThan(0.0),
         "last temperature, less than the first");
  b.Integer("temperatures", &temperatures, "1", Between(1, 1000000),
            "number of temperatures, in geometric steps");
  b.Integer("ranges", &ranges, "1", Between(1, 1000000),
            "number of adjustments of the ranges at each temperature");
  b.Integer("bin_size", &bin_size, "1", AtLeast(0),
            "moves of each number between two adjustments of its range; 0: so many that they "
            "end with the budget");
  b.Real("start_range", &start_range, "1", Between(1e-12, 1.0),
         "first range of a move, divided by the width of the bounds");
}

}  // namespace pliant
