#include "app/workbench/pane_views.h"

#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QOpenGLWidget>
#include <QPainter>
#include <QTimer>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "app/plots/lamp_solid.h"
#include "app/plots/qt_style.h"
#include "app/plots/scene_drawing.h"
#include "app/workbench/pane_overlay.h"
#include "app/workbench/scene_renderer.h"
#include "app/workbench/session.h"
#include "app/workbench/view_mouse.h"
#include "app/workbench/view_state.h"

namespace pliant {
namespace {

constexpr int kSamples = 4;  // of each pixel, against jagged edges
constexpr int kRest = 200;   // ms without a change, after which they are taken

QSurfaceFormat PaneFormat() {
  QSurfaceFormat format;
  format.setVersion(3, 3);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  return format;
}

// Does the processor draw? Mesa's and Google's renderers say so by their names.
bool IsDrawnBySoftware(QOpenGLFunctions* gl) {
  const QByteArray name(reinterpret_cast<const char*>(gl->glGetString(GL_RENDERER)));
  return name.contains("llvmpipe") || name.contains("softpipe") || name.contains("SwiftShader");
}

bool IsLamp(const Pane& pane) {
  return pane.backend != nullptr && pane.backend->info().name == kLampBackend;
}

// Draws panes with OpenGL into the buffer that is bound, of the size of the widget.
class PaneDrawing {
 public:
  explicit PaneDrawing(ViewState* view) : view_(view) {}

  // With the context current, as for all that follows.
  void Begin() {
    renderer_ = std::make_unique<SceneRenderer>();
    if (!renderer_->Initialize()) why_ = QString::fromStdString(renderer_->why());
  }
  void End() { renderer_.reset(); }
  const QString& why() const { return why_; }  // it cannot draw; else empty

  void DrawAll(const QWidget& widget) {
    Clear();
    for (size_t i = 0; i < view_->session().panes().size(); ++i) DrawOne(widget, i);
  }

  // Where a pane stands in the buffer, from its lower left corner.
  QRect Viewport(const QWidget& widget, size_t pane) const {
    const QRectF area = PaneRects(*view_, widget.rect())[pane];
    const double ratio = widget.devicePixelRatioF();
    return {qRound(area.left() * ratio), qRound((widget.height() - area.bottom()) * ratio),
            qRound(area.width() * ratio), qRound(area.height() * ratio)};
  }

  void DrawOne(const QWidget& widget, size_t index) {
    const QRect viewport = Viewport(widget, index);
    QOpenGLFunctions* gl = QOpenGLContext::currentContext()->functions();
    gl->glEnable(GL_SCISSOR_TEST);
    gl->glScissor(viewport.x(), viewport.y(), viewport.width(), viewport.height());
    Clear();
    DrawInto(index, viewport, PaneRects(*view_, widget.rect())[index].size(),
             widget.devicePixelRatioF());
    gl->glDisable(GL_SCISSOR_TEST);
    gl->glFlush();  // threads that fill pixels begin while the next pane is made ready
  }

 private:
  static void Clear() {
    QOpenGLFunctions* gl = QOpenGLContext::currentContext()->functions();
    gl->glClearColor(1.0F, 1.0F, 1.0F, 1.0F);
    gl->glClearDepthf(1.0F);
    gl->glDepthMask(GL_TRUE);
    gl->glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  }

  void DrawInto(size_t index, const QRect& viewport, const QSizeF& size, double ratio) {
    const Session& session = view_->session();
    const Pane& pane = session.panes()[index];
    const PaneFrame* frame = session.Shown(index);
    if (frame == nullptr || pane.scene == nullptr || !why_.isEmpty()) return;
    const std::optional<Eigen::VectorXf> values = view_->Values(static_cast<int>(index));
    PaneImage image{pane.scene, *frame, pane.style.colour, values};
    image.lamp = IsLamp(pane);
    const int over = view_->settings().overlay;
    if (over >= 0 && over < static_cast<int>(session.panes().size()) &&
        over != static_cast<int>(index)) {
      image.overlay = session.Shown(static_cast<size_t>(over));
      image.overlay_colour = session.panes()[static_cast<size_t>(over)].style.colour;
    }
    renderer_->Draw(image, view_->settings(), view_->camera().InPane({size.width(), size.height()}),
                    viewport, ratio);
  }

