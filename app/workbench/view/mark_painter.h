// Marks over the bodies of a scene, drawn with OpenGL from vertices of the moment: velocities, the pieces of a formulation,
// sliders, springs, nails and attachments. For the renderer.

#ifndef PLIANT_APP_WORKBENCH_VIEW_MARK_PAINTER_H_
#define PLIANT_APP_WORKBENCH_VIEW_MARK_PAINTER_H_

#include <Eigen/Core>
#include <vector>

#include "app/plots/camera.h"
#include "app/plots/style.h"
#include "app/workbench/session/recording.h"
#include "app/workbench/view/gpu_painter.h"
#include "models/scene/scene.h"

namespace pliant {

class MarkPainter : public GpuPainter {
 public:
  void MakeLoose() { loose = Make(); }
  void DeleteLoose() { Delete(&loose); }

  // Lines of the way that points will go in a moment, from a dot where they are.
  void DrawVelocities(const PaneFrame& frame);

  // Lines with their ends, which may be apart; pale where something hides them: a lattice stands
  // partly within what it deforms.
  void DrawPieces(const PanePieces& pieces, bool planar);

  // What points are kept on or in, and a diamond at each of them; while they are kept.
  void DrawSliders(const Scene& scene, const PaneFrame& frame, const Camera& camera);

  // Springs as lines; nails as dots, attachments as rings, and lines to the points that are not
  // there; while they hold.
  void DrawSpringsAndNails(const Scene& scene, const PaneFrame& frame, bool with_springs);

 protected:
  // Fills `loose`, and `vertices`, with points of one colour.
  void UploadPoints(const Eigen::Matrix3Xf& points, const Colour& colour);

  GpuMesh loose;                 // vertices without indices: the ends of lines, or places
  std::vector<Vertex> vertices;  // what meshes are filled with; reused from frame to frame

 private:
  // Between pairs of the vertices of `loose`.
  void LooseLines(GLint first, GLsizei count, float width, const GpuLook& look);
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_MARK_PAINTER_H_
