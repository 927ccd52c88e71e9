// The files that can be opened, as a tree. Tested without a window.

#ifndef PLIANT_APP_WORKBENCH_PAGES_LIBRARY_MODEL_H_
#define PLIANT_APP_WORKBENCH_PAGES_LIBRARY_MODEL_H_

#include <QStandardItemModel>
#include <filesystem>

namespace pliant {

// Experiments, scenes and bundles by folder. kPathRole is the path of a file or bundle.
class LibraryModel : public QStandardItemModel {
 public:
  static constexpr int kPathRole = Qt::UserRole + 1;

  explicit LibraryModel(QObject* parent = nullptr);
  // Looks into `home`/experiments, `home`/data/scenes, and `runs` with the folders in it.
  void Load(const std::filesystem::path& home, const std::filesystem::path& runs);
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_LIBRARY_MODEL_H_
