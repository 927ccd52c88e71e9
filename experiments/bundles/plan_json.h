// Parts of plans as JSON that plans of the lamp and of deformable characters share.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_PLAN_JSON_H_
#define PLIANT_EXPERIMENTS_BUNDLES_PLAN_JSON_H_

#include <vector>

#include "experiments/bundles/json_numbers.h"
#include "solvers/spacetime/constraint_record.h"
#include "solvers/spacetime/optimality.h"

namespace pliant {

template <typename Vector>
Json ListOf(const Vector& numbers) {
  Json list = Json::array();
  for (Eigen::Index i = 0; i < numbers.size(); ++i) list.push_back(NumberToJson(numbers[i]));
  return list;
}

// Rows of one name together, in the order of the program.
Json ConstraintsToJson(const std::vector<ConstraintRecord>& constraints);
Json ResidualsToJson(const OptimalityResiduals& residuals);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_PLAN_JSON_H_
