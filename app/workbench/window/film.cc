#include "app/workbench/window/film.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/workbench/session/session.h"

namespace pliant {
namespace {

constexpr char kEncoder[] = "ffmpeg";
constexpr char kName[] = "frame-%1.png";  // as ffmpeg reads them: frame-%05d.png

bool IsFile(const FilmPlan& plan) { return plan.path.extension() == ".mp4"; }

QString Text(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

}  // namespace

QString WhyNoFilm(const FilmPlan& plan) {
  if (IsFile(plan) && QStandardPaths::findExecutable(kEncoder).isEmpty()) {
    return "ffmpeg is not installed: choose a name without .mp4 for a folder of PNG pictures.";
  }
  if (!IsFile(plan) && !QDir().mkpath(Text(plan.path))) {
    return "cannot make the folder " + Text(plan.path);
  }
  return "";
}

Film::Film(Session* session, std::function<QImage()> picture, const FilmPlan& plan, QObject* parent)
    : QObject(parent), session_(session), picture_(std::move(picture)), plan_(plan) {
  const double every = plan_.speed / plan_.pictures_per_second;
  count_ = 1 + static_cast<int>(std::floor(session->RecordedEnd() / every + kTimeRounding));
  if (IsFile(plan_)) scratch_ = std::make_unique<QTemporaryDir>();
}

Film::~Film() = default;

QString Film::FolderOfPictures() const { return scratch_ ? scratch_->path() : Text(plan_.path); }

void Film::Start() {
  time_before_ = session_->time();
  Next();
}

void Film::Next() {
  if (finished_) return;
  if (done_ == count_) {
    if (scratch_) {
      Encode();
    } else {
      Finish(QString("wrote %1 pictures to %2").arg(done_).arg(Text(plan_.path)));
    }
    return;
  }
  session_->Scrub(
      std::min(done_ * plan_.speed / plan_.pictures_per_second, session_->RecordedEnd()));
  ++done_;
  const QString file =
      QDir(FolderOfPictures()).filePath(QString(kName).arg(done_, 5, 10, QLatin1Char('0')));
  QImage image = picture_();
  // Encoders need even sizes.
  image = image.copy(0, 0, image.width() / 2 * 2, image.height() / 2 * 2);
  if (!image.save(file)) {
    Finish("cannot write " + file);
    return;
  }
  emit Progressed(done_);
  QTimer::singleShot(0, this, &Film::Next);
}

void Film::Encode() {
  encoder_ = new QProcess(this);
  connect(encoder_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus how) {
    if (how == QProcess::NormalExit && code == 0) {
      Finish(QString("wrote %1, %2 pictures").arg(Text(plan_.path)).arg(done_));
    } else {
      const QString all = QString::fromLocal8Bit(encoder_->readAllStandardError()).trimmed();
      Finish("ffmpeg failed: " + all.section('\n', -1));
    }
  });
  connect(encoder_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) Finish("ffmpeg could not be started");
  });
  encoder_->start(kEncoder, {"-y", "-loglevel", "error", "-framerate",
                             QString::number(plan_.pictures_per_second), "-i",
                             QDir(FolderOfPictures()).filePath("frame-%05d.png"), "-c:v", "libx264",
                             "-pix_fmt", "yuv420p", Text(plan_.path)});
}

void Film::Stop() {
  if (encoder_ != nullptr) {
    encoder_->disconnect(this);
    encoder_->kill();
    encoder_->waitForFinished(1000);
  }
  Finish(QString("stopped after %1 of %2 pictures").arg(done_).arg(count_));
}

void Film::Finish(const QString& words) {
  if (finished_) return;
  finished_ = true;
  session_->Scrub(time_before_);
  emit Finished(words);
}

}  // namespace pliant
