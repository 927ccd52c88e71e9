#include "app/workbench/jobs/inspect_job.h"

#include <utility>

namespace pliant {
namespace {

std::unique_ptr<InspectJob> Begin(std::function<Inspection(const std::stop_token&)> inspect) {
  return std::make_unique<InspectJob>(
      [inspect = std::move(inspect)](InspectJob* job, const std::stop_token& stop) {
        auto seen = std::make_shared<const Inspection>(inspect(stop));
        job->Report([&](InspectNews* news) { news->seen = std::move(seen); });
        return std::string();
      });
}

}  // namespace

std::unique_ptr<InspectJob> BeginInspection(std::shared_ptr<const Experiment> experiment,
                                            size_t index, double time,
                                            std::shared_ptr<const Eigen::VectorXd> from) {
  return Begin([experiment = std::move(experiment), index, time,
                from = std::move(from)](const std::stop_token& stop) {
    return Inspect(*experiment, index, time, from.get(), stop);
  });
}

std::unique_ptr<InspectJob> BeginInspection(std::filesystem::path path, double time) {
  return Begin([path = std::move(path), time](const std::stop_token&) {
    const Bundle bundle = Bundle::Open(path);
    return Inspect(bundle, NearestFrame(bundle, time));
  });
}

}  // namespace pliant
