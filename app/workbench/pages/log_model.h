// The log as a list. Tested without a window.

#ifndef PLIANT_APP_WORKBENCH_PAGES_LOG_MODEL_H_
#define PLIANT_APP_WORKBENCH_PAGES_LOG_MODEL_H_

#include <QAbstractListModel>
#include <vector>

namespace pliant {

// Lines with the time of day; drops the oldest when there are too many.
class LogModel : public QAbstractListModel {
 public:
  using QAbstractListModel::QAbstractListModel;
  static constexpr int kMostLines = 2000;

  void Add(const QString& line);
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  std::vector<QString> lines_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_LOG_MODEL_H_
