// Light or dark: what the desktop says, or what the user has chosen. Figures and panes stay on
// white, as in the report.

#ifndef PLIANT_APP_WORKBENCH_WIDGETS_PALETTE_H_
#define PLIANT_APP_WORKBENCH_WIDGETS_PALETTE_H_

#include <QColor>
#include <span>

namespace pliant {

enum class PaletteChoice { kDesktop, kLight, kDark };
std::span<const char* const> PaletteNames();  // in their order

PaletteChoice KeptPalette();             // in the settings
void UsePalette(PaletteChoice palette);  // of all windows, and keeps it

// A colour of text that is told from others by its hue, as it is read on what the application
// writes on now: as it is on a light ground, lighter on a dark one.
QColor ReadableInk(const QColor& ink);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WIDGETS_PALETTE_H_
