// The translation records of all panes as one table. Tested without a window.

#ifndef PLIANT_APP_WORKBENCH_PAGES_TRANSLATION_MODEL_H_
#define PLIANT_APP_WORKBENCH_PAGES_TRANSLATION_MODEL_H_

#include <QAbstractTableModel>
#include <vector>

namespace pliant {

class Session;

// How each pane translated each element of the scene: a row per element, a column per pane; the
// tool tip is the reason.
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
    int rank = -1;  // of Fidelity; -1: not known
  };
  Session* session_;
  std::vector<QString> elements_, labels_;
  std::vector<std::vector<Cell>> cells_;  // by element, by pane
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_TRANSLATION_MODEL_H_
