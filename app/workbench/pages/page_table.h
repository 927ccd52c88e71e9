// All pages of the window.

#ifndef PLIANT_APP_WORKBENCH_PAGES_PAGE_TABLE_H_
#define PLIANT_APP_WORKBENCH_PAGES_PAGE_TABLE_H_

#include <span>

#include "app/workbench/pages/page.h"

namespace pliant {

// Pages in the same place are tabs; the first row of a place is on top.
enum class PagePlace { kLeft, kRight, kBottomLeft, kBottomRight };

struct PageInfo {
  const char* title;     // unique; the layout of the window is saved by it
  const char* shortcut;  // brings the page to the front
  PagePlace place;
  Page* (*make)(const PageContext& context, QWidget* parent);
};

std::span<const PageInfo> PageTable();

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_PAGE_TABLE_H_
