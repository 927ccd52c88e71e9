#include "app/workbench/pages/library_model.h"

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "experiments/files/listing.h"

namespace pliant {
namespace {

constexpr int kBundlesDeep = 3;  // folders below `runs`

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
      parent->appendRow(File(name, "a run bundle", path));
    } else if (depth > 1) {
      QStandardItem* item = File(name, "opens all bundles of this folder side by side", path);
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

LibraryModel::LibraryModel(QObject* parent) : QStandardItemModel(parent) {
  invisibleRootItem()->setFlags(Qt::NoItemFlags);  // nothing can be dropped into it
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
  add(Folder("scenes", "a scene opens in every formulation"), ListScenes(home / "data" / "scenes"));
  QStandardItem* bundles = Folder("bundles", "results of pliant run and pliant compare");
  AddBundles(runs, kBundlesDeep, bundles);
  add(bundles, {});
}

}  // namespace pliant