  ViewState* view_;
  std::unique_ptr<SceneRenderer> renderer_;
  QString why_;
};

// Titles, scales and marks over the pictures.
void DrawOver(QPainter* painter, const QRect& area, const ViewState& view, const QString& why) {
  DrawOverlay(painter, area, view);
  if (!why.isEmpty()) painter->drawText(area, Qt::AlignCenter | Qt::TextWordWrap, why);
}

using Buffer = std::unique_ptr<QOpenGLFramebufferObject>;

// Makes it anew where its size is another.
void Fit(Buffer* buffer, const QSize& size, int samples) {
  if (*buffer != nullptr && (*buffer)->size() == size) return;
  QOpenGLFramebufferObjectFormat format;
  format.setSamples(samples);
  format.setAttachment(QOpenGLFramebufferObject::CombinedDepthStencil);
  *buffer = std::make_unique<QOpenGLFramebufferObject>(size, format);
}

// One value a pixel out of several.
void Resolve(GLuint from, GLuint to, const QRect& rect) {
  QOpenGLExtraFunctions* gl = QOpenGLContext::currentContext()->extraFunctions();
  const int right = rect.x() + rect.width(), top = rect.y() + rect.height();
  gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
  gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
  gl->glBlitFramebuffer(rect.x(), rect.y(), right, top, rect.x(), rect.y(), right, top,
                        GL_COLOR_BUFFER_BIT, GL_NEAREST);
  gl->glBindFramebuffer(GL_FRAMEBUFFER, to);
}

QSize PixelsOf(const QWidget& widget) {
  return (QSizeF(widget.size()) * widget.devicePixelRatioF()).toSize();
}

// With a graphics card.
class CardPanes : public QOpenGLWidget {
 public:
  CardPanes(ViewState* view, QWidget* parent) : QOpenGLWidget(parent), view_(view), drawing_(view) {
    setFormat(PaneFormat());
    setMinimumSize(320, 240);
    connect(view, &ViewState::Changed, this, [this] { update(); });
  }
  ~CardPanes() override {
    makeCurrent();
    drawing_.End();
    samples_.reset();
    doneCurrent();
  }

 protected:
  void initializeGL() override { drawing_.Begin(); }

  void paintGL() override {
    Fit(&samples_, PixelsOf(*this), kSamples);
    samples_->bind();
    drawing_.DrawAll(*this);
    Resolve(samples_->handle(), defaultFramebufferObject(), QRect(QPoint(0, 0), samples_->size()));
    QPainter painter(this);
    DrawOver(&painter, rect(), *view_, drawing_.why());
  }

 private:
  ViewState* view_;
  PaneDrawing drawing_;
  Buffer samples_;
};

// Where the processor draws. A QOpenGLWidget would have it compose the whole window for each
// picture too, and several samples a pixel take four times as long: so it draws beside the window,
// once for each change, and when nothing has changed for a while takes the samples, one pane at a
// time, so that the window answers in between.
class ProcessorPanes : public QWidget {
 public:
  ProcessorPanes(ViewState* view, QWidget* parent) : QWidget(parent), view_(view), drawing_(view) {
    setMinimumSize(320, 240);
    setAttribute(Qt::WA_OpaquePaintEvent);
    surface_.setFormat(PaneFormat());
    surface_.create();
    context_.setFormat(PaneFormat());
    if (context_.create() && context_.makeCurrent(&surface_)) drawing_.Begin();
    rest_.setSingleShot(true);
    connect(&rest_, &QTimer::timeout, this, [this] {
      if (Sharpen()) rest_.start(0);
    });
    connect(view, &ViewState::Changed, this, [this] {
      stale_ = true;
      update();
    });
  }
  ~ProcessorPanes() override {
    context_.makeCurrent(&surface_);
    drawing_.End();
    plain_.reset();
    samples_.reset();
    context_.doneCurrent();
  }

  QImage Image(bool moving) {
    Draw();
    while (!moving && Sharpen()) continue;
    QImage image = picture_;
    QPainter painter(&image);
    DrawOver(&painter, rect(), *view_, drawing_.why());
    return image;
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    if (stale_ || picture_.size() != PixelsOf(*this)) Draw();
    QPainter painter(this);
    painter.drawImage(QPoint(0, 0), picture_);
    DrawOver(&painter, rect(), *view_, drawing_.why());
  }

 private:
  // All panes with one sample a pixel.
  void Draw() {
    context_.makeCurrent(&surface_);
    Fit(&plain_, PixelsOf(*this), 0);
    plain_->bind();
    drawing_.DrawAll(*this);
    if (picture_.size() != plain_->size()) {
      picture_ = QImage(plain_->size(), QImage::Format_RGBX8888);
      picture_.setDevicePixelRatio(devicePixelRatioF());
    }
    Read(QRect(QPoint(0, 0), plain_->size()));
    stale_ = false;
    sharp_ = 0;
    rest_.start(kRest);
  }

  // The next pane with several; false when there is none.
  bool Sharpen() {
    if (stale_ || sharp_ >= view_->session().panes().size()) return false;
    context_.makeCurrent(&surface_);
    Fit(&samples_, plain_->size(), kSamples);
    samples_->bind();
    drawing_.DrawOne(*this, sharp_);
    const QRect viewport = drawing_.Viewport(*this, sharp_) & QRect(QPoint(0, 0), plain_->size());
    Resolve(samples_->handle(), plain_->handle(), viewport);
    Read(viewport);
    ++sharp_;
    update();
    return true;
  }

