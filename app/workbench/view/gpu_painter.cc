#include "app/workbench/view/gpu_painter.h"

#include <QRect>

#include "app/workbench/view/shaders.h"

namespace pliant {
namespace {

constexpr float kPlainWidth = 1.3F;  // device pixels; thinner lines are those of OpenGL
constexpr double kDepth = 40.0;      // of the view, in radii of the scene

}  // namespace

QVector4D Tint(const Colour& colour) {
  return {static_cast<float>(colour.red) / 255.0F, static_cast<float>(colour.green) / 255.0F,
          static_cast<float>(colour.blue) / 255.0F, 1.0F};
}

std::string GpuPainter::LinkPrograms() {
  struct Part {
    QOpenGLShaderProgram* program;
    const char* geometry;
    const char* fragment;
  };
  for (const Part& part :
       {Part{&smooth, nullptr, kSmoothShader}, Part{&facets, nullptr, kFacetShader},
        Part{&plain, nullptr, kPlainShader}, Part{&ground, nullptr, kGroundShader},
        Part{&lines, kLineShader, kFlatShader}, Part{&discs, nullptr, kDiscShader}}) {
    QOpenGLShaderProgram* program = part.program;
    bool good = program->addShaderFromSourceCode(QOpenGLShader::Vertex, kVertexShader) &&
                program->addShaderFromSourceCode(QOpenGLShader::Fragment,
                                                 QByteArray(kFragmentHead) + part.fragment);
    if (part.geometry != nullptr) {
      good = good && program->addShaderFromSourceCode(QOpenGLShader::Geometry, part.geometry);
    }
    if (!good || !program->link()) {
      return "the driver rejected a shader: " + program->log().trimmed().toStdString();
    }
  }
  return "";
}

void GpuPainter::SetCamera(const Camera& camera, const Extent& extent, const QRect& area,
                           double pixel_ratio) {
  const Eigen::Vector2d size = camera.window.sizes(), centre = camera.window.center();
  const double depth = kDepth * extent.radius;
  const Eigen::Matrix3d view = camera.axes.transpose();
  const Eigen::Vector3d scale(2.0 / size.x(), 2.0 / size.y(), -1.0 / depth);
  const Eigen::Vector3d middle(centre.x(), centre.y(), (view * extent.centre).z());
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      clip(i, j) = static_cast<float>(scale[i] * view(i, j));
      to_view(i, j) = static_cast<float>(view(i, j));
    }
    clip(i, 3) = static_cast<float>(-scale[i] * middle[i]);
  }
  viewport = QVector2D(static_cast<float>(area.width()), static_cast<float>(area.height()));
  ratio = static_cast<float>(pixel_ratio);
}

void GpuPainter::Use(QOpenGLShaderProgram* program, const GpuLook& look) {
  const bool opaque = look.alpha == 1.0F && look.fade.w() == 0.0F;
  if (opaque) {
    glDisable(GL_BLEND);
  } else {
    glEnable(GL_BLEND);
  }
  program->bind();
  program->setUniformValue("clip", clip);
  program->setUniformValue("to_view", to_view);
  program->setUniformValue("model", look.model);
  program->setUniformValue("tint", look.tint);
  program->setUniformValue("fade", look.fade);
  program->setUniformValue("alpha", look.alpha);
  program->setUniformValue("bias", look.bias);
}

void GpuPainter::Faces(const GpuMesh& mesh, const GpuLook& look) {
  if (mesh.triangles == 0) return;
  Use(look.lit ? (look.facets ? &facets : &smooth) : (look.whole ? &ground : &plain), look);
  // Away from the viewer, more where the face is steep: lines on it stay whole.
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(look.offset, look.offset);
  glBindVertexArray(mesh.array);
  glDrawElements(GL_TRIANGLES, mesh.triangles, GL_UNSIGNED_INT, nullptr);
  glDisable(GL_POLYGON_OFFSET_FILL);
}

// `first` and `count` in the list of lines of the mesh. Lines of a pixel need no geometry shader,
// which takes most of the time of a picture where there is no graphics card.
void GpuPainter::Lines(const GpuMesh& mesh, GLsizei first, GLsizei count, float width,
                       const GpuLook& look) {
  if (count == 0) return;
  UseForLines(width, look);
  glBindVertexArray(mesh.array);
  const size_t offset = static_cast<size_t>(mesh.triangles + first) * sizeof(std::uint32_t);
  glDrawElements(GL_LINES, count, GL_UNSIGNED_INT, reinterpret_cast<const void*>(offset));
}

void GpuPainter::UseForLines(float width, const GpuLook& look) {
  if (width * ratio < kPlainWidth) {
    Use(look.whole ? &ground : &plain, look);
    return;
  }
  Use(&lines, look);
  lines.setUniformValue("viewport", viewport);
  lines.setUniformValue("width", width * ratio);
}

void GpuPainter::Discs(const GpuMesh& mesh, GLint first, GLsizei count, float size,
                       const GpuLook& look, const QVector4D& rim, bool diamonds) {
  if (count == 0) return;
  UseForDiscs(size, look, rim, diamonds);
  glBindVertexArray(mesh.array);
  glDrawArrays(GL_POINTS, first, count);
}

void GpuPainter::UseForDiscs(float size, const GpuLook& look, const QVector4D& rim, bool diamonds) {
  Use(&discs, look);
  discs.setUniformValue("point_size", size * ratio);
  discs.setUniformValue("rim", rim);
  discs.setUniformValue("diamond", diamonds);
}

}  // namespace pliant
