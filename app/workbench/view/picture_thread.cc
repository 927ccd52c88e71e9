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

constexpr int kRest = 200;  // ms without a request after which a picture gets its other samples

}  // namespace

// The context of the thread and its buffers.
class PictureThread::RenderTarget {
 public:
  explicit RenderTarget(QOffscreenSurface* surface) {
    context_.setFormat(PaneFormat());
    if (context_.create() && context_.makeCurrent(surface)) {
      drawing_.Begin();
    } else {
      why_ = "OpenGL could not be started for the panes";
    }
  }
  ~RenderTarget() {
    drawing_.End();
    plain_.reset();
    samples_.reset();
    context_.doneCurrent();
  }

  const QString& why() const { return why_.isEmpty() ? drawing_.why() : why_; }
  const QImage& image() const { return image_; }

  // All panes with one sample per pixel.
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

  // One pane of the same picture with all samples.
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
  // From the bound buffer, whose rows go upwards.
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

PictureThread::PictureThread(std::function<void(DrawnPicture)> deliver)
    : deliver_(std::move(deliver)) {
  surface_.setFormat(PaneFormat());
  surface_.create();  // on the thread of the window: some platforms make a window for it
  thread_ = std::jthread([this](const std::stop_token& stop) { Work(stop); });
}

PictureThread::~PictureThread() = default;

int PictureThread::Put(Request request) {
  request.number = ++requests_;
  {
    const std::lock_guard lock(mutex_);
    request_ = std::move(request);
  }
  requested_.notify_all();
  return requests_;
}

int PictureThread::Draw(PanesPicture picture) {
  Request request;
  request.picture = std::move(picture);
  return Put(std::move(request));
}

QImage PictureThread::DrawNow(PanesPicture picture, bool sharp) {
  Request request;
  request.picture = std::move(picture);
  request.until = sharp ? Until::kSharp : Until::kPlain;
  std::future<QImage> image = request.now.get_future();
  Put(std::move(request));
  return image.get();
}

std::optional<PictureThread::Request> PictureThread::Next(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (!requested_.wait(lock, stop, [this] { return request_.has_value(); })) return std::nullopt;
  return std::exchange(request_, std::nullopt);
}

// No picture requested for this long?
bool PictureThread::RestsFor(int milliseconds, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const bool disturbed = requested_.wait_for(lock, stop, std::chrono::milliseconds(milliseconds),
                                             [this] { return request_.has_value(); });
  return !disturbed && !stop.stop_requested();
}

void PictureThread::Work(const std::stop_token& stop) {
  RenderTarget target(&surface_);
  while (auto request = Next(stop)) Process(std::move(*request), &target, stop);
}

void PictureThread::Process(Request request, RenderTarget* target, const std::stop_token& stop) {
  target->Draw(request.picture);
  if (request.until == Until::kPlain) request.now.set_value(target->image());
  deliver_({request.number, target->image(), false, target->why()});
  for (size_t i = 0; i < request.picture.parts.size(); ++i) {
    const bool awaited = request.until == Until::kSharp;
    if (!awaited && !RestsFor(i == 0 ? kRest : 0, stop)) return;
    target->Sharpen(request.picture, i);
    deliver_({request.number, target->image(), true, target->why()});
  }
  if (request.until == Until::kSharp) request.now.set_value(target->image());
}

}  // namespace pliant
