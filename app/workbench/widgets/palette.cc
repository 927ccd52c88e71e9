#include "app/workbench/widgets/palette.h"

#include <QApplication>
#include <QPalette>
#include <QSettings>
#include <QStyle>
#include <algorithm>
#include <array>

namespace pliant {
namespace {

constexpr std::array<const char*, 3> kPaletteNames = {"as the desktop", "light", "dark"};
constexpr char kPaletteKey[] = "palette";

// `ground` behind widgets, `paper` behind text.
QPalette Palette(const QColor& ground, const QColor& paper, const QColor& ink, const QColor& faint,
                 const QColor& chosen, const QColor& link) {
  QPalette palette(ground, ground);  // derives the lights and shadows of buttons and windows
  palette.setColor(QPalette::Base, paper);
  palette.setColor(QPalette::AlternateBase, ground);
  palette.setColor(QPalette::Text, ink);
  palette.setColor(QPalette::WindowText, ink);
  palette.setColor(QPalette::ButtonText, ink);
  palette.setColor(QPalette::PlaceholderText, faint);
  palette.setColor(QPalette::ToolTipBase, paper);
  palette.setColor(QPalette::ToolTipText, ink);
  palette.setColor(QPalette::Highlight, chosen);
  palette.setColor(QPalette::HighlightedText, Qt::white);
  palette.setColor(QPalette::Link, link);
  for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, faint);
  }
  return palette;
}

}  // namespace

std::span<const char* const> PaletteNames() { return kPaletteNames; }

PaletteChoice KeptPalette() {
  const QString kept = QSettings().value(kPaletteKey).toString();
  for (size_t i = 0; i < kPaletteNames.size(); ++i) {
    if (kept == kPaletteNames[i]) return static_cast<PaletteChoice>(i);
  }
  return PaletteChoice::kDesktop;
}

void UsePalette(PaletteChoice choice) {
  QSettings().setValue(kPaletteKey, kPaletteNames[static_cast<size_t>(choice)]);
  switch (choice) {
    case PaletteChoice::kDesktop:
      QApplication::setPalette(QPalette());  // the palette of the platform
      return;
    case PaletteChoice::kLight:
      QApplication::setPalette(Palette({0xef, 0xef, 0xef}, Qt::white, {0x22, 0x22, 0x22},
                                       {0x8a, 0x8a, 0x8a}, {0x1d, 0x4e, 0x89}, {0x1d, 0x4e, 0x89}));
      return;
    case PaletteChoice::kDark:
      QApplication::setPalette(Palette({0x2b, 0x2d, 0x30}, {0x1f, 0x21, 0x23}, {0xe4, 0xe4, 0xe4},
                                       {0x8a, 0x8d, 0x91}, {0x2f, 0x6f, 0xb5}, {0x7d, 0xb4, 0xf0}));
      return;
  }
}

QColor ReadableInk(const QColor& ink) {
  if (QApplication::palette().color(QPalette::Base).lightness() > 127) return ink;
  return QColor::fromHslF(ink.hslHueF(), std::min(0.75F, ink.hslSaturationF()), 0.7F);
}

}  // namespace pliant
