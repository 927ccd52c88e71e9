// Key frames side by side: a row for each run, a column for each time, one camera for all.

#ifndef PLIANT_APP_PLOTS_FILMSTRIP_H_
#define PLIANT_APP_PLOTS_FILMSTRIP_H_

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/plots/camera.h"
#include "app/plots/canvas.h"
#include "app/plots/style.h"
#include "models/scene/scene.h"

namespace pliant {

struct KeyFrame {
  double time = 0.0;  // s, of the record shown
  Eigen::Matrix3Xd points;
  std::string remark;  // over the drawing, such as "last good state, 0.41 s"; may be empty
};

struct FilmstripRow {
  std::string label;
  std::string outcome;  // after the label: "completed", "diverged at step 206: …"
  Colour colour;
  bool diverged = false;
  std::vector<std::optional<KeyFrame>> frames;  // one for each time of the strip; absent: blank
  std::string refusal;                          // instead of frames: why there are none
  bool lamp = false;                            // see ScenePalette::lamps
  std::shared_ptr<const Scene> scene;           // null: that of the strip
};

inline constexpr size_t kMostRows = 24;  // of a report; a longer figure is not looked at

struct Filmstrip {
  std::shared_ptr<const Scene> scene;
  std::vector<double> times;  // s
  std::vector<FilmstripRow> rows;
  size_t left_out = 0;  // runs beyond kMostRows
};

// `count` ≥ 2 equally spaced times from 0 to `duration`.
std::vector<double> KeyTimes(double duration, int count);

// For each time of a strip the record to show: the nearest one; after the end of the records the
// last one once, then none.
std::vector<std::optional<size_t>> KeyRecords(const std::vector<double>& times,
                                              const std::vector<double>& records);

// The scene that a row of the strip shows.
const Scene& SceneOf(const Filmstrip& strip, const FilmstripRow& row);

Camera CameraOf(const Filmstrip& strip);

// The figure of a strip, which must outlive it.
Figure FilmstripFigure(const Filmstrip& strip);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_FILMSTRIP_H_
