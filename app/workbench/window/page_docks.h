// The pages of the window: a dock for each row of PageTable().

#ifndef PLIANT_APP_WORKBENCH_WINDOW_PAGE_DOCKS_H_
#define PLIANT_APP_WORKBENCH_WINDOW_PAGE_DOCKS_H_

#include <map>
#include <string>
#include <vector>

#include "app/workbench/pages/page.h"

class QDockWidget;
class QLabel;
class QMainWindow;
class QMenu;
class QSettings;
class QStackedWidget;

namespace pliant {

class PageDocks {
 public:
  PageDocks(const PageContext& context, QMainWindow* window);

  // An action per page that brings it to the front.
  void FillMenu(QMenu* menu);

  // These call the functions of the same names of all pages (page.h). Pages behind others reload one by one in events
  // that follow, or before anything else is asked of them, so that opening keeps no event waiting for all of them.
  void Reload();
  bool reloading() const { return reloads_next_; }
  void Refresh();
  void Rescan();
  // Displays each page, or the reason why it has nothing to show.
  void ShowWhatApplies();
  void SaveState(QSettings* settings);
  QVariantMap State();  // of all pages, by title
  void RestoreState(const QSettings& settings);
  // Of the pages that work on something, by title.
  std::map<std::string, std::map<std::string, std::string>> SaveWork()
      const;  // not while reloading
  void RestoreWork(const std::map<std::string, std::map<std::string, std::string>>& work);

  // The visible pages that are part of pictures, from left to right.
  std::vector<Page*> InPictures() const;

 private:
  struct Dock {
    Page* page;
    QDockWidget* dock;
    QStackedWidget* stack;  // the page, then the reason
    QLabel* why_not;
    const char* shortcut;
    bool waits = false;  // to be reloaded
  };
  Dock MakeDock(const char* title, Page* page, QMainWindow* window);

  static void ReloadOne(Dock* dock);
  static void ShowWhatApplies(const Dock& dock);
  void ReloadNext();     // the first that waits, and in the next event the one after it
  void ReloadWaiting();  // all of them now

  std::vector<Dock> docks_;
  QMainWindow* window_;
  bool reloads_next_ = false;  // an event to come will
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WINDOW_PAGE_DOCKS_H_
