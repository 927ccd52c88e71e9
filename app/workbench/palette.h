// Light or dark: what the desktop says, or what the user has chosen. Figures and panes stay on
// white, as in the report.

#ifndef PLIANT_APP_WORKBENCH_PALETTE_H_
#define PLIANT_APP_WORKBENCH_PALETTE_H_

#include <span>

namespace pliant {

enum class PaletteChoice { kDesktop, kLight, kDark };
std::span<const char* const> PaletteNames();  // in their order

PaletteChoice KeptPalette();             // in the settings
void UsePalette(PaletteChoice palette);  // of all windows, and keeps it

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PALETTE_H_
