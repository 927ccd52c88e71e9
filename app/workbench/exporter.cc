#include "app/workbench/exporter.h"

#include <QGuiApplication>
#include <QProgressDialog>
#include <utility>

#include "app/report/report.h"
#include "experiments/record/bundle.h"

namespace pliant {
namespace {

constexpr int kLook = 50;    // ms
constexpr int kMost = 1000;  // of the progress bar

}  // namespace

Exporter::Exporter(ExportRequest request, std::filesystem::path report, QWidget* parent)
    : QObject(parent),
      report_(std::move(report)),
      job_(std::move(request)),
      progress_(std::make_unique<QProgressDialog>("The experiment runs into bundles …", "Stop", 0,
                                                  kMost, parent)) {
  progress_->setWindowModality(Qt::WindowModal);
  connect(progress_.get(), &QProgressDialog::canceled, this, [this] { job_.Stop(); });
  connect(&timer_, &QTimer::timeout, this, &Exporter::Look);
  timer_.start(kLook);
}

Exporter::~Exporter() = default;

void Exporter::Look() {
  const std::optional<ExportResult> result = job_.result();
  if (!result) {
    progress_->setValue(static_cast<int>(kMost * job_.fraction()) - 1);
    return;
  }
  timer_.stop();
  progress_.reset();
  emit Finished(Words(*result));
}

QString Exporter::Words(const ExportResult& result) const {
  const auto text = [](const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
  };
  if (!result.failure.empty()) return QString::fromUtf8(result.failure.c_str());
  if (result.stopped) return "the export was stopped";
  if (!report_.empty()) {
    QGuiApplication::setOverrideCursor(Qt::WaitCursor);
    QString words = "wrote " + text(report_);
    try {
      std::vector<Bundle> bundles;
      for (const std::filesystem::path& path : result.bundles) {
        bundles.push_back(Bundle::Open(path));
      }
      WriteReport(bundles, report_);
    } catch (const std::exception& wrong) {
      words = QString::fromUtf8(wrong.what());
    }
    QGuiApplication::restoreOverrideCursor();
    return words;
  }
  QStringList files;
  for (const std::filesystem::path& file : result.files) files << text(file);
  return files.isEmpty() ? "no bundle has a motion to export" : "wrote " + files.join(", ");
}

}  // namespace pliant
