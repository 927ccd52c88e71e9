// reproduce, report, export: what is done with bundles.

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "experiments/bundles/bundle.h"
#include "experiments/bundles/export.h"
#include "experiments/bundles/reproduce.h"
#include "experiments/comparison/chosen_figures.h"
#include "models/problem.h"
#include "solvers/parallel/cancellation.h"

namespace pliant {
namespace {

constexpr std::chrono::seconds kShort(2);

}  // namespace

int ReproduceCommand(const std::filesystem::path& path) {
  const Bundle bundle = Bundle::Open(path);
  const InterruptWatch interrupt;
  Progress progress(1);
  RunHooks hooks;
  hooks.stop = interrupt.token();
  hooks.on_step = [&](double time, double duration) { progress.Update(time / duration); };
  progress.Begin(bundle.label());
  const std::optional<Reproduction> reproduction = Reproduce(bundle, hooks);
  progress.End(reproduction ? "done" : "cancelled");
  if (!reproduction) return kRunFailed;
  fmt::print("{}\n", reproduction->words);
  return reproduction->verdict == Reproduction::Verdict::kDifferent ? kRunFailed : kDone;
}

int ReportCommand(const std::vector<std::filesystem::path>& folders,
                  const std::filesystem::path& out, const std::vector<std::string>& only) {
  if (folders.size() == 1 && IsSearch(folders.front())) {
    WriteReportOfSearch(folders.front(), out.empty() ? folders.front() / "report.html" : out);
    return kDone;
  }
  std::vector<std::filesystem::path> bundles;
  for (const std::filesystem::path& folder : folders) {
    const std::vector<std::filesystem::path> found = FindBundles(folder);
    if (found.empty()) {
      throw BadInput({"", fmt::format("no run bundle at or below {}", folder.string()),
                      "give the folder that run or compare printed"});
    }
    bundles.insert(bundles.end(), found.begin(), found.end());
  }
  return PrintTableAndReport(bundles, out.empty() ? folders.front() / "report.html" : out,
                             [&](ComparisonTable* table) { KeepChosen(only, table); });
}

int ExportCommand(const std::filesystem::path& path, const std::string& format,
                  const std::filesystem::path& out, bool again) {
  const Bundle bundle = Bundle::Open(path);
  std::filesystem::path folder = out;
  if (folder.empty()) {
    folder = path.has_filename() ? path : path.parent_path();  // "runs/x/" names x
    folder += "-" + format;
  }
  const InterruptWatch interrupt;
  const CancelScope cancel(interrupt.token());
  // A short export says nothing but its result.
  std::optional<Progress> progress;
  const auto began = std::chrono::steady_clock::now();
  ExportOptions options;
  options.again = again;
  options.progress = [&](double part) {
    if (!progress && std::chrono::steady_clock::now() - began > kShort) {
      progress.emplace(1).Begin(bundle.label());
    }
    if (progress) progress->Update(part);
  };
  Exported exported;
  try {
    exported = ExportBundle(bundle, format, folder, options);
  } catch (const Cancelled&) {
    PrintToStderr(fmt::format("cancelled: {} is incomplete\n", folder.string()));
    return kRunFailed;
  }
  if (progress) progress->End("done");
  if (exported.frames_elsewhere > 0) {
    PrintToStderr(
        fmt::format("{} of {} frames: the steps made again lead elsewhere than those of the run, "
                    "as after a change by hand or "
                    "on another processor; forces of their last step are NaN\n",
                    exported.frames_elsewhere, bundle.frame_count()));
  }
  fmt::print("{}\n", exported.file.string());
  return kDone;
}

}  // namespace pliant
