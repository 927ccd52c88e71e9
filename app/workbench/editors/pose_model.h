// The poses of a controller as a table: key, name, time, next poses. Edits are edits of the open
// experiment.

#ifndef PLIANT_APP_WORKBENCH_EDITORS_POSE_MODEL_H_
#define PLIANT_APP_WORKBENCH_EDITORS_POSE_MODEL_H_

#include <QAbstractTableModel>
#include <string>

#include "solvers/control/tables.h"

namespace pliant {

class OpenExperiment;

class PoseModel : public QAbstractTableModel {
 public:
  enum Column { kKey, kName, kTime, kNext, kColumns };

  explicit PoseModel(OpenExperiment* open, QObject* parent = nullptr);

  // The control table of the backend with this label, and the index of the controller in it (-1:
  // the table is a single controller).
  void Show(const std::string& backend, const ControlTable& table, int controller);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

  // The edits of pose_edit.h. False when nothing changes.
  bool Copy(int row);
  bool Remove(int row);
  bool Move(int row, int by);
  bool ForgetTaken();

 private:
  const ControlTable& controller() const;
  bool Change(const QString& what, const ControlTable& table);
  bool SetNext(size_t pose, const std::string& text);
  std::string NextText(const ControlTable::Entry& pose) const;

  OpenExperiment* open_;
  std::string backend_;
  ControlTable table_;
  int number_ = -1;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITORS_POSE_MODEL_H_
