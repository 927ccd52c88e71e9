// The best trial of a search as an edit of the experiment that was searched. No Qt.

#ifndef PLIANT_APP_WORKBENCH_EDITS_TRIAL_EDIT_H_
#define PLIANT_APP_WORKBENCH_EDITS_TRIAL_EDIT_H_

#include <Eigen/Core>
#include <memory>

#include "experiments/files/experiment.h"

namespace pliant {

// The experiment with the numbers of a trial in the backend that its [optimize] table searches.
// Throws FileError.
std::shared_ptr<const Experiment> WithNumbers(const Experiment& experiment,
                                              const Eigen::VectorXd& numbers);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITS_TRIAL_EDIT_H_
