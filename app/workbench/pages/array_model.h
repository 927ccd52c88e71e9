// One matrix or vector as a table, with its labels. Tested without a window.

#ifndef PLIANT_APP_WORKBENCH_PAGES_ARRAY_MODEL_H_
#define PLIANT_APP_WORKBENCH_PAGES_ARRAY_MODEL_H_

#include <QAbstractTableModel>
#include <memory>

#include "experiments/bundles/inspection.h"

namespace pliant {

// Cells have six digits, their tool tips all.
class ArrayModel : public QAbstractTableModel {
 public:
  using QAbstractTableModel::QAbstractTableModel;

  // The array at `index` of `seen`; nothing where there is none.
  void Show(std::shared_ptr<const Inspection> seen, int index);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::shared_ptr<const Inspection> seen_;
  const NamedArray* array_ = nullptr;  // of seen_; null: nothing
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_ARRAY_MODEL_H_
