// The bar that controls the clock: restart, step, play, scrub, speed. It displays the time and the
// real-time factor.

#ifndef PLIANT_APP_WORKBENCH_WINDOW_TRANSPORT_BAR_H_
#define PLIANT_APP_WORKBENCH_WINDOW_TRANSPORT_BAR_H_

#include <QIcon>
#include <QStyle>
#include <QWidget>

class QAction;
class QComboBox;
class QLabel;
class QSlider;

namespace pliant {

class Session;

class TransportBar : public QWidget {
 public:
  explicit TransportBar(Session* session, QWidget* parent = nullptr);

  // The actions of the bar with their shortcuts, for the menu.
  const QList<QAction*>& actions_for_menu() const { return actions_; }
  // To be called once per tick: updates what no signal announces.
  void Refresh();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QIcon Icon(QStyle::StandardPixmap icon) const;
  void ShowIcons();  // in the present palette
  void ShowPlaying();

  Session* session_;
  QList<QAction*> actions_;
  QList<QStyle::StandardPixmap> icons_;  // of the actions
  QAction *play_, *play_back_;
  // Made once for a palette: Qt caches the pictures of every icon.
  QIcon pause_icon_, play_icon_, play_back_icon_;
  QSlider* slider_;
  QLabel* time_;
  QComboBox* speed_;
  QLabel* factor_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WINDOW_TRANSPORT_BAR_H_
