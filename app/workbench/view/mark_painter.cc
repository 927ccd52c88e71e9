#include "app/workbench/view/mark_painter.h"

#include "app/plots/scene_drawing.h"
#include "app/plots/slider_guide.h"
#include "app/workbench/view/scene_renderer.h"
#include "app/workbench/view/view_settings.h"

namespace pliant {
namespace {

constexpr float kSpringWidth = 1.2F, kVelocityWidth = 1.3F, kPieceWidth = 1.6F;  // px
constexpr float kNailSize = 9.0F, kAttachmentSize = 11.0F, kSliderSize = 12.0F;  // px
constexpr float kPieceEnd = 4.0F;                                                // px
constexpr float kHiddenAlpha = 0.7F;  // of pieces behind faces
constexpr float kOverAll = 1e-3F;     // GpuLook::bias

}  // namespace

void MarkPainter::DrawVelocities(const PaneFrame& frame) {
  if (frame.velocities.cols() != frame.points.cols()) return;
  const Colour ink = {0x8c, 0x1a, 0x1a};
  Eigen::Matrix3Xf ends(3, 2 * frame.points.cols());
  for (Eigen::Index i = 0; i < frame.points.cols(); ++i) {
    ends.col(2 * i) = frame.points.col(i);
    ends.col(2 * i + 1) =
        frame.points.col(i) + static_cast<float>(kVelocityTime) * frame.velocities.col(i);
  }
  UploadPoints(ends, ink);
  GpuLook look;
  look.lit = false;
  look.bias = 3.0F * kOverFaces;
  LooseLines(0, static_cast<GLsizei>(ends.cols()), kVelocityWidth, look);
}

void MarkPainter::DrawPieces(const PanePieces& pieces, bool planar) {
  const auto count = static_cast<GLsizei>(pieces.ends.cols());
  if (count == 0) return;
  UploadPoints(pieces.ends, kPieceColour);
  GpuLook look;
  look.lit = false;
  look.bias = 3.0F * kOverFaces;
  if (!planar) {
    glDisable(GL_DEPTH_TEST);
    look.alpha = kHiddenAlpha;
    LooseLines(0, count, kPieceWidth, look);
    glEnable(GL_DEPTH_TEST);
    look.alpha = 1.0F;
  }
  LooseLines(0, count, kPieceWidth, look);
  Discs(loose, 0, count, kPieceEnd, look, {0, 0, 0, 0});
}

void MarkPainter::DrawSliders(const Scene& scene, const PaneFrame& frame, const Camera& camera) {
  const ScenePalette palette;
  const double reach = camera.window.diagonal().norm();
  Eigen::Matrix3Xf guides(3, 0), kept(3, 0);
  const auto append = [](const Eigen::Matrix3Xf& more, Eigen::Matrix3Xf* points) {
    points->conservativeResize(Eigen::NoChange, points->cols() + more.cols());
    points->rightCols(more.cols()) = more;
  };
  for (const Slider& slider : scene.sliders) {
    if (!Holds(slider.hold, frame.time)) continue;
    append(SliderGuide(slider, camera.axes, reach).cast<float>(), &guides);
    append(frame.points.col(scene.Index(slider.point)), &kept);
  }
  GpuLook look;
  look.lit = false;
  UploadPoints(guides, palette.spring);
  LooseLines(0, static_cast<GLsizei>(guides.cols()), kSpringWidth, look);
  look.bias = kOverAll;
  UploadPoints(kept, {0xff, 0xff, 0xff});
  Discs(loose, 0, static_cast<GLsizei>(kept.cols()), kSliderSize, look, Tint(palette.nail),
        /*diamonds=*/true);
}

void MarkPainter::DrawSpringsAndNails(const Scene& scene, const PaneFrame& frame,
                                      bool with_springs) {
  const ScenePalette palette;
  const Eigen::Matrix3Xf& points = frame.points;
  vertices.clear();
  auto add = [this](const Eigen::Vector3f& at, const Colour& colour) {
    vertices.push_back(
        {{at.x(), at.y(), at.z()}, {0, 0, 0}, {colour.red, colour.green, colour.blue, 255}});
  };
  if (with_springs) {
    for (const Spring& spring : scene.springs) {
      if (!IsElastic(spring)) continue;
      add(points.col(scene.Index(spring.a)), palette.spring);
      add(spring.b ? Eigen::Vector3f(points.col(scene.Index(*spring.b)))
                   : Eigen::Vector3f(spring.anchor.cast<float>()),
          palette.spring);
    }
  }
  const auto springs = static_cast<GLsizei>(vertices.size());
  for (const Attachment& attachment : scene.attachments) {
    if (!Holds(attachment.hold, frame.time)) continue;
    for (const PointRef& end : {attachment.a, attachment.b}) {
      add(points.col(scene.Index(end)), {0xff, 0xff, 0xff});
    }
  }
  const auto attachments = static_cast<GLsizei>(vertices.size()) - springs;
  for (const Nail& nail : scene.nails) {
    if (!Holds(nail.hold, frame.time)) continue;
    add(nail.path.At(frame.time).position.cast<float>(), palette.nail);
    add(points.col(scene.Index(nail.point)), palette.nail);
  }
  const auto nails = static_cast<GLsizei>(vertices.size()) - springs - attachments;
  if (vertices.empty()) return;
  Fill(loose, vertices);
  GpuLook look;
  look.lit = false;
  LooseLines(0, springs, kSpringWidth, look);
  look.bias = kOverAll;
  LooseLines(springs, attachments + nails, 1.0F, look);
  Discs(loose, springs, attachments, kAttachmentSize, look, Tint(palette.nail));
  // Each nail once, at its own place: the second of each pair is the point it holds.
  look.tint = Tint(palette.nail);
  for (GLint i = springs + attachments; i < static_cast<GLint>(vertices.size()); i += 2) {
    Discs(loose, i, 1, kNailSize, look, {1, 1, 1, 1});
  }
}

void MarkPainter::UploadPoints(const Eigen::Matrix3Xf& points, const Colour& colour) {
  vertices.clear();
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    vertices.push_back({{points(0, i), points(1, i), points(2, i)},
                        {0, 0, 0},
                        {colour.red, colour.green, colour.blue, 255}});
  }
  Fill(loose, vertices);
}

void MarkPainter::LooseLines(GLint first, GLsizei count, float width, const GpuLook& look) {
  if (count == 0) return;
  UseForLines(width, look);
  glBindVertexArray(loose.array);
  glDrawArrays(GL_LINES, first, count);
}

}  // namespace pliant
