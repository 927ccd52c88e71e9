#include "app/workbench/view/scene_renderer.h"

#include <QMatrix4x4>
#include <QOpenGLContext>
#include <QRect>
#include <QVector4D>
#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include "app/plots/lamp_solid.h"
#include "app/plots/scene_drawing.h"
#include "app/plots/slider_guide.h"
#include "app/workbench/view/gpu_painter.h"
#include "app/workbench/view/gpu_scene.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr size_t kMostScenes = 8;
constexpr GLenum kProgramPointSize = 0x8642;  // GL_PROGRAM_POINT_SIZE
constexpr float kEdgeWidth = 1.0F, kStrandWidth = 2.6F, kSpringWidth = 1.2F,
                kVelocityWidth = 1.3F;  // px
constexpr float kPointSize = 4.5F, kNailSize = 9.0F, kAttachmentSize = 11.0F,
                kSliderSize = 12.0F;  // px
constexpr float kOverFaces = 2e-5F,
                kOverAll = 1e-3F;                      // bias in clip coordinates
constexpr float kObstacleAlpha = 0.62F;                // what they press on is seen through them
constexpr float kPieceWidth = 1.6F, kPieceEnd = 4.0F;  // px
constexpr float kHiddenAlpha = 0.7F;                   // of pieces behind faces
const Vector3d kTowardsLight = Vector3d(-0.25, 1.0, 0.35).normalized();  // casts shadows

QMatrix4x4 Shift(const Vector3d& by) {
  QMatrix4x4 matrix;
  matrix.translate(static_cast<float>(by.x()), static_cast<float>(by.y()),
                   static_cast<float>(by.z()));
  return matrix;
}

// Along the light onto the plane through `origin`, and a hair above it.
QMatrix4x4 ShadowOn(const Vector3d& normal, const Vector3d& origin) {
  const double slope = normal.dot(kTowardsLight);
  const Eigen::Matrix3d flat =
      Eigen::Matrix3d::Identity() - kTowardsLight * normal.transpose() / slope;
  const Vector3d shift = kTowardsLight * (normal.dot(origin) / slope);
  QMatrix4x4 matrix;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) matrix(i, j) = static_cast<float>(flat(i, j));
    matrix(i, 3) = static_cast<float>(shift[i]);
  }
  return matrix;
}

}  // namespace

struct SceneRenderer::Impl : GpuPainter {
  std::vector<GpuScene> scenes;  // the runs of a comparison share one, bundles have one each
  GpuMesh loose;                 // ends of springs, then places of nails
  std::vector<Vertex> vertices;  // reused from frame to frame
  Eigen::Matrix3Xf normals;
  // Of the pane that is being drawn.
  GpuScene* shown = nullptr;

  GpuScene* Find(const std::shared_ptr<const Scene>& scene);
  void UploadBody(const PaneImage& image, const ViewSettings& settings);
  void UploadPoints(const Eigen::Matrix3Xf& points, const Colour& colour);

  void LooseLines(GLint first, GLsizei count, float width, const GpuLook& look);
  void StrandDiscs(float size, const GpuLook& look);
  void DrawGrounds(double time, const ViewSettings& settings);
  void DrawBodies(const PaneImage& image, const ViewSettings& settings);
  bool DrawLamps(const PaneImage& image);
  void DrawVelocities(const PaneImage& image);
  void DrawPieces(const PanePieces& pieces);
  void DrawOverlaid(const PaneImage& image);
  void DrawSliders(const PaneImage& image, const Camera& camera);
  void DrawMarks(const PaneImage& image, const ViewSettings& settings);
  void DrawObstacles(double time);
};

const PanePieces* ChosenPieces(const PaneFrame& frame, const ViewSettings& settings) {
  if (settings.pieces < 0 || frame.pieces.empty()) return nullptr;
  return &frame.pieces[std::min(static_cast<size_t>(settings.pieces), frame.pieces.size() - 1)];
}

SceneRenderer::SceneRenderer() : impl_(std::make_unique<Impl>()) {}

SceneRenderer::~SceneRenderer() {
  if (QOpenGLContext::currentContext() == nullptr) return;
  for (GpuScene& scene : impl_->scenes) DeleteGpuScene(&scene, impl_.get());
  impl_->Delete(&impl_->loose);
}

bool SceneRenderer::Initialize() {
  impl_->initializeOpenGLFunctions();
  why_ = impl_->LinkPrograms();
  if (!why_.empty()) return false;
  impl_->loose = impl_->Make();
  return true;
}

