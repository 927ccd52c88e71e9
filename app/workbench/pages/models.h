// Item models of what a session knows, for any view. Tested without a window.

#ifndef PLIANT_APP_WORKBENCH_PAGES_MODELS_H_
#define PLIANT_APP_WORKBENCH_PAGES_MODELS_H_

#include <QAbstractListModel>
#include <QAbstractTableModel>
#include <QStandardItemModel>
#include <filesystem>
#include <string>
#include <vector>

namespace pliant {

class Session;

// What became of each element of the scene in each pane: a row for each element, a column for each
// pane; the reason is the tool tip.
class TranslationModel : public QAbstractTableModel {
 public:
  explicit TranslationModel(Session* session, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void Rebuild();

  struct Cell {
    QString fidelity, reason;
    int rank = -1;  // of Fidelity; -1: nothing is known
  };
  Session* session_;
  std::vector<QString> elements_, labels_;
  std::vector<std::vector<Cell>> cells_;  // by element, by pane
};

// Lines with the time of day; the oldest go when there are too many.
class LogModel : public QAbstractListModel {
 public:
  using QAbstractListModel::QAbstractListModel;

  void Say(const QString& line);
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  std::vector<QString> lines_;
};

// Experiments, scenes and bundles by folder. The path of a file or bundle is its PathRole.
class LibraryModel : public QStandardItemModel {
 public:
  static constexpr int kPathRole = Qt::UserRole + 1;

  explicit LibraryModel(QObject* parent = nullptr);
  // Looks into `home`/experiments, `home`/data/scenes, and `runs` with the folders in it.
  void Load(const std::filesystem::path& home, const std::filesystem::path& runs);
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_MODELS_H_
