#include "app/workbench/window/page_docks.h"

#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <algorithm>
#include <map>
#include <utility>

#include "app/workbench/pages/page_table.h"

namespace pliant {
namespace {

// Sizes that a window starts with [px].
constexpr int kLeftWidth = 230, kRightWidth = 380, kBottomHeight = 250;

Qt::DockWidgetArea AreaOf(PagePlace place) {
  switch (place) {
    case PagePlace::kLeft:
      return Qt::LeftDockWidgetArea;
    case PagePlace::kRight:
      return Qt::RightDockWidgetArea;
    case PagePlace::kBottomLeft:
    case PagePlace::kBottomRight:
      break;
  }
  return Qt::BottomDockWidgetArea;
}

QString StateKey(const Page& page) { return "pages/" + page.objectName(); }

}  // namespace

PageDocks::PageDocks(const PageContext& context, QMainWindow* window) : window_(window) {
  std::map<PagePlace, std::vector<QDockWidget*>> places;
  for (const PageInfo& info : PageTable()) {
    Dock dock = MakeDock(info.title, info.make(context, window), window);
    dock.shortcut = info.shortcut;
    std::vector<QDockWidget*>& place = places[info.place];
    if (!place.empty()) {
      window->tabifyDockWidget(place.back(), dock.dock);
    } else if (info.place == PagePlace::kBottomRight) {
      window->splitDockWidget(places[PagePlace::kBottomLeft].front(), dock.dock, Qt::Horizontal);
    } else {
      window->addDockWidget(AreaOf(info.place), dock.dock);
    }
    place.push_back(dock.dock);
    docks_.push_back(dock);
  }
  for (const auto& [place, docks] : places) docks.front()->raise();
  for (Dock& dock : docks_) {
    QObject::connect(dock.dock, &QDockWidget::visibilityChanged, window, [&dock](bool visible) {
      if (visible && dock.waits) ReloadOne(&dock);
    });
  }
  window->resizeDocks({places[PagePlace::kLeft].front(), places[PagePlace::kRight].front()},
                      {kLeftWidth, kRightWidth}, Qt::Horizontal);
  window->resizeDocks(
      {places[PagePlace::kBottomLeft].front(), places[PagePlace::kBottomRight].front()},
      {kBottomHeight, kBottomHeight}, Qt::Vertical);
  for (QTabBar* tabs : window->findChildren<QTabBar*>()) {  // all tabs are visible and readable
    tabs->setElideMode(Qt::ElideNone);
    tabs->setUsesScrollButtons(false);
  }
  ShowWhatApplies();
}

PageDocks::Dock PageDocks::MakeDock(const char* title, Page* page, QMainWindow* window) {
  Dock made{page, new QDockWidget(title, window), new QStackedWidget(window), new QLabel(window),
            ""};
  page->setObjectName(title);
  made.dock->setObjectName(title);
  made.why_not->setObjectName("why not");
  made.why_not->setWordWrap(true);
  made.why_not->setAlignment(Qt::AlignCenter);
  made.why_not->setMargin(12);
  made.why_not->setForegroundRole(QPalette::PlaceholderText);
  made.stack->addWidget(page);
  made.stack->addWidget(made.why_not);
  made.dock->setWidget(made.stack);
  return made;
}

void PageDocks::FillMenu(QMenu* menu) {
  for (const Dock& dock : docks_) {
    menu->addAction(dock.dock->windowTitle(), QKeySequence(dock.shortcut), dock.dock,
                    [shown = dock.dock] {
                      shown->show();
                      shown->raise();
                    });
  }
}

void PageDocks::Reload() {
  for (Dock& dock : docks_) {
    dock.waits = true;
    if (dock.stack->isVisible()) ReloadOne(&dock);
  }
  ReloadNext();
}

void PageDocks::ReloadOne(Dock* dock) {
  dock->waits = false;
  dock->page->Reload();
  ShowWhatApplies(*dock);
}

void PageDocks::ReloadNext() {
  if (reloads_next_) return;
  const auto waits = [](const Dock& dock) { return dock.waits; };
  if (std::none_of(docks_.begin(), docks_.end(), waits)) return;
  reloads_next_ = true;
  QTimer::singleShot(0, window_, [this, waits] {
    reloads_next_ = false;
    const auto next = std::find_if(docks_.begin(), docks_.end(), waits);
    if (next != docks_.end()) ReloadOne(&*next);
    ReloadNext();
  });
}

void PageDocks::ReloadWaiting() {
  for (Dock& dock : docks_) {
    if (dock.waits) ReloadOne(&dock);
  }
}

void PageDocks::Refresh() {
  for (const Dock& dock : docks_) {
    if (!dock.waits) dock.page->Refresh();
  }
}

void PageDocks::Rescan() {
  ReloadWaiting();
  for (const Dock& dock : docks_) dock.page->Rescan();
}

void PageDocks::ShowWhatApplies() {
  for (const Dock& dock : docks_) {
    if (!dock.waits) ShowWhatApplies(dock);
  }
}

void PageDocks::ShowWhatApplies(const Dock& dock) {
  const QString why_not = dock.page->WhyNot();
  dock.why_not->setText(why_not);
  dock.stack->setCurrentIndex(why_not.isEmpty() ? 0 : 1);
}

void PageDocks::SaveState(QSettings* settings) {
  ReloadWaiting();
  for (const Dock& dock : docks_) {
    const QVariantMap state = dock.page->SaveState();
    if (!state.isEmpty()) settings->setValue(StateKey(*dock.page), state);
  }
}

QVariantMap PageDocks::State() {
  ReloadWaiting();
  QVariantMap all;
  for (const Dock& dock : docks_) all[dock.page->objectName()] = dock.page->SaveState();
  return all;
}

void PageDocks::RestoreState(const QSettings& settings) {
  ReloadWaiting();
  for (const Dock& dock : docks_) {
    dock.page->RestoreState(settings.value(StateKey(*dock.page)).toMap());
  }
}

std::map<std::string, std::map<std::string, std::string>> PageDocks::SaveWork() const {
  std::map<std::string, std::map<std::string, std::string>> all;
  for (const Dock& dock : docks_) {
    auto work = dock.page->SaveWork();
    if (!work.empty()) all[dock.page->objectName().toStdString()] = std::move(work);
  }
  return all;
}

void PageDocks::RestoreWork(const std::map<std::string, std::map<std::string, std::string>>& work) {
  ReloadWaiting();
  for (const Dock& dock : docks_) {
    const auto found = work.find(dock.page->objectName().toStdString());
    if (found != work.end()) dock.page->RestoreWork(found->second);
  }
}

std::vector<Page*> PageDocks::InPictures() const {
  std::vector<Page*> pages;
  for (const Dock& dock : docks_) {
    if (dock.page->InPictures() && dock.page->isVisible()) pages.push_back(dock.page);
  }
  return pages;
}

}  // namespace pliant