void SceneRenderer::Draw(const PaneImage& image, const ViewSettings& settings, const Camera& camera,
                         const QRect& viewport, double pixel_ratio) {
  Impl& gl = *impl_;
  gl.glViewport(viewport.x(), viewport.y(), viewport.width(), viewport.height());
  gl.shown = gl.Find(image.scene);
  gl.SetCamera(camera, gl.shown->extent, viewport, pixel_ratio);
  gl.UploadBody(image, settings);
  gl.glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  gl.glEnable(kProgramPointSize);
  gl.glDisable(GL_CULL_FACE);
  gl.glDepthFunc(GL_LEQUAL);
  gl.glDepthMask(GL_TRUE);
  const bool planar = image.scene->dimension == 2;
  if (planar) {  // all is at one depth: what is drawn later is in front
    gl.glDisable(GL_DEPTH_TEST);
    gl.DrawGrounds(image.frame->time, settings);
    gl.DrawObstacles(image.frame->time);
    gl.DrawBodies(image, settings);
  } else {
    gl.glEnable(GL_DEPTH_TEST);
    gl.DrawGrounds(image.frame->time, settings);
    gl.DrawBodies(image, settings);
    gl.DrawObstacles(image.frame->time);
  }
  if (const PanePieces* pieces = ChosenPieces(*image.frame, settings)) gl.DrawPieces(*pieces);
  if (settings.velocities) gl.DrawVelocities(image);
  if (image.overlay != nullptr) gl.DrawOverlaid(image);
  gl.DrawSliders(image, camera);
  gl.DrawMarks(image, settings);
  gl.glDisable(GL_DEPTH_TEST);
  gl.glBindVertexArray(0);
  gl.glUseProgram(0);
}

GpuScene* SceneRenderer::Impl::Find(const std::shared_ptr<const Scene>& scene) {
  const auto found = std::find_if(scenes.begin(), scenes.end(),
                                  [&](const GpuScene& made) { return made.scene == scene; });
  if (found != scenes.end()) return &*found;
  if (scenes.size() == kMostScenes) {
    DeleteGpuScene(&scenes.front(), this);
    scenes.erase(scenes.begin());
  }
  scenes.push_back(MakeGpuScene(scene, this));
  return &scenes.back();
}

void SceneRenderer::Impl::UploadBody(const PaneImage& image, const ViewSettings& settings) {
  const Eigen::Matrix3Xf& points = image.frame->points;
  NormalsOf(shown->topology, points, &normals);
  const Colour plain = Lighten(image.colour, 0.4);
  vertices.resize(static_cast<size_t>(points.cols()));
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    Colour colour = plain;
    if (image.values) colour = ColourOf((*image.values)[i] / settings.full_scale);
    vertices[static_cast<size_t>(i)] = {{points(0, i), points(1, i), points(2, i)},
                                        {normals(0, i), normals(1, i), normals(2, i)},
                                        {colour.red, colour.green, colour.blue, 255}};
  }
  Fill(shown->body, vertices);
}

void SceneRenderer::Impl::UploadPoints(const Eigen::Matrix3Xf& points, const Colour& colour) {
  vertices.clear();
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    vertices.push_back({{points(0, i), points(1, i), points(2, i)},
                        {0, 0, 0},
                        {colour.red, colour.green, colour.blue, 255}});
  }
  Fill(loose, vertices);
}

// Pairs of the vertices that are loose.
void SceneRenderer::Impl::LooseLines(GLint first, GLsizei count, float width, const GpuLook& look) {
  if (count == 0) return;
  UseForLines(width, look);
  glBindVertexArray(loose.array);
  glDrawArrays(GL_LINES, first, count);
}

void SceneRenderer::Impl::StrandDiscs(float size, const GpuLook& look) {
  if (shown->strand_points == 0) return;
  UseForDiscs(size, look, {0, 0, 0, 0}, false);
  glBindVertexArray(shown->body.array);
  const GLsizei before = shown->body.triangles + shown->edges + shown->strands;
  const size_t offset = static_cast<size_t>(before) * sizeof(std::uint32_t);
  glDrawElements(GL_POINTS, shown->strand_points, GL_UNSIGNED_INT,
                 reinterpret_cast<const void*>(offset));
}

