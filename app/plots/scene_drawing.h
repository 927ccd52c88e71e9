// Draws a scene at one time with QPainter: bodies lit and sorted by depth, obstacles where they are
// at that time, nails, sliders and springs. Works without a display and draws vectors on vector
// devices.

#ifndef PLIANT_APP_PLOTS_SCENE_DRAWING_H_
#define PLIANT_APP_PLOTS_SCENE_DRAWING_H_

#include <Eigen/Core>
#include <memory>

#include "app/plots/camera.h"
#include "app/plots/style.h"
#include "models/scene/scene.h"

class QImage;
class QPainter;
class QPointF;
class QRectF;

namespace pliant {

// Colours that any renderer of a scene uses.
struct ScenePalette {
  Colour body;                           // of the run, see StylesOfRuns
  Colour obstacle = {0xb4, 0xb4, 0xae};  // solid things that do not deform
  Colour ground = {0xee, 0xec, 0xe6};    // planes
  Colour ground_line = {0xc4, 0xc0, 0xb6};
  Colour spring = {0x8a, 0x8a, 0x8a};
  Colour nail = {0x11, 0x11, 0x11};
  bool lamps = false;  // bodies that are marked as lamps stand there in space, see lamp_solid.h
};

// A scene of too many shapes for vectors, as pixels. They stay for the other devices of a figure.
struct ScenePicture {
  bool transparent = false;  // else on white paper
  std::shared_ptr<const QImage> pixels;
};

// Draws into `area` [px], keeping the proportions of the camera's window; nothing is drawn outside
// `area`. `points` 3×n [m], world; those that are not finite are left out. Bodies whose cells are
// smaller than about a pixel are merged, see merged_surface.h. With `picture`, a scene of very many
// shapes is drawn into it, and from it where it has pixels.
void DrawScene(QPainter* painter, const QRectF& area, const Scene& scene,
               const Eigen::Matrix3Xd& points, double time, const Camera& camera,
               const ScenePalette& palette, ScenePicture* picture = nullptr);

// The scale of DrawScene in `area`, in pixels per metre.
double PixelsPerMetre(const QRectF& area, const Camera& camera);

// Draws a bar of a round length, at most `most` px, from `left` on, and writes its length. Returns
// where they end [px].
double DrawScaleBar(QPainter* painter, const QPointF& left, double pixels_per_metre, double most);

// Springs are drawn; mere dampers (air drag) are not.
bool IsElastic(const Spring& spring);

// The marks that DrawScene uses for what holds points, for a key to the drawing.
enum class SceneMark { kNail, kAttachment, kSlider, kSpring };
void DrawMark(QPainter* painter, const QRectF& area, SceneMark mark, const ScenePalette& palette);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_SCENE_DRAWING_H_
