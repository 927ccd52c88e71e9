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

  // These call the functions of the same names of all pages (page.h).
  void Reload();
  void Refresh();
  void Rescan();
  // Displays each page, or the reason why it has nothing to show.
  void ShowWhatApplies();
  void SaveState(QSettings* settings) const;
  QVariantMap State() const;  // of all pages, by title
  void RestoreState(const QSettings& settings);
  // Of the pages that work on something, by title.
  std::map<std::string, std::map<std::string, std::string>> SaveWork() const;
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
  };
  Dock MakeDock(const char* title, Page* page, QMainWindow* window);

  std::vector<Dock> docks_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WINDOW_PAGE_DOCKS_H_
