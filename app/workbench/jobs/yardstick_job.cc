#include "app/workbench/jobs/yardstick_job.h"

#include <utility>

#include "app/plots/bundle_series.h"
#include "experiments/bundles/kept_yardstick.h"

namespace pliant {

std::unique_ptr<YardstickJob> LookForYardstick(std::shared_ptr<const Experiment> experiment,
                                               std::filesystem::path near) {
  return std::make_unique<YardstickJob>(
      [experiment = std::move(experiment), near = std::move(near)](YardstickJob* job,
                                                                   const std::stop_token&) {
        const KeptYardstick kept = FindYardstick(near, YardstickAddress(*experiment));
        auto found = std::make_shared<const FoundYardstick>(
            FoundYardstick{kept.bundle.path(), ErrorsByColumn(kept)});
        job->Report([&](YardstickNews* news) { news->found = std::move(found); });
        return std::string();
      });
}

}  // namespace pliant
