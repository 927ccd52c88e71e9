// Drawing a picture of all panes with OpenGL.

#ifndef PLIANT_APP_WORKBENCH_VIEW_PICTURE_DRAWING_H_
#define PLIANT_APP_WORKBENCH_VIEW_PICTURE_DRAWING_H_

#include <QOpenGLFramebufferObject>
#include <QString>
#include <QSurfaceFormat>
#include <memory>

#include "app/workbench/view/panes_picture.h"

namespace pliant {

// OpenGL 3.3, core profile.
QSurfaceFormat PaneFormat();

// Draws pictures into the bound buffer. Every call needs the same current context.
class PictureDrawing {
 public:
  void Begin();
  void End() { renderer_.reset(); }
  const QString& why() const { return why_; }  // why it cannot draw; else empty

  void DrawAll(const PanesPicture& picture);
  void DrawOne(const PanesPicture& picture,
               size_t pane);  // leaves the others as they are

 private:
  std::unique_ptr<SceneRenderer> renderer_;
  QString why_;
};

inline constexpr int kSamples = 4;  // of each pixel, against jagged edges

using Buffer = std::unique_ptr<QOpenGLFramebufferObject>;

// Replaces the buffer unless it has this size.
void Fit(Buffer* buffer, const QSize& size, int samples);

// Averages the samples of each pixel.
void Resolve(GLuint from, GLuint to, const QRect& rect);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_PICTURE_DRAWING_H_
