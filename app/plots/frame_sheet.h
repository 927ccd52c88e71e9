// Key frames of one motion, or frames of several runs, as a sheet of pictures with a label each, in rows from left to
// right, as papers print them. One camera for all.

#ifndef PLIANT_APP_PLOTS_FRAME_SHEET_H_
#define PLIANT_APP_PLOTS_FRAME_SHEET_H_

#include <memory>
#include <string>
#include <vector>

#include "app/plots/canvas.h"
#include "app/plots/filmstrip.h"

namespace pliant {

struct SheetCell {
  std::string label;                   // under the picture: "(a) 0.5 s"
  std::shared_ptr<const Scene> scene;  // all of one number of points
  KeyFrame frame;
  Colour colour;
  bool lamp = false;  // see ScenePalette::lamps
};

struct FrameSheet {
  std::string title;
  int across = 1;                // pictures beside each other, at least 1
  std::vector<SheetCell> cells;  // at least one
};

Figure FrameSheetFigure(const FrameSheet& sheet);

// "(a) ", "(b) ", … "(z) ", "(27) ", ….
std::string CellLetter(size_t cell);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_FRAME_SHEET_H_
