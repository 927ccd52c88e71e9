// Draws a scene at one time with OpenGL 3.3: lit surface, wireframe, points, obstacles, springs and
// nails, shadows on the floor. One renderer for all panes of a context.

#ifndef PLIANT_APP_WORKBENCH_VIEW_SCENE_RENDERER_H_
#define PLIANT_APP_WORKBENCH_VIEW_SCENE_RENDERER_H_

#include <Eigen/Core>
#include <memory>
#include <optional>

#include "app/plots/camera.h"
#include "app/plots/style.h"
#include "app/workbench/session/recording.h"
#include "app/workbench/view/view_settings.h"
#include "models/scene/scene.h"

class QRect;

namespace pliant {

// What one pane shows, as a value that threads can share.
struct PaneImage {
  std::shared_ptr<const Scene> scene;
  std::shared_ptr<const PaneFrame> frame;
  Colour colour = {};                        // of the formulation
  std::optional<Eigen::VectorXf> values;     // of ViewSettings::quantity, see ValuesOf()
  std::shared_ptr<const PaneFrame> overlay;  // of another formulation, at the same time
  Colour overlay_colour = {};
  bool lamp = false;  // see ScenePalette::lamps
};

inline constexpr Colour kPieceColour = {0x1d, 0x4e, 0x89};

// The chosen level, or the finest where there are fewer levels; null where there are none.
const PanePieces* ChosenPieces(const PaneFrame& frame, const ViewSettings& settings);

class SceneRenderer {
 public:
  SceneRenderer();
  ~SceneRenderer();  // with the context current

  // Requires a current context. Returns false when it cannot draw; why() is the reason.
  bool Initialize();
  const std::string& why() const { return why_; }

  // `viewport` in device pixels from the lower left corner; `pixel_ratio` device pixels per pixel.
  // A point that is not finite only affects its faces.
  void Draw(const PaneImage& image, const ViewSettings& settings, const Camera& camera,
            const QRect& viewport, double pixel_ratio);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::string why_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_SCENE_RENDERER_H_
