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
constexpr int kRest = 200;   // ms without a change, after which a picture stands still

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

// Samples take half the time of a picture where the processor draws: there they are left out as
// long as the picture moves.
class GlPanes : public QOpenGLWidget {
 public:
  GlPanes(ViewState* view, QWidget* parent) : QOpenGLWidget(parent), view_(view) {
    setFormat(PaneFormat());
    setMinimumSize(320, 240);
    rest_.setSingleShot(true);
    rest_.setInterval(kRest);
    connect(&rest_, &QTimer::timeout, this, [this] { update(); });
    connect(view, &ViewState::Changed, this, [this] {
      rest_.start();
      update();
    });
  }
  ~GlPanes() override {
    makeCurrent();
    renderer_.reset();
    samples_.reset();
    doneCurrent();
  }

  QImage Image(bool moving) {
    if (moving) {
      rest_.start();
    } else {
      rest_.stop();
    }
    return grabFramebuffer();
  }

 protected:
  void initializeGL() override {
    renderer_ = std::make_unique<SceneRenderer>();
    if (!renderer_->Initialize()) why_ = QString::fromStdString(renderer_->why());
    software_ = IsDrawnBySoftware(context()->functions());
  }

  void paintGL() override {
    const bool smooth = !software_ || !rest_.isActive();
    if (smooth) TakeSamples();
    DrawPanes();
    if (smooth) ResolveSamples();
    QPainter painter(this);
    DrawOverlay(&painter, rect(), *view_);
    if (!why_.isEmpty()) painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, why_);
  }

 private:
  // Draws into a buffer of several samples a pixel.
  void TakeSamples() {
    const QSize size = (QSizeF(QWidget::size()) * devicePixelRatioF()).toSize();
    if (samples_ == nullptr || samples_->size() != size) {
      QOpenGLFramebufferObjectFormat format;
      format.setSamples(kSamples);
      format.setAttachment(QOpenGLFramebufferObject::CombinedDepthStencil);
      samples_ = std::make_unique<QOpenGLFramebufferObject>(size, format);
    }
    samples_->bind();
  }
  void ResolveSamples() {
    QOpenGLExtraFunctions* gl = context()->extraFunctions();
    const int width = samples_->width(), height = samples_->height();
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, samples_->handle());
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, defaultFramebufferObject());
    gl->glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
    gl->glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
  }

  void DrawPanes() {
    QOpenGLFunctions* gl = context()->functions();
    gl->glClearColor(1.0F, 1.0F, 1.0F, 1.0F);
    gl->glClearDepthf(1.0F);
    gl->glDepthMask(GL_TRUE);
    gl->glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    const std::vector<Pane>& panes = view_->session().panes();
    const std::vector<QRectF> rects = PaneRects(*view_, rect());
    for (size_t i = 0; i < panes.size() && why_.isEmpty(); ++i) {
      DrawPane(i, rects[i], view_->Values(static_cast<int>(i)));
    }
  }

  void DrawPane(size_t index, const QRectF& area, const std::optional<Eigen::VectorXf>& values) {
    const Session& session = view_->session();
    const Pane& pane = session.panes()[index];
    const PaneFrame* frame = session.Shown(index);
    if (frame == nullptr || pane.scene == nullptr) return;
    const double ratio = devicePixelRatioF();
    const QRect viewport(qRound(area.left() * ratio), qRound((height() - area.bottom()) * ratio),
                         qRound(area.width() * ratio), qRound(area.height() * ratio));
    QOpenGLFunctions* gl = context()->functions();
    gl->glEnable(GL_SCISSOR_TEST);
    gl->glScissor(viewport.x(), viewport.y(), viewport.width(), viewport.height());
    PaneImage image{pane.scene, *frame, pane.style.colour, values};
    image.lamp = IsLamp(pane);
    const int over = view_->settings().overlay;
    if (over >= 0 && over < static_cast<int>(session.panes().size()) &&
        over != static_cast<int>(index)) {
      image.overlay = session.Shown(static_cast<size_t>(over));
      image.overlay_colour = session.panes()[static_cast<size_t>(over)].style.colour;
    }
    renderer_->Draw(image, view_->settings(), view_->camera().InPane({area.width(), area.height()}),
                    viewport, ratio);
    gl->glDisable(GL_SCISSOR_TEST);
  }

  ViewState* view_;
  std::unique_ptr<SceneRenderer> renderer_;
  std::unique_ptr<QOpenGLFramebufferObject> samples_;
  QTimer rest_;  // runs while the picture moves
  bool software_ = false;
  QString why_;
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
  QWidget* widget = nullptr;
  if (why_no_open_gl.empty()) {
    widget = new GlPanes(view, parent);
  } else {
    widget = new PaintedPanes(view, why_no_open_gl, parent);
  }
  new ViewMouse(view, widget);
  widget->setObjectName("panes");
  return widget;
}

QImage ImageOf(QWidget* pane_view, bool moving) {
  if (auto* gl = dynamic_cast<GlPanes*>(pane_view)) return gl->Image(moving);
  return pane_view->grab().toImage();
}

}  // namespace pliant