  // From the buffer that is bound; its rows stand the other way round.
  void Read(const QRect& rect) {
    read_.resize(static_cast<size_t>(rect.width()) * static_cast<size_t>(rect.height()));
    context_.functions()->glReadPixels(rect.x(), rect.y(), rect.width(), rect.height(), GL_RGBA,
                                       GL_UNSIGNED_BYTE, read_.data());
    for (int row = 0; row < rect.height(); ++row) {
      const std::uint32_t* from = read_.data() + static_cast<ptrdiff_t>(row) * rect.width();
      auto* to = reinterpret_cast<std::uint32_t*>(
          picture_.scanLine(picture_.height() - 1 - rect.y() - row));
      std::copy(from, from + rect.width(), to + rect.x());
    }
  }

  ViewState* view_;
  PaneDrawing drawing_;
  QOffscreenSurface surface_;
  QOpenGLContext context_;
  Buffer plain_, samples_;
  std::vector<std::uint32_t> read_;
  QImage picture_;
  bool stale_ = true;
  size_t sharp_ = 0;  // panes that have their samples
  QTimer rest_;       // runs while the picture moves, then from pane to pane
};

class PaintedPanes : public QWidget {
 public:
  PaintedPanes(ViewState* view, const std::string& why, QWidget* parent)
      : QWidget(parent), view_(view), why_(QString::fromStdString(why)) {
    setMinimumSize(320, 240);
    connect(view, &ViewState::Changed, this, qOverload<>(&QWidget::update));
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.fillRect(rect(), Qt::white);
    QRectF area = rect();
    const std::vector<Pane>& panes = view_->session().panes();
    const std::vector<QRectF> rects = PaneRects(*view_, area);
    for (size_t i = 0; i < panes.size(); ++i) {
      const PaneFrame* frame = view_->session().Shown(i);
      if (frame == nullptr || panes[i].scene == nullptr) continue;
      ScenePalette palette;
      palette.body = panes[i].style.colour;
      palette.lamps = IsLamp(panes[i]);
      DrawScene(&painter, rects[i], *panes[i].scene, frame->points.cast<double>(), frame->time,
                view_->camera().InPane({rects[i].width(), rects[i].height()}), palette);
    }
    DrawOverlay(&painter, area, *view_);
    painter.setFont(FigureFont(11));
    painter.setPen(QColor(0x8a, 0x5a, 0x00));
    painter.drawText(area.adjusted(8, 0, -8, -4), Qt::AlignHCenter | Qt::AlignBottom,
                     "plain drawing: " + why_);
  }

 private:
  ViewState* view_;
  QString why_;
};

// A widget that obeys the mouse.
QWidget* Watched(ViewState* view, QWidget* widget) {
  new ViewMouse(view, widget);
  widget->setObjectName("panes");
  return widget;
}

bool ProcessorDraws() {
  QOpenGLContext context;
  context.setFormat(PaneFormat());
  QOffscreenSurface surface;
  surface.setFormat(PaneFormat());
  surface.create();
  return context.create() && context.makeCurrent(&surface) &&
         IsDrawnBySoftware(context.functions());
}

}  // namespace

std::string WhyNoOpenGl() {
  // It makes contexts where there is a display, but no widgets that draw with them.
  if (QGuiApplication::platformName() == "offscreen") {
    return "the platform 'offscreen' has no widgets with OpenGL";
  }
  QOpenGLContext context;
  context.setFormat(PaneFormat());
  if (!context.create()) return "this display has no OpenGL";
  QOffscreenSurface surface;
  surface.setFormat(context.format());
  surface.create();
  if (!context.makeCurrent(&surface)) return "OpenGL could not be started on this display";
  const QSurfaceFormat format = context.format();
  const std::string version =
      std::to_string(format.majorVersion()) + "." + std::to_string(format.minorVersion());
  context.doneCurrent();
  if (format.version() < qMakePair(3, 3)) {
    return "OpenGL 3.3 is needed for lit surfaces, this display has " + version;
  }
  return "";
}

QWidget* MakePaneView(ViewState* view, const std::string& why_no_open_gl, QWidget* parent) {
  if (why_no_open_gl.empty()) {
    return MakePaneView(view, ProcessorDraws() ? PaneMaker::kProcessor : PaneMaker::kCard, parent);
  }
  return Watched(view, new PaintedPanes(view, why_no_open_gl, parent));
}

QWidget* MakePaneView(ViewState* view, PaneMaker maker, QWidget* parent) {
  if (maker == PaneMaker::kCard) return Watched(view, new CardPanes(view, parent));
  return Watched(view, new ProcessorPanes(view, parent));
}

QImage ImageOf(QWidget* pane_view, bool moving) {
  if (auto* drawn = dynamic_cast<ProcessorPanes*>(pane_view)) return drawn->Image(moving);
  if (auto* card = dynamic_cast<CardPanes*>(pane_view)) return card->grabFramebuffer();
  return pane_view->grab().toImage();
}

}  // namespace pliant
