#include "app/workbench/window/transport_bar.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QTransform>
#include <array>
#include <cmath>

#include "app/workbench/session/session.h"

namespace pliant {
namespace {

constexpr int kTicks = 10000;  // of the slider over the whole run
constexpr std::array<double, 9> kSpeeds = {0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0};

constexpr std::array<int, 4> kIconSizes = {16, 24, 32, 48};

QIcon Mirrored(const QIcon& icon) {
  QIcon mirrored;
  for (const int size : kIconSizes) {
    mirrored.addPixmap(icon.pixmap(size).transformed(QTransform(-1, 0, 0, 1, 0, 0)));
  }
  return mirrored;
}

}  // namespace

TransportBar::TransportBar(Session* session, QWidget* parent) : QWidget(parent), session_(session) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 3, 8, 3);
  auto add = [&](QStyle::StandardPixmap icon, const QString& text, const QKeySequence& key,
                 auto when) {
    auto* action = new QAction(text, this);
    icons_.append(icon);
    action->setShortcut(key);
    action->setToolTip(QString("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
    connect(action, &QAction::triggered, this, when);
    actions_.append(action);
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    row->addWidget(button);
    return action;
  };
  add(QStyle::SP_MediaSkipBackward, "Go to the start", Qt::Key_Home,
      [this] { session_->Restart(); });
  add(QStyle::SP_MediaSeekBackward, "Previous record", Qt::Key_Comma,
      [this] { session_->StepBack(); });
  play_back_ = add(QStyle::SP_MediaPlay, "Play backwards", Qt::SHIFT | Qt::Key_Space, [this] {
    if (session_->backwards()) {
      session_->Pause();
    } else {
      session_->PlayBack();
    }
  });
  play_ = add(QStyle::SP_MediaPlay, "Play", Qt::Key_Space, [this] {
    if (session_->playing() && !session_->backwards()) {
      session_->Pause();
    } else {
      session_->Play();
    }
  });
  add(QStyle::SP_MediaSeekForward, "Next record", Qt::Key_Period,
      [this] { session_->StepForward(); });

  add(QStyle::SP_CommandLink, "Next phase of the step", Qt::Key_N,
      [this] { session_->StepPhase(); });

  slider_ = new QSlider(Qt::Horizontal, this);
  slider_->setObjectName("scrub");
  slider_->setRange(0, kTicks);
  slider_->setToolTip("Any recorded time");
  slider_->setFocusPolicy(Qt::NoFocus);  // keys move the clock by records
  row->addWidget(slider_, 1);
  connect(slider_, &QSlider::sliderMoved, this,
          [this](int tick) { session_->Scrub(session_->EndTime() * tick / kTicks); });

  time_ = new QLabel(this);
  time_->setObjectName("time");
  time_->setMinimumWidth(fontMetrics().horizontalAdvance("000.000 of 000.000 s"));
  time_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row->addWidget(time_);

  row->addSpacing(12);
  row->addWidget(new QLabel("speed", this));
  speed_ = new QComboBox(this);
  speed_->setToolTip("Simulated seconds per second");
  for (const double speed : kSpeeds) speed_->addItem(QString("× %1").arg(speed), speed);
  speed_->setCurrentIndex(speed_->findData(1.0));
  speed_->setFocusPolicy(Qt::NoFocus);
  row->addWidget(speed_);
  connect(speed_, &QComboBox::currentIndexChanged, this,
          [this] { session_->SetSpeed(speed_->currentData().toDouble()); });
  factor_ = new QLabel(this);
  factor_->setObjectName("factor");
  factor_->setToolTip(
      "Real-time factor: simulated seconds per elapsed second, over the last second");
  factor_->setMinimumWidth(fontMetrics().horizontalAdvance("real time × 00.00 (behind)"));
  row->addWidget(factor_);

  ShowIcons();
  connect(session, &Session::PlayingChanged, this, [this] { ShowPlaying(); });
  connect(session, &Session::TimeChanged, this, &TransportBar::Refresh);
  connect(session, &Session::Opened, this, &TransportBar::Refresh);
  connect(session, &Session::Recorded, this, &TransportBar::Refresh);
  ShowPlaying();
}

// The icon of the style in the colour of text: the icons of the style are black in any palette.
QIcon TransportBar::Icon(QStyle::StandardPixmap icon) const {
  const QIcon plain = style()->standardIcon(icon);
  if (icon == QStyle::SP_CommandLink) return plain;  // it has its own colours
  QIcon inked;
  for (const auto mode : {QIcon::Normal, QIcon::Disabled}) {
    const auto group = mode == QIcon::Normal ? QPalette::Active : QPalette::Disabled;
    for (const int size : kIconSizes) {
      QPixmap pixmap = plain.pixmap(size);
      QPainter painter(&pixmap);
      painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
      painter.fillRect(pixmap.rect(), palette().color(group, QPalette::WindowText));
      painter.end();
      inked.addPixmap(pixmap, mode);
    }
  }
  return inked;
}

void TransportBar::ShowIcons() {
  for (qsizetype i = 0; i < actions_.size(); ++i) actions_[i]->setIcon(Icon(icons_[i]));
  pause_icon_ = Icon(QStyle::SP_MediaPause);
  play_icon_ = Icon(QStyle::SP_MediaPlay);
  play_back_icon_ = Mirrored(play_icon_);
}

void TransportBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  ShowIcons();
  ShowPlaying();
}

void TransportBar::ShowPlaying() {
  auto show = [](QAction* action, const QIcon& icon, const QString& text) {
    action->setIcon(icon);
    action->setText(text);
    action->setToolTip(
        QString("%1 (%2)").arg(text, action->shortcut().toString(QKeySequence::NativeText)));
  };
  const bool back = session_->backwards(), on = session_->playing() && !back;
  show(play_, on ? pause_icon_ : play_icon_, on ? "Pause" : "Play");
  show(play_back_, back ? pause_icon_ : play_back_icon_, back ? "Pause" : "Play backwards");
  Refresh();
}

void TransportBar::Refresh() {
  const bool any = !session_->panes().empty();
  for (QAction* action : actions_) action->setEnabled(any);
  slider_->setEnabled(any);
  const double end = session_->EndTime();
  if (!slider_->isSliderDown()) {
    const QSignalBlocker quiet(slider_);
    slider_->setValue(end > 0.0 ? static_cast<int>(std::lround(kTicks * session_->time() / end))
                                : 0);
  }
  time_->setText(any ? QString("%1 of %2 s").arg(session_->time(), 0, 'f', 3).arg(end, 0, 'g', 6)
                     : QString());
  if (session_->CatchingUp()) {
    factor_->setText("catching up …");
  } else if (session_->playing()) {
    const double factor = session_->RealTimeFactor();
    const bool behind = !session_->backwards() && factor < 0.95 * session_->speed();
    factor_->setText(
        QString("real time × %1%2").arg(factor, 0, 'f', 2).arg(behind ? " (behind)" : ""));
  } else {
    factor_->clear();
  }
}

}  // namespace pliant
