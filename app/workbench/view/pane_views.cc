#include "app/workbench/view/pane_views.h"

#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QOpenGLWidget>
#include <QPainter>
#include <QTimer>
#include <vector>

#include "app/plots/qt_style.h"
#include "app/plots/scene_drawing.h"
#include "app/workbench/session/session.h"
#include "app/workbench/view/pane_overlay.h"
#include "app/workbench/view/panes_picture.h"
#include "app/workbench/view/picture_drawing.h"
#include "app/workbench/view/picture_thread.h"
#include "app/workbench/view/view_mouse.h"
#include "app/workbench/view/view_state.h"

namespace pliant {
namespace {

// Does the processor draw? The software renderers of Mesa and Google are known by name.
bool IsSoftware(const std::string& renderer) {
  return renderer.find("llvmpipe") != std::string::npos ||
         renderer.find("softpipe") != std::string::npos ||
         renderer.find("SwiftShader") != std::string::npos;
}

// Titles, scales and marks over the pictures.
void DrawOver(QPainter* painter, const QRect& area, const ViewState& view, const QString& why) {
  DrawOverlay(painter, area, view);
  if (!why.isEmpty()) painter->drawText(area, Qt::AlignCenter | Qt::TextWordWrap, why);
}

// With a graphics card.
class CardPanes : public QOpenGLWidget, public PaneView {
 public:
  CardPanes(ViewState* view, QWidget* parent) : QOpenGLWidget(parent), view_(view) {
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
  QWidget* widget() override { return this; }
  QImage Image(bool /*moving*/) override { return grabFramebuffer(); }

 protected:
  void initializeGL() override { drawing_.Begin(); }

  void paintGL() override {
    Fit(&samples_, PixelsOf(*this), kSamples);
    samples_->bind();
    drawing_.DrawAll(TakePicture(*view_, *this));
    Resolve(samples_->handle(), defaultFramebufferObject(), QRect(QPoint(0, 0), samples_->size()));
    QPainter painter(this);
    DrawOver(&painter, rect(), *view_, drawing_.why());
  }

 private:
  ViewState* view_;
  PictureDrawing drawing_;
  Buffer samples_;
};

// With software rendering: a thread draws one picture after the other, each of the state at its
// start, and the widget shows the last finished one. (A QOpenGLWidget would also compose the whole
// window in software for each picture, and block the window meanwhile.)
class ProcessorPanes : public QWidget, public PaneView {
 public:
  ProcessorPanes(ViewState* view, QWidget* parent)
      : QWidget(parent), view_(view), thread_([this](const DrawnPicture& drawn) {
          QMetaObject::invokeMethod(
              this, [this, drawn] { Take(drawn); }, Qt::QueuedConnection);
        }) {
    setMinimumSize(320, 240);
    setAttribute(Qt::WA_OpaquePaintEvent);
    request_.setSingleShot(true);
    connect(&request_, &QTimer::timeout, this, &ProcessorPanes::Request);
    connect(view, &ViewState::Changed, this, &ProcessorPanes::Change);
    connect(&view->session(), &Session::Opened, this,
            [this] {  // the picture shows other panes
              forgotten_ = thread_.requests();
              picture_ = QImage();
              update();
            });
  }

  QWidget* widget() override { return this; }
  QImage Image(bool moving) override {
    QImage image = thread_.DrawNow(TakePicture(*view_, *this), !moving);
    QPainter painter(&image);
    DrawOver(&painter, rect(), *view_, why_);
    return image;
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    if (stale_ || picture_.size() != PixelsOf(*this)) Change();
    QPainter painter(this);
    painter.fillRect(rect(), Qt::white);
    painter.drawImage(QPoint(0, 0), picture_);
    DrawOver(&painter, rect(), *view_, why_);
  }

 private:
  void Change() {
    stale_ = true;
    if (!drawing_ && !request_.isActive())
      request_.start(0);  // combines the changes of one turn of the event loop
  }

  void Request() {
    if (!isVisible()) return;  // paintEvent() requests it when the widget is shown
    stale_ = false;
    drawing_ = true;
    thread_.Draw(TakePicture(*view_, *this));
  }

  void Take(const DrawnPicture& drawn) {
    if (!drawn.sharper) drawing_ = false;
    if (drawn.number > forgotten_) {
      picture_ = drawn.image;
      why_ = drawn.why;
    }
    update();  // paintEvent() requests what has changed since
  }

  ViewState* view_;
  QTimer request_;
  bool stale_ = true;     // something has changed since the last request
  bool drawing_ = false;  // the last request is not done
  int forgotten_ = 0;     // requests up to this one show other panes
  QImage picture_;
  QString why_;
  PictureThread thread_;  // last: it uses the others
};

class PaintedPanes : public QWidget, public PaneView {
 public:
  PaintedPanes(ViewState* view, const std::string& why, QWidget* parent)
      : QWidget(parent), view_(view), why_(QString::fromStdString(why)) {
    setMinimumSize(320, 240);
    connect(view, &ViewState::Changed, this, qOverload<>(&QWidget::update));
  }
  QWidget* widget() override { return this; }
  QImage Image(bool /*moving*/) override { return grab().toImage(); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.fillRect(rect(), Qt::white);
    QRectF area = rect();
    const std::vector<Pane>& panes = view_->session().panes();
    const std::vector<QRectF> rects = PaneRects(*view_, area);
    for (size_t i = 0; i < panes.size(); ++i) {
      const auto frame = view_->session().Shown(i);
      if (frame == nullptr || panes[i].scene == nullptr) continue;
      ScenePalette palette;
      palette.body = panes[i].style.colour;
      palette.lamps = ShowsLamps(panes[i]);
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

OpenGlLook LookForOpenGl() {
  OpenGlLook look;
  // It makes contexts where there is a display, but no widgets that draw with them.
  if (QGuiApplication::platformName() == "offscreen") {
    look.why_not = "the platform 'offscreen' has no widgets with OpenGL";
    return look;
  }
  QOpenGLContext context;
  context.setFormat(PaneFormat());
  if (!context.create()) {
    look.why_not = "this display has no OpenGL";
    return look;
  }
  QOffscreenSurface surface;
  surface.setFormat(context.format());
  surface.create();
  if (!context.makeCurrent(&surface)) {
    look.why_not = "OpenGL could not be started on this display";
    return look;
  }
  const QSurfaceFormat format = context.format();
  if (format.version() < qMakePair(3, 3)) {
    look.why_not = "OpenGL 3.3 is needed for lit surfaces, this display has " +
                   std::to_string(format.majorVersion()) + "." +
                   std::to_string(format.minorVersion());
  }
  const GLubyte* name = context.functions()->glGetString(GL_RENDERER);
  if (name != nullptr) look.renderer = reinterpret_cast<const char*>(name);
  look.by_processor = IsSoftware(look.renderer) && QOpenGLContext::supportsThreadedOpenGL();
  return look;
}

PaneView* MakePaneView(ViewState* view, const OpenGlLook& look, QWidget* parent) {
  PaneView* panes = nullptr;
  if (!look.why_not.empty()) {
    panes = new PaintedPanes(view, look.why_not, parent);
  } else if (look.by_processor) {
    panes = new ProcessorPanes(view, parent);
  } else {
    panes = new CardPanes(view, parent);
  }
  panes->widget()->setObjectName("panes");
  new ViewMouse(view, panes->widget());
  return panes;
}

}  // namespace pliant
