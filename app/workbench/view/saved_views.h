// Named views of a scene: positions of the camera, saved in the settings for every experiment with
// this scene.

#ifndef PLIANT_APP_WORKBENCH_VIEW_SAVED_VIEWS_H_
#define PLIANT_APP_WORKBENCH_VIEW_SAVED_VIEWS_H_

#include <QObject>
#include <QStringList>

class QMenu;

namespace pliant {

class ViewState;

class SavedViews : public QObject {
 public:
  explicit SavedViews(ViewState* view, QObject* parent = nullptr);

  // The names of the views of the open scene; none when nothing is open.
  QStringList Names() const;
  void Keep(const QString& name);  // the present view; replaces one with this name
  bool Show(const QString& name);  // false when there is none
  void Forget(const QString& name);

  // Makes `menu` list the views whenever it opens.
  void FillMenu(QMenu* menu);

 private:
  QString Key() const;  // of the scene in the settings; empty when nothing is open
  void AskAndKeep(QWidget* parent);

  ViewState* view_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_SAVED_VIEWS_H_
