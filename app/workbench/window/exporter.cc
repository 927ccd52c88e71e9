#include "app/workbench/window/exporter.h"

#include <QElapsedTimer>
#include <QProgressDialog>
#include <utility>

namespace pliant {
namespace {

constexpr int kLook = 20;    // ms
constexpr int kMost = 1000;  // of the progress bar

QString Words(const ExportResult& result) {
  if (result.stopped) return "the export was stopped";
  if (!result.failure.empty()) return QString::fromUtf8(result.failure.c_str());
  QStringList files;
  for (const std::filesystem::path& file : result.files) {
    files << QString::fromStdString(file.string());
  }
  return files.isEmpty() ? "no bundle has a motion to export" : "wrote " + files.join(", ");
}

}  // namespace

Exporter::Exporter(ExportRequest request, QWidget* parent)
    : QObject(parent),
      job_(std::move(request)),
      progress_(
          std::make_unique<QProgressDialog>("Running the experiment …", "Stop", 0, kMost, parent)) {
  progress_->setWindowModality(Qt::WindowModal);
  connect(progress_.get(), &QProgressDialog::canceled, this, [this] { job_.Stop(); });
  connect(&timer_, &QTimer::timeout, this, &Exporter::Look);
  timer_.start(kLook);
}

Exporter::~Exporter() = default;

void Exporter::Look() {
  // A drawing takes some 10 ms: the window answers in between.
  QElapsedTimer watch;
  for (watch.start(); watch.elapsed() < kLook / 2 && job_.Draw();) continue;
  const std::optional<ExportResult> result = job_.result();
  if (!result) {
    progress_->setValue(static_cast<int>(kMost * job_.fraction()) - 1);
    return;
  }
  timer_.stop();
  progress_.reset();
  emit Finished(Words(*result));
}

}  // namespace pliant
