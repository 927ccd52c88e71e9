#include "app/workbench/pages/models.h"

#include <QBrush>
#include <QColor>
#include <QTime>
#include <algorithm>

#include "app/workbench/session/session.h"
#include "app/workbench/widgets/palette.h"
#include "experiments/bundles/bundle.h"
#include "experiments/files/listing.h"

namespace pliant {
namespace {

constexpr size_t kMostLines = 2000;
constexpr int kBundlesDeep = 3;  // folders below `runs`

// Ink that says how far a translation is from the scene, and a mark for those who see no colours.
QColor InkOf(int rank) {
  switch (static_cast<Fidelity>(rank)) {
    case Fidelity::kExact:
      return {0x1b, 0x6e, 0x3c};
    case Fidelity::kApproximated:
      return {0x8a, 0x5a, 0x00};
    case Fidelity::kIgnored:
      return {0x66, 0x66, 0x66};
    case Fidelity::kUnsupported:
      return {0xa3, 0x1d, 0x1d};
  }
  return {};
}

QStandardItem* Folder(const QString& name, const QString& tip) {
  auto* item = new QStandardItem(name);
  item->setToolTip(tip);
  item->setEditable(false);
  item->setSelectable(false);
  return item;
}

QStandardItem* File(const QString& name, const QString& tip, const std::filesystem::path& path) {
  auto* item = new QStandardItem(name);
  item->setToolTip(tip);
  item->setEditable(false);
  item->setData(QString::fromStdString(path.string()), LibraryModel::kPathRole);
  return item;
}

// Folders of bundles, each openable as a whole.
void AddBundles(const std::filesystem::path& folder, int depth, QStandardItem* parent) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<fs::path> inside;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const bool hidden = entry.path().filename().string().starts_with('.');
    if (!hidden && entry.is_directory(error)) inside.push_back(entry.path());
  }
  std::sort(inside.begin(), inside.end());
  for (const fs::path& path : inside) {
    const QString name = QString::fromStdString(path.filename().string());
    if (fs::exists(path / "manifest.json", error)) {
      parent->appendRow(File(name, "one run", path));
    } else if (depth > 1) {
      QStandardItem* item = File(name, "all runs in this folder, side by side", path);
      AddBundles(path, depth - 1, item);
      if (item->rowCount() > 0) {
        parent->appendRow(item);
      } else {
        delete item;
      }
    }
  }
}

}  // namespace

TranslationModel::TranslationModel(Session* session, QObject* parent)
    : QAbstractTableModel(parent), session_(session) {
  connect(session, &Session::Opened, this, &TranslationModel::Rebuild);
  connect(session, &Session::PaneChanged, this, &TranslationModel::Rebuild);
  Rebuild();
}

void TranslationModel::Rebuild() {
  beginResetModel();
  elements_.clear();
  labels_.clear();
  cells_.clear();
  const std::vector<Pane>& panes = session_->panes();
  for (size_t i = 0; i < panes.size(); ++i) {
    labels_.push_back(QString::fromStdString(panes[i].label));
    for (const TranslatedElement& element : panes[i].start.translation) {
      const QString name = QString::fromStdString(element.element);
      auto found = std::find(elements_.begin(), elements_.end(), name);
      if (found == elements_.end()) {
        elements_.push_back(name);
        cells_.emplace_back(panes.size());
        found = elements_.end() - 1;
      }
      const std::string words(ToString(element.fidelity));
      cells_[static_cast<size_t>(found - elements_.begin())][i] = {
          QString::fromStdString(words), QString::fromStdString(element.reason),
          static_cast<int>(element.fidelity)};
    }
  }
  endResetModel();
}

int TranslationModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(elements_.size());
}

int TranslationModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(labels_.size());
}

QVariant TranslationModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Cell& cell = cells_[static_cast<size_t>(index.row())][static_cast<size_t>(index.column())];
  if (role == Qt::DisplayRole) return cell.fidelity;
  if (role == Qt::ForegroundRole && cell.rank >= 0) return QBrush(ReadableInk(InkOf(cell.rank)));
  if (role == Qt::ToolTipRole) {
    return cell.reason.isEmpty() ? cell.fidelity : cell.fidelity + ": " + cell.reason;
  }
  return {};
}

QVariant TranslationModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || section < 0) return {};
  const auto& names = orientation == Qt::Horizontal ? labels_ : elements_;
  return static_cast<size_t>(section) < names.size() ? QVariant(names[static_cast<size_t>(section)])
                                                     : QVariant();
}

void LogModel::Say(const QString& line) {
  if (lines_.size() >= kMostLines) {
    const auto dropped = static_cast<int>(kMostLines / 10);
    beginRemoveRows({}, 0, dropped - 1);
    lines_.erase(lines_.begin(), lines_.begin() + dropped);
    endRemoveRows();
  }
  const int row = static_cast<int>(lines_.size());
  beginInsertRows({}, row, row);
  lines_.push_back(QTime::currentTime().toString("HH:mm:ss  ") + line);
  endInsertRows();
}

int LogModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
  const bool text = role == Qt::DisplayRole || role == Qt::ToolTipRole;
  return index.isValid() && text ? QVariant(lines_[static_cast<size_t>(index.row())]) : QVariant();
}

LibraryModel::LibraryModel(QObject* parent) : QStandardItemModel(parent) {
  invisibleRootItem()->setFlags(Qt::NoItemFlags);  // nothing is dropped into it
}

void LibraryModel::Load(const std::filesystem::path& home, const std::filesystem::path& runs) {
  removeRows(0, rowCount());
  auto add = [this](QStandardItem* folder, const std::vector<ListedFile>& files) {
    QStandardItem* shelf = folder;
    std::string group;
    for (const ListedFile& file : files) {
      if (file.group != group) {
        group = file.group;
        folder->appendRow(shelf = Folder(QString::fromStdString(group), ""));
      }
      shelf->appendRow(
          File(QString::fromStdString(file.name), QString::fromStdString(file.summary), file.file));
    }
    if (folder->rowCount() > 0) {
      appendRow(folder);
    } else {
      delete folder;
    }
  };
  // ListScenes() reads the comment at the top of each file only.
  add(Folder("experiments", "a scene with backends and parameters"),
      ListScenes(home / "experiments"));
  add(Folder("scenes", "a scene alone opens with every formulation"),
      ListScenes(home / "data" / "scenes"));
  QStandardItem* bundles = Folder("bundles", "what run and compare left");
  AddBundles(runs, kBundlesDeep, bundles);
  add(bundles, {});
}

}  // namespace pliant
