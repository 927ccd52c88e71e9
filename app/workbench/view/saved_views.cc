#include "app/workbench/view/saved_views.h"

#include <QInputDialog>
#include <QMenu>
#include <QSettings>
#include <QVariant>

#include "app/workbench/session/session.h"
#include "app/workbench/view/view_state.h"

namespace pliant {
namespace {

QVariantList ToList(const CameraPose& pose) {
  return {pose.azimuth,    pose.elevation,  pose.target.x(), pose.target.y(),
          pose.target.z(), pose.extent.x(), pose.extent.y()};
}

std::optional<CameraPose> ToPose(const QVariantList& numbers) {
  if (numbers.size() != 7) return std::nullopt;
  auto number = [&numbers](int i) { return numbers[i].toDouble(); };
  CameraPose pose{number(0), number(1), {number(2), number(3), number(4)}, {number(5), number(6)}};
  if (!(pose.extent.minCoeff() > 0.0)) return std::nullopt;
  return pose;
}

}  // namespace

SavedViews::SavedViews(ViewState* view, QObject* parent) : QObject(parent), view_(view) {}

QString SavedViews::Key() const {
  const std::vector<Pane>& panes = view_->session().panes();
  if (panes.empty() || panes.front().scene == nullptr) return {};
  // One group per scene. The settings treat a slash as a folder.
  QString scene = QString::fromStdString(panes.front().scene->name);
  return "views/" + scene.replace('/', '-');
}

QStringList SavedViews::Names() const {
  return Key().isEmpty() ? QStringList() : QSettings().value(Key()).toMap().keys();
}

void SavedViews::Keep(const QString& name) {
  if (Key().isEmpty() || name.trimmed().isEmpty()) return;
  QSettings settings;
  QVariantMap views = settings.value(Key()).toMap();
  views[name.trimmed()] = ToList(view_->camera().pose());
  settings.setValue(Key(), views);
}

bool SavedViews::Show(const QString& name) {
  if (Key().isEmpty()) return false;
  const auto pose = ToPose(QSettings().value(Key()).toMap().value(name).toList());
  if (!pose) return false;
  view_->camera().SetPose(*pose);
  view_->CameraMoved();
  return true;
}

void SavedViews::Forget(const QString& name) {
  if (Key().isEmpty()) return;
  QSettings settings;
  QVariantMap views = settings.value(Key()).toMap();
  views.remove(name);
  settings.setValue(Key(), views);
}

void SavedViews::AskAndKeep(QWidget* parent) {
  bool given = false;
  const QString name = QInputDialog::getText(parent, "Save this view", "Name", QLineEdit::Normal,
                                             QString("view %1").arg(Names().size() + 1), &given);
  if (given) Keep(name);
}

void SavedViews::FillMenu(QMenu* menu) {
  connect(menu, &QMenu::aboutToShow, this, [this, menu] {
    menu->clear();
    QAction* keep = menu->addAction("&Save this view …", this, [this, menu] { AskAndKeep(menu); });
    keep->setEnabled(!Key().isEmpty());
    const QStringList names = Names();
    if (names.isEmpty()) return;
    menu->addSeparator();
    for (const QString& name : names) menu->addAction(name, this, [this, name] { Show(name); });
    QMenu* forget = menu->addMenu("Delete");
    for (const QString& name : names) forget->addAction(name, this, [this, name] { Forget(name); });
  });
}

}  // namespace pliant
