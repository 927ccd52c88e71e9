#include "app/workbench/view/view_bar.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolBar>
#include <algorithm>
#include <numbers>

#include "app/workbench/session/session.h"
#include "app/workbench/view/view_state.h"
#include "app/workbench/widgets/number_box.h"

namespace pliant {
namespace {

constexpr int kReferenceRole = Qt::UserRole + 1;  // a pane
constexpr double kQuarter = 0.5 * std::numbers::pi;

void AddSwitch(ViewState* view, QToolBar* bar, QMenu* menu, const QString& text,
               const QKeySequence& key, bool ViewSettings::*setting) {
  QAction* action = bar->addAction(text);
  menu->addAction(action);
  action->setCheckable(true);
  action->setChecked(view->settings().*setting);
  action->setShortcut(key);
  action->setToolTip(QString("%1 (%2)").arg(text, key.toString()));
  QObject::connect(action, &QAction::toggled, view, [view, setting](bool on) {
    ViewSettings settings = view->settings();
    settings.*setting = on;
    view->SetSettings(settings);
  });
}

// Makes the popup of the list as wide as its entries.
void WidenPopup(QComboBox* list) { list->view()->setMinimumWidth(list->sizeHint().width()); }

// A list with a label at the end of the bar. `width` [px] limits its width, so that the whole bar
// fits into the window; 0: no limit.
QComboBox* AddList(QToolBar* bar, const char* name, const QString& label, int width,
                   const QString& tip) {
  bar->addWidget(new QLabel(QString(" %1: ").arg(label), bar));
  auto* list = new QComboBox(bar);
  list->setObjectName(name);
  list->setToolTip(tip);
  list->setFocusPolicy(Qt::NoFocus);
  if (width > 0) list->setMaximumWidth(width);
  bar->addWidget(list);
  return list;
}

// The backend, or the yardstick, whose wireframe is drawn over the others. A yardstick is drawn as soon as it is there.
void AddOverlayChoice(ViewState* view, QToolBar* bar) {
  QComboBox* overlay =
      AddList(bar, "overlay", "Over", 92,
              "Draws the wireframe of one backend, or of the yardstick, over all others");
  overlay->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  auto take = [view, overlay] {
    ViewSettings settings = view->settings();
    settings.overlay = overlay->currentIndex() < 0 ? -1 : overlay->currentData().toInt();
    view->SetSettings(settings);
  };
  auto offer = [view, overlay, take](int chosen) {
    {
      const QSignalBlocker quiet(overlay);
      overlay->clear();
      overlay->addItem("nothing", -1);
      int place = 0;
      for (const Pane& pane : view->session().panes()) {
        overlay->addItem(QString::fromStdString(pane.label), place++);
      }
      if (view->session().yardstick().pane() != nullptr) {
        overlay->addItem("yardstick", kYardstickPane);
      }
      overlay->setCurrentIndex(std::max(overlay->findData(chosen), 0));
      WidenPopup(overlay);
    }
    take();
  };
  QObject::connect(&view->session(), &Session::Opened, overlay, [offer] { offer(-1); });
  QObject::connect(&view->session(), &Session::YardstickChanged, overlay, [view, offer] {
    const int before = view->settings().overlay;
    offer(before < 0 ? kYardstickPane : before);
  });
  QObject::connect(overlay, &QComboBox::currentIndexChanged, view, take);
  offer(-1);
}

// What the colours show; the distance to each pane is a choice of its own.
void AddColourChoice(ViewState* view, QToolBar* bar) {
  QComboBox* colour = AddList(bar, "colour", "Colour", 108, "What the colour of the surface shows");
  auto take = [view, colour] {
    ViewSettings settings = view->settings();
    settings.quantity = static_cast<Quantity>(colour->currentData().toInt());
    settings.reference = colour->currentData(kReferenceRole).toInt();
    view->SetSettings(settings);
  };
  auto offer = [view, colour, take] {
    const QString before = colour->currentText();
    {
      const QSignalBlocker quiet(colour);
      colour->clear();
      auto add = [&](const QString& words, Quantity quantity, int reference) {
        colour->addItem(words, static_cast<int>(quantity));
        colour->setItemData(colour->count() - 1, reference, kReferenceRole);
      };
      for (const QuantityInfo& info : Quantities()) {
        if (info.quantity != Quantity::kReferenceDistance) add(info.words, info.quantity, -1);
      }
      int place = 0;
      for (const Pane& pane : view->session().panes()) {
        add("distance to " + QString::fromStdString(pane.label), Quantity::kReferenceDistance,
            place++);
      }
      if (view->session().yardstick().pane() != nullptr) {
        add("distance to the yardstick", Quantity::kReferenceDistance, kYardstickPane);
      }
      colour->setCurrentIndex(std::max(colour->findText(before), 0));
      WidenPopup(colour);
    }
    take();
  };
  QObject::connect(&view->session(), &Session::Opened, colour, offer);
  QObject::connect(&view->session(), &Session::YardstickChanged, colour, offer);
  QObject::connect(colour, &QComboBox::currentIndexChanged, view, take);
  offer();
}

// Which level of the pieces that each formulation computes with is drawn.
void AddPiecesChoice(ViewState* view, QToolBar* bar) {
  QComboBox* pieces = AddList(
      bar, "pieces", "Pieces", 82,
      "Draws what each formulation computes with: the lattice of dynamic FFD, the material box of "
      "a linear deformation, the segments of a level, the surface of a coarser level. A "
      "formulation with fewer levels shows its finest.");
  pieces->addItems({"none", "coarsest", "2nd", "3rd", "4th", "5th", "6th"});
  WidenPopup(pieces);
  QObject::connect(pieces, &QComboBox::currentIndexChanged, view, [view](int index) {
    ViewSettings settings = view->settings();
    settings.pieces = index - 1;
    view->SetSettings(settings);
  });
}

void AddArrowChoice(ViewState* view, QToolBar* bar) {
  QComboBox* arrows =
      AddList(bar, "arrows", "Arrows", 100, "What the arrows show, at one scale for all panes");
  for (const ArrowInfo& info : ArrowKinds()) {
    const QString unit = *info.unit == '\0' ? QString() : QString(" [%1]").arg(info.unit);
    arrows->addItem(info.words, static_cast<int>(info.kind));
    arrows->setItemData(arrows->count() - 1, info.meaning + unit, Qt::ToolTipRole);
  }
  WidenPopup(arrows);
  QObject::connect(arrows, &QComboBox::currentIndexChanged, view, [view, arrows] {
    ViewSettings settings = view->settings();
    settings.arrows = static_cast<ArrowKind>(arrows->currentData().toInt());
    arrows->setToolTip(InfoOf(settings.arrows).meaning);
    view->SetSettings(settings);
  });
}

// The tool of Ctrl + drag and its strength; each tool keeps its own strength.
void AddHand(ViewState* view, QToolBar* bar) {
  QComboBox* tools = AddList(bar, "hand", "Hand", 0, "");
  for (const HandToolInfo& info : HandTools()) {
    tools->addItem(info.name, info.standard);
    tools->setItemData(tools->count() - 1, info.meaning, Qt::ToolTipRole);
  }
  auto* strength = new NumberBox(1e-4, 1e6, 4, bar);
  strength->setObjectName("strength");
  strength->setFocusPolicy(Qt::ClickFocus);
  bar->addWidget(strength);
  auto take = [view, tools, strength] {
    const HandToolInfo& info = HandTools()[static_cast<size_t>(tools->currentIndex())];
    const QSignalBlocker quiet(strength);
    strength->setSuffix(QString(" ") + info.unit);
    strength->setValue(tools->currentData().toDouble());
    for (QWidget* widget : {static_cast<QWidget*>(tools), static_cast<QWidget*>(strength)}) {
      widget->setToolTip(QString("Ctrl + drag a point. %1").arg(info.meaning));
    }
    view->SetHand(info.tool, strength->value());
  };
  QObject::connect(tools, &QComboBox::currentIndexChanged, view, take);
  QObject::connect(strength, &QDoubleSpinBox::valueChanged, view, [view, tools](double value) {
    tools->setItemData(tools->currentIndex(), value, Qt::UserRole);
    view->SetHand(view->tool(), value);
  });
  take();
}

void AddDirection(ViewState* view, QMenu* menu, const QString& text, const QKeySequence& key,
                  double azimuth, double elevation) {
  QAction* action = menu->addAction(text);
  action->setShortcut(key);
  QObject::connect(action, &QAction::triggered, view, [view, azimuth, elevation] {
    view->camera().LookFrom(azimuth, elevation);
    view->Fit();
  });
}

}  // namespace

void FillViewBar(ViewState* view, QToolBar* bar, QMenu* menu) {
  AddSwitch(view, bar, menu, "Surface", Qt::Key_S, &ViewSettings::surface);
  AddSwitch(view, bar, menu, "Wireframe", Qt::Key_W, &ViewSettings::wireframe);
  AddSwitch(view, bar, menu, "Points", Qt::Key_P, &ViewSettings::points);
  AddSwitch(view, bar, menu, "Shadows", Qt::Key_H, &ViewSettings::shadows);
  AddSwitch(view, bar, menu, "Springs", Qt::Key_G, &ViewSettings::springs);
  AddSwitch(view, bar, menu, "Velocities", Qt::Key_V, &ViewSettings::velocities);
  bar->addSeparator();
  AddColourChoice(view, bar);
  AddPiecesChoice(view, bar);
  AddArrowChoice(view, bar);
  AddOverlayChoice(view, bar);
  AddHand(view, bar);
  bar->addSeparator();
  menu->addSeparator();
  QAction* fit = bar->addAction("Fit");
  menu->addAction(fit);
  fit->setShortcut(Qt::Key_F);
  fit->setToolTip("Show everything that has been recorded (F, or double click)");
  QObject::connect(fit, &QAction::triggered, view, &ViewState::Fit);
  AddDirection(view, menu, "From the front", QKeySequence("Ctrl+1"), 0.0, 0.0);
  AddDirection(view, menu, "From the right", QKeySequence("Ctrl+2"), kQuarter, 0.0);
  AddDirection(view, menu, "From above", QKeySequence("Ctrl+3"), 0.0, kQuarter);
  AddDirection(view, menu, "From the front, right and above", QKeySequence("Ctrl+4"),
               kQuarter / 3.0, kQuarter / 4.0);
}

}  // namespace pliant
