// Parts of pages.

#ifndef PLIANT_APP_WORKBENCH_PAGES_PAGE_PARTS_H_
#define PLIANT_APP_WORKBENCH_PAGES_PAGE_PARTS_H_

#include <QString>
#include <functional>

class QAbstractItemModel;
class QHBoxLayout;
class QPushButton;
class QTreeView;
class QVBoxLayout;
class QWidget;

namespace pliant {

QVBoxLayout* TightColumn(QWidget* page);

// Appends to the column of `page` a search field and the tree of `model`, which then shows the
// matching rows with their ancestors and children.
QTreeView* AddSearchableTree(QAbstractItemModel* model, QVBoxLayout* column, QWidget* page);

// The buttons start, pause and stop of a page that displays a job.
struct JobButtons {
  struct Press {
    const char* tip;
    std::function<void()> what;
  };
  // Appends the buttons to the column of `page`; their object names are "<job> Start" and so on.
  JobButtons(const QString& job, QWidget* page, QVBoxLayout* column, const Press& begin,
             const Press& halt, const Press& end);
  QPushButton* Add(const QString& text, const Press& press);
  void Show(bool can_start, bool works, bool paused);

  QString job;
  QWidget* page;
  QHBoxLayout* row;
  QPushButton *start, *pause, *stop;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_PAGE_PARTS_H_