void SceneRenderer::Impl::DrawGrounds(double time, const ViewSettings& settings) {
  const QVector4D fade(static_cast<float>(shown->extent.centre.x()),
                       static_cast<float>(shown->extent.centre.y()),
                       static_cast<float>(shown->extent.centre.z()),
                       static_cast<float>(kGroundReach * shown->extent.radius));
  for (const ObstacleMesh& ground : shown->grounds) {
    const Path& motion = shown->scene->obstacles[ground.obstacle].motion;
    GpuLook look;
    look.model = Shift(motion.At(time).position - motion.At(0.0).position);
    look.lit = false;
    look.fade = fade;
    look.whole = true;
    look.offset = 3.0F;  // behind shadows, which are behind what lies on the ground
    Faces(ground.mesh, look);
    Lines(ground.mesh, 0, ground.mesh.lines, 1.0F, look);
  }
  if (!shown->floor || !settings.shadows) return;
  const Obstacle& plane = shown->scene->obstacles[*shown->floor];
  const QMatrix4x4 shadow = ShadowOn(PlaneOf(plane.shape)->normal, plane.motion.At(time).position);
  GpuLook look;
  look.lit = false;
  look.tint = Tint({0xd2, 0xcf, 0xc6});  // one colour: shadows that overlap are no darker
  look.fade = fade;
  look.offset = 2.0F;
  glDepthMask(GL_FALSE);
  for (const ObstacleMesh& obstacle : shown->obstacles) {
    look.model =
        shadow * Shift(shown->scene->obstacles[obstacle.obstacle].motion.At(time).position);
    Faces(obstacle.mesh, look);
  }
  look.model = shadow;
  Faces(shown->body, look);
  Lines(shown->body, shown->edges, shown->strands, kStrandWidth, look);
  glDepthMask(GL_TRUE);
}

void SceneRenderer::Impl::DrawBodies(const PaneImage& image, const ViewSettings& settings) {
  const Colour dark = Lighten(image.colour, -0.35);
  GpuLook look;
  const bool lamps = image.lamp && settings.surface && !image.values && DrawLamps(image);
  if (lamps) {
    if (settings.points) {
      look.lit = false;
      look.tint = Tint(dark);
      Discs(shown->body, 0, static_cast<GLsizei>(image.frame->points.cols()), kPointSize, look,
            {0, 0, 0, 0});
    }
    return;
  }
  look.facets = shown->facets;
  if (settings.surface) Faces(shown->body, look);
  look.lit = false;
  look.bias = kOverFaces;
  if (settings.wireframe) {
    look.tint = Tint(dark);
    look.alpha = settings.surface ? 0.55F : 1.0F;
    Lines(shown->body, 0, shown->edges, kEdgeWidth, look);
    look.alpha = 1.0F;
  }
  look.tint = image.values ? QVector4D(0, 0, 0, 0) : Tint(image.colour);
  Lines(shown->body, shown->edges, shown->strands, kStrandWidth, look);
  look.bias = 2.0F * kOverFaces;
  look.tint = image.values ? QVector4D(0, 0, 0, 0) : Tint(dark);
  if (settings.points) {
    Discs(shown->body, 0, static_cast<GLsizei>(vertices.size()), kPointSize, look, {0, 0, 0, 0});
  } else {
    StrandDiscs(kPointSize, look);
  }
}

// Whether there is one. Its faces are sorted by the depth buffer in planar scenes too.
bool SceneRenderer::Impl::DrawLamps(const PaneImage& image) {
  const Colour colour = Lighten(image.colour, 0.4);
  vertices.clear();
  for (size_t b = 0; b < shown->scene->bodies.size(); ++b) {
    const Body& body = shown->scene->bodies[b];
    const Eigen::Matrix3Xd points =
        image.frame->points.middleCols(shown->scene->Offset(static_cast<int>(b)), body.size())
            .cast<double>();
    for (const SolidFace& face : LampSolid(body, points)) {
      const Eigen::Vector3f n = face.normal.cast<float>();
      for (const int corner : {0, 1, 2, 0, 2, 3}) {
        const Eigen::Vector3f at = face.corners[static_cast<size_t>(corner)].cast<float>();
        vertices.push_back({{at.x(), at.y(), at.z()},
                            {n.x(), n.y(), n.z()},
                            {colour.red, colour.green, colour.blue, 255}});
      }
    }
  }
  if (vertices.empty()) return false;
  Fill(loose, vertices);
  glEnable(GL_DEPTH_TEST);
  Use(&smooth, {});
  glBindVertexArray(loose.array);
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(vertices.size()));
  if (shown->scene->dimension == 2) glDisable(GL_DEPTH_TEST);
  return true;
}

