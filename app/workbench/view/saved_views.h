// Named views of a scene: where the camera stands, kept in the settings for every experiment that
// shows this scene.

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

  // Of the scene that is open; none when nothing is.
  QStringList Names() const;
  void Keep(const QString& name);  // the present view, in place of another one of that name
  bool Show(const QString& name);  // false: there is none
  void Forget(const QString& name);

  // A menu of them, filled anew whenever it opens.
  void FillMenu(QMenu* menu);

 private:
  QString Key() const;  // of the scene in the settings; empty when nothing is open
  void AskAndKeep(QWidget* parent);

  ViewState* view_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_SAVED_VIEWS_H_
