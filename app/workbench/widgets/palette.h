// Light or dark colours: those of the desktop, or those the user has chosen. Figures and panes stay
// white, as in the report.

#ifndef PLIANT_APP_WORKBENCH_WIDGETS_PALETTE_H_
#define PLIANT_APP_WORKBENCH_WIDGETS_PALETTE_H_

#include <QColor>
#include <span>

namespace pliant {

enum class PaletteChoice { kDesktop, kLight, kDark };
std::span<const char* const> PaletteNames();  // in their order

PaletteChoice KeptPalette();             // from the settings
void UsePalette(PaletteChoice palette);  // in all windows, and saves it

// A text colour with the hue of `ink` that is readable on the present background: `ink` itself on a
// light background, a lighter colour on a dark one.
QColor ReadableInk(const QColor& ink);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WIDGETS_PALETTE_H_
