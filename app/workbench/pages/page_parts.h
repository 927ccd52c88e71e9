// What pages are made of.

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

// A line to search in and below it the tree of `model`, of which it leaves what matches, with what
// is above and below that; both at the end of the column of `page`.
QTreeView* AddSearchableTree(QAbstractItemModel* model, QVBoxLayout* column, QWidget* page);

// What a page that looks on at a job has on top: start, pause, stop.
struct JobButtons {
  struct Press {
    const char* tip;
    std::function<void()> what;
  };
  // At the end of the column of `page`, called "<job> Start" and so on.
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