// Lines of the way that points will go in a moment, from a dot where they are.
void SceneRenderer::Impl::DrawVelocities(const PaneImage& image) {
  const PaneFrame& frame = *image.frame;
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

// Lines with their ends, which may be apart; pale where something hides them: a lattice stands
// partly within what it deforms.
void SceneRenderer::Impl::DrawPieces(const PanePieces& pieces) {
  const auto count = static_cast<GLsizei>(pieces.ends.cols());
  if (count == 0) return;
  UploadPoints(pieces.ends, kPieceColour);
  GpuLook look;
  look.lit = false;
  look.bias = 3.0F * kOverFaces;
  if (shown->scene->dimension == 3) {
    glDisable(GL_DEPTH_TEST);
    look.alpha = kHiddenAlpha;
    LooseLines(0, count, kPieceWidth, look);
    glEnable(GL_DEPTH_TEST);
    look.alpha = 1.0F;
  }
  LooseLines(0, count, kPieceWidth, look);
  Discs(loose, 0, count, kPieceEnd, look, {0, 0, 0, 0});
}

// The wireframe of another formulation: where it is hidden it is not drawn.
void SceneRenderer::Impl::DrawOverlaid(const PaneImage& image) {
  if (image.overlay->points.cols() != image.frame->points.cols()) return;
  UploadPoints(image.overlay->points, image.overlay_colour);
  Fill(shown->body, vertices);
  GpuLook look;
  look.lit = false;
  look.bias = 2.0F * kOverFaces;
  Lines(shown->body, 0, shown->edges, 1.4F, look);
  Lines(shown->body, shown->edges, shown->strands, kStrandWidth, look);
}

void SceneRenderer::Impl::DrawObstacles(double time) {
  const bool planar = shown->scene->dimension == 2;
  GpuLook look;
  look.alpha = planar ? 1.0F : kObstacleAlpha;
  look.lit = !planar;
  if (!planar) {  // the far side would shine through
    glEnable(GL_CULL_FACE);
    glCullFace(GL_BACK);
  }
  for (const ObstacleMesh& obstacle : shown->obstacles) {
    look.model = Shift(shown->scene->obstacles[obstacle.obstacle].motion.At(time).position);
    Faces(obstacle.mesh, look);
  }
  glDisable(GL_CULL_FACE);
}

// What points are kept on or in, and a diamond at each of them; while they are kept.
void SceneRenderer::Impl::DrawSliders(const PaneImage& image, const Camera& camera) {
  const ScenePalette palette;
  const double reach = camera.window.diagonal().norm();
  Eigen::Matrix3Xf guides(3, 0), kept(3, 0);
  const auto append = [](const Eigen::Matrix3Xf& more, Eigen::Matrix3Xf* points) {
    points->conservativeResize(Eigen::NoChange, points->cols() + more.cols());
    points->rightCols(more.cols()) = more;
  };
  for (const Slider& slider : shown->scene->sliders) {
    if (!Holds(slider.hold, image.frame->time)) continue;
    append(SliderGuide(slider, camera.axes, reach).cast<float>(), &guides);
    append(image.frame->points.col(shown->scene->Index(slider.point)), &kept);
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

// Springs as lines; nails as dots, attachments as rings, and lines to the points that are not
// there; while they hold.
void SceneRenderer::Impl::DrawMarks(const PaneImage& image, const ViewSettings& settings) {
  const ScenePalette palette;
  const Eigen::Matrix3Xf& points = image.frame->points;
  vertices.clear();
  auto add = [this](const Eigen::Vector3f& at, const Colour& colour) {
    vertices.push_back(
        {{at.x(), at.y(), at.z()}, {0, 0, 0}, {colour.red, colour.green, colour.blue, 255}});
  };
  if (settings.springs) {
    for (const Spring& spring : shown->scene->springs) {
      if (!IsElastic(spring)) continue;
      add(points.col(shown->scene->Index(spring.a)), palette.spring);
      add(spring.b ? Eigen::Vector3f(points.col(shown->scene->Index(*spring.b)))
                   : Eigen::Vector3f(spring.anchor.cast<float>()),
          palette.spring);
    }
  }
  const auto springs = static_cast<GLsizei>(vertices.size());
  for (const Attachment& attachment : shown->scene->attachments) {
    if (!Holds(attachment.hold, image.frame->time)) continue;
    for (const PointRef& end : {attachment.a, attachment.b}) {
      add(points.col(shown->scene->Index(end)), {0xff, 0xff, 0xff});
    }
  }
  const auto attachments = static_cast<GLsizei>(vertices.size()) - springs;
  for (const Nail& nail : shown->scene->nails) {
    if (!Holds(nail.hold, image.frame->time)) continue;
    add(nail.path.At(image.frame->time).position.cast<float>(), palette.nail);
    add(points.col(shown->scene->Index(nail.point)), palette.nail);
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

}  // namespace pliant
