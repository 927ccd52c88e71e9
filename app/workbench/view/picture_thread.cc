#include "app/workbench/view/picture_thread.h"

#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "app/workbench/view/picture_drawing.h"

namespace pliant {
namespace {

constexpr int kRest = 200;  // ms without another wish, after which a picture gets its samples

}  // namespace

// The context of the thread and what it draws into.
class PictureThread::Easel {
 public:
  explicit Easel(QOffscreenSurface* surface) {
    context_.setFormat(PaneFormat());
    if (context_.create() && context_.makeCurrent(surface)) {
      drawing_.Begin();
    } else {
      why_ = "OpenGL could not be started for the panes";
    }
  }
  ~Easel() {
    drawing_.End();
    plain_.reset();
    samples_.reset();
    context_.doneCurrent();
  }

  const QString& why() const { return why_.isEmpty() ? drawing_.why() : why_; }
  const QImage& image() const { return image_; }

  // All panes with one sample a pixel.
  void Draw(const PanesPicture& picture) {
    if (image_.size() != picture.size) image_ = QImage(picture.size, QImage::Format_RGBX8888);
    image_.setDevicePixelRatio(picture.ratio);
    if (!why().isEmpty()) {
      image_.fill(Qt::white);
      return;
    }
    Fit(&plain_, picture.size, 0);
    plain_->bind();
    drawing_.DrawAll(picture);
    Read(QRect(QPoint(0, 0), picture.size));
  }

  // One pane of the same picture with all.
  void Sharpen(const PanesPicture& picture, size_t pane) {
    if (!why().isEmpty()) return;
    Fit(&samples_, picture.size, kSamples);
    samples_->bind();
    drawing_.DrawOne(picture, pane);
    const QRect rect = picture.parts[pane].viewport & QRect(QPoint(0, 0), picture.size);
    Resolve(samples_->handle(), plain_->handle(), rect);
    Read(rect);
  }

 private:
  // From the buffer that is bound; its rows stand the other way round.
  void Read(const QRect& rect) {
    read_.resize(static_cast<size_t>(rect.width()) * static_cast<size_t>(rect.height()));
    context_.functions()->glReadPixels(rect.x(), rect.y(), rect.width(), rect.height(), GL_RGBA,
                                       GL_UNSIGNED_BYTE, read_.data());
    for (int row = 0; row < rect.height(); ++row) {
      const std::uint32_t* from = read_.data() + static_cast<ptrdiff_t>(row) * rect.width();
      auto* to =
          reinterpret_cast<std::uint32_t*>(image_.scanLine(image_.height() - 1 - rect.y() - row));
      std::copy(from, from + rect.width(), to + rect.x());
    }
  }

  QOpenGLContext context_;
  PictureDrawing drawing_;
  QString why_;
  Buffer plain_, samples_;
  std::vector<std::uint32_t> read_;
  QImage image_;
};

PictureThread::PictureThread(std::function<void(DrawnPicture)> tell) : tell_(std::move(tell)) {
  surface_.setFormat(PaneFormat());
  surface_.create();  // by the window's thread: some platforms make a window for it
  thread_ = std::jthread([this](const std::stop_token& stop) { Work(stop); });
}

PictureThread::~PictureThread() = default;

int PictureThread::Put(Wish wish) {
  wish.number = ++wishes_;
  {
    const std::lock_guard lock(mutex_);
    wish_ = std::move(wish);
  }
  wished_.notify_all();
  return wishes_;
}

int PictureThread::Draw(PanesPicture picture) {
  Wish wish;
  wish.picture = std::move(picture);
  return Put(std::move(wish));
}

QImage PictureThread::DrawNow(PanesPicture picture, bool sharp) {
  Wish wish;
  wish.picture = std::move(picture);
  wish.until = sharp ? Until::kSharp : Until::kPlain;
  std::future<QImage> image = wish.now.get_future();
  Put(std::move(wish));
  return image.get();
}

std::optional<PictureThread::Wish> PictureThread::Next(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (!wished_.wait(lock, stop, [this] { return wish_.has_value(); })) return std::nullopt;
  return std::exchange(wish_, std::nullopt);
}

// Does nobody wish another picture for so long?
bool PictureThread::RestsFor(int milliseconds, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const bool disturbed = wished_.wait_for(lock, stop, std::chrono::milliseconds(milliseconds),
                                          [this] { return wish_.has_value(); });
  return !disturbed && !stop.stop_requested();
}

void PictureThread::Work(const std::stop_token& stop) {
  Easel easel(&surface_);
  while (auto wish = Next(stop)) Fulfil(std::move(*wish), &easel, stop);
}

void PictureThread::Fulfil(Wish wish, Easel* easel, const std::stop_token& stop) {
  easel->Draw(wish.picture);
  if (wish.until == Until::kPlain) wish.now.set_value(easel->image());
  tell_({wish.number, easel->image(), false, easel->why()});
  for (size_t i = 0; i < wish.picture.parts.size(); ++i) {
    const bool awaited = wish.until == Until::kSharp;
    if (!awaited && !RestsFor(i == 0 ? kRest : 0, stop)) return;
    easel->Sharpen(wish.picture, i);
    tell_({wish.number, easel->image(), true, easel->why()});
  }
  if (wish.until == Until::kSharp) wish.now.set_value(easel->image());
}

}  // namespace pliant
