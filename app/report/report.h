// The report of a comparison: one HTML file that needs nothing beside it, and its figures as files
// for papers.

#ifndef PLIANT_APP_REPORT_REPORT_H_
#define PLIANT_APP_REPORT_REPORT_H_

#include <filesystem>
#include <functional>
#include <vector>

#include "app/plots/plot.h"
#include "app/report/page.h"
#include "app/report/report_data.h"

namespace pliant {

// Writes `html` and, beside it, figures/<key>.svg and .pdf (and key-frames.png). `bundles` are
// those of one scene. Throws what CollectReport throws, and StorageError when something cannot be
// written.
void WriteReport(const std::vector<Bundle>& bundles, const std::filesystem::path& html);
// `first`: plots that stand before those of every comparison. Plots are drawn by widgets, which
// only the thread of the application may create: on another thread, `there` calls its argument on
// the thread of the application and waits for it. Each call draws one file.
using CallThere = std::function<void(const std::function<void()>&)>;
void WriteReport(const ReportData& data, const std::filesystem::path& html,
                 const std::vector<Plot>& first = {}, const CallThere& there = {});

// Writes the figures of a plot into `folder` (created before), unless nothing in it is defined.
PageFigure CurveFigure(const Plot& plot, const std::filesystem::path& folder,
                       const CallThere& there = {});

}  // namespace pliant

#endif  // PLIANT_APP_REPORT_REPORT_H_
