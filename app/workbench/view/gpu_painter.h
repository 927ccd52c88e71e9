// What OpenGL draws with: faces, lines and discs of a mesh, each with a GpuLook. For the renderer.

#ifndef PLIANT_APP_WORKBENCH_VIEW_GPU_PAINTER_H_
#define PLIANT_APP_WORKBENCH_VIEW_GPU_PAINTER_H_

#include <QMatrix4x4>
#include <QOpenGLShaderProgram>
#include <QVector2D>
#include <QVector4D>
#include <string>

#include "app/plots/camera.h"
#include "app/plots/style.h"
#include "app/workbench/view/gpu_scene.h"

class QRect;

namespace pliant {

// An opaque colour for GpuLook::tint.
QVector4D Tint(const Colour& colour);

inline constexpr float kOverFaces = 2e-5F;  // GpuLook::bias of what lies on faces

struct GpuLook {
  QMatrix4x4 model = {};
  QVector4D tint = {0, 0, 0, 0};
  QVector4D fade = {0, 0, 0, 0};
  float alpha = 1.0F;
  float bias = 0.0F;                // towards the viewer, in clip coordinates
  float offset = 1.0F;              // of faces, see glPolygonOffset
  bool lit = true, facets = false;  // facets: some normals are 0
  bool whole = false;               // it fades within its faces
};

// The context must be current in every call.
class GpuPainter : public GpuMeshes {
 public:
  // Returns why the shaders cannot be compiled; empty on success.
  std::string LinkPrograms();
  // `area` in device pixels.
  void SetCamera(const Camera& camera, const Extent& extent, const QRect& area, double pixel_ratio);

  void Faces(const GpuMesh& mesh, const GpuLook& look);
  // `first` and `count` in the list of lines of the mesh.
  void Lines(const GpuMesh& mesh, GLsizei first, GLsizei count, float width, const GpuLook& look);
  // Draws discs, or diamonds, at vertices of the mesh.
  void Discs(const GpuMesh& mesh, GLint first, GLsizei count, float size, const GpuLook& look,
             const QVector4D& rim, bool diamonds = false);

 protected:
  // Binds a program for the draw calls that follow.
  void Use(QOpenGLShaderProgram* program, const GpuLook& look);
  void UseForLines(float width, const GpuLook& look);
  void UseForDiscs(float size, const GpuLook& look, const QVector4D& rim, bool diamonds);

  QOpenGLShaderProgram smooth, facets, plain, ground, lines, discs;

 private:
  QMatrix4x4 clip;
  QMatrix3x3 to_view;
  QVector2D viewport;
  float ratio = 1.0F;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_GPU_PAINTER_H_
