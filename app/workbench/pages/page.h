// What a page is: a dock beside the panes that shows one side of what is open. A page is one file
// of this folder and one row of page_table.cc; the window knows no page by its name.

#ifndef PLIANT_APP_WORKBENCH_PAGES_PAGE_H_
#define PLIANT_APP_WORKBENCH_PAGES_PAGE_H_

#include <QVariantMap>
#include <QWidget>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace pliant {

class LogModel;
class OpenExperiment;
class Session;

// What pages work with. The objects outlive the pages, which copy what they keep.
struct PageContext {
  Session* session;
  OpenExperiment* experiment;
  LogModel* log;
  std::filesystem::path home;                                   // holds experiments/ and data/
  std::filesystem::path runs;                                   // holds run bundles
  std::function<void(const std::filesystem::path&)> open_file;  // in the window
  // Asks what becomes of unsaved edits before another experiment is opened; false: nothing may be
  // opened now. Empty: the experiment is replaced without a question.
  std::function<bool()> may_leave;
};

class Page : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;

  // Why the page has nothing to show of what is open, as one sentence, which the window displays in
  // place of the page. Empty when the page applies.
  virtual QString WhyNot() const { return {}; }

  virtual void Reload() {}   // another experiment or bundle is open, or none
  virtual void Refresh() {}  // once per tick of the window
  virtual void Rescan() {}   // files on disk may have changed

  // Is the page part of pictures and films of "panes and curves"?
  virtual bool InPictures() const { return false; }

  // What the page remembers until the program starts again.
  virtual QVariantMap SaveState() const { return {}; }
  virtual void RestoreState(const QVariantMap& /*state*/) {}

  // What the page works on, such as a search, as words by name; it goes on after a crash when the
  // window calls RestoreWork() with it. Called often.
  virtual std::map<std::string, std::string> SaveWork() const { return {}; }
  virtual void RestoreWork(const std::map<std::string, std::string>& /*work*/) {}
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_PAGE_H_
