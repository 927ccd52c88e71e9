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
#include "app/workbench/view/gpu_scene.h"
#include "app/workbench/view/mark_painter.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr size_t kMostScenes = 8;
constexpr GLenum kProgramPointSize = 0x8642;             // GL_PROGRAM_POINT_SIZE
constexpr float kEdgeWidth = 1.0F, kStrandWidth = 2.6F;  // px
constexpr float kPointSize = 4.5F;                       // px
constexpr float kObstacleAlpha = 0.62F;                  // what they press on is seen through them
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

struct SceneRenderer::Impl : MarkPainter {
  std::vector<GpuScene> scenes;  // the runs of a comparison share one, bundles have one each
  Eigen::Matrix3Xf normals;
  // Of the pane that is being drawn.
  GpuScene* shown = nullptr;

  GpuScene* Find(const std::shared_ptr<const Scene>& scene);
  void UploadBody(const PaneImage& image, const ViewSettings& settings);

  void StrandDiscs(float size, const GpuLook& look);
  void DrawGrounds(double time, const ViewSettings& settings);
  void DrawBodies(const PaneImage& image, const ViewSettings& settings);
  bool DrawLamps(const PaneImage& image);
  void DrawOverlaid(const PaneImage& image);
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
  impl_->DeleteLoose();
}

bool SceneRenderer::Initialize() {
  impl_->initializeOpenGLFunctions();
  why_ = impl_->LinkPrograms();
  if (!why_.empty()) return false;
  impl_->MakeLoose();
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
  if (const PanePieces* pieces = ChosenPieces(*image.frame, settings))
    gl.DrawPieces(*pieces, planar);
  if (settings.velocities) gl.DrawVelocities(*image.frame);
  if (image.overlay != nullptr) gl.DrawOverlaid(image);
  gl.DrawSliders(*image.scene, *image.frame, camera);
  gl.DrawSpringsAndNails(*image.scene, *image.frame, settings.springs);
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

}  // namespace pliant
