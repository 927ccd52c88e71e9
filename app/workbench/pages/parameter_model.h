// The editable values of the open experiment as a tree, with unit, range, default and meaning: the
// plan, the backends, the elements of the scene.

#ifndef PLIANT_APP_WORKBENCH_PAGES_PARAMETER_MODEL_H_
#define PLIANT_APP_WORKBENCH_PAGES_PARAMETER_MODEL_H_

#include <QAbstractItemModel>
#include <vector>

#include "app/workbench/edits/experiment_edit.h"

namespace pliant {

class OpenExperiment;

class ParameterModel : public QAbstractItemModel {
 public:
  enum Column { kName, kValue, kUnit, kRange, kDefault, kMeaning, kColumns };
  static constexpr int kChoicesRole = Qt::UserRole + 1;  // QStringList, empty for free values
  static constexpr int kDiffersRole = Qt::UserRole + 2;  // from the file?

  explicit ParameterModel(OpenExperiment* open, QObject* parent = nullptr);

  // To be called when another file, or none, has been opened.
  void Reload();

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  // `value` is TOML text. False when it is rejected; OpenExperiment emits the reason.
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

 private:
  void Update();
  const EditableValue* ValueAt(const QModelIndex& index) const;
  bool Differs(const EditableValue& value) const;

  OpenExperiment* open_;
  std::vector<EditableGroup> groups_, of_file_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_PARAMETER_MODEL_H_
