#include "solvers/spacetime/plan_keys.h"

namespace pliant {

void BindLongest(const std::string& name, double* field, ParameterBinder* binder) {
  binder->Real(name + "_longest", field, "s", AtLeast(0.0),
               "if it exceeds " + name +
                   ", the time is free between the two and the plan finds the cheapest one");
}

void BindPlanSearch(SpacetimeStrategy* method, double* step, int* refinements,
                    ParameterBinder* binder) {
  binder->Choice(
      "plan_method", method, StrategyWords(),
      "how the plan is searched for: by an augmented Lagrangian; by an interior-point method; "
      "by the second where the first does not converge; or by both, of which the cheaper plan "
      "counts. The interior-point method needs Ipopt");
  binder->Real("plan_step", step, "s", MoreThan(0.0),
               "interval of the finest mesh; of up to two finer ones while the motion is too fast "
               "for it and that helps");
  binder->Integer("plan_refinements", refinements, "1", Between(0, 10),
                  "how often the mesh is halved; each solve starts from the coarser plan");
}

}  // namespace pliant
