#include "app/workbench/pages/page_table.h"

#include <array>

// One row per page: title, shortcut, place, and the function of the page's file that makes it.
#define PLIANT_PAGES(ROW)                                       \
  ROW("Experiments", "Alt+1", kLeft, MakeLibraryPage)           \
  ROW("Parameters", "Alt+2", kRight, MakeParameterPage)         \
  ROW("Editors", "Alt+3", kRight, MakeEditorPage)               \
  ROW("Translation", "Alt+4", kRight, MakeTranslationPage)      \
  ROW("Search", "Alt+5", kRight, MakeSearchPage)                \
  ROW("Plan", "Alt+6", kRight, MakePlanPage)                    \
  ROW("Matrices", "Alt+M", kRight, MakeArrayPage)               \
  ROW("Curves", "Alt+7", kBottomLeft, MakeCurvePage)            \
  ROW("More curves", "Alt+8", kBottomRight, MakeMoreCurvesPage) \
  ROW("Console", "Alt+9", kBottomRight, MakeConsolePage)        \
  ROW("Log", "Alt+0", kBottomRight, MakeLogPage)

namespace pliant {

#define PLIANT_DECLARE(title, shortcut, place, make) \
  Page* make(const PageContext& context, QWidget* parent);
PLIANT_PAGES(PLIANT_DECLARE)
#undef PLIANT_DECLARE

std::span<const PageInfo> PageTable() {
#define PLIANT_ROW(title, shortcut, place, make) PageInfo{title, shortcut, PagePlace::place, make},
  static constexpr std::array kPages = {PLIANT_PAGES(PLIANT_ROW)};
#undef PLIANT_ROW
  return kPages;
}

}  // namespace pliant
