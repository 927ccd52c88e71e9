#include "app/workbench/view/picture_drawing.h"

#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFunctions>

namespace pliant {
namespace {

void Clear() {
  QOpenGLFunctions* gl = QOpenGLContext::currentContext()->functions();
  gl->glClearColor(1.0F, 1.0F, 1.0F, 1.0F);
  gl->glClearDepthf(1.0F);
  gl->glDepthMask(GL_TRUE);
  gl->glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

}  // namespace

QSurfaceFormat PaneFormat() {
  QSurfaceFormat format;
  format.setVersion(3, 3);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  return format;
}

void PictureDrawing::Begin() {
  renderer_ = std::make_unique<SceneRenderer>();
  if (!renderer_->Initialize()) why_ = QString::fromStdString(renderer_->why());
}

void PictureDrawing::DrawAll(const PanesPicture& picture) {
  Clear();
  for (size_t i = 0; i < picture.parts.size(); ++i) DrawOne(picture, i);
}

void PictureDrawing::DrawOne(const PanesPicture& picture, size_t pane) {
  const PanePart& part = picture.parts[pane];
  const QRect& rect = part.viewport;
  QOpenGLFunctions* gl = QOpenGLContext::currentContext()->functions();
  gl->glEnable(GL_SCISSOR_TEST);
  gl->glScissor(rect.x(), rect.y(), rect.width(), rect.height());
  Clear();
  if (part.image && why_.isEmpty()) {
    renderer_->Draw(*part.image, picture.settings, part.camera, rect, picture.ratio);
  }
  gl->glDisable(GL_SCISSOR_TEST);
  gl->glFlush();  // fills pixels in the background while the next pane is prepared
}

void Fit(Buffer* buffer, const QSize& size, int samples) {
  if (*buffer != nullptr && (*buffer)->size() == size) return;
  QOpenGLFramebufferObjectFormat format;
  format.setSamples(samples);
  format.setAttachment(QOpenGLFramebufferObject::CombinedDepthStencil);
  *buffer = std::make_unique<QOpenGLFramebufferObject>(size, format);
}

void Resolve(GLuint from, GLuint to, const QRect& rect) {
  QOpenGLExtraFunctions* gl = QOpenGLContext::currentContext()->extraFunctions();
  const int right = rect.x() + rect.width(), top = rect.y() + rect.height();
  gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
  gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
  gl->glBlitFramebuffer(rect.x(), rect.y(), right, top, rect.x(), rect.y(), right, top,
                        GL_COLOR_BUFFER_BIT, GL_NEAREST);
  gl->glBindFramebuffer(GL_FRAMEBUFFER, to);
}

}  // namespace pliant
