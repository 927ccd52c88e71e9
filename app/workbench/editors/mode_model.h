// The matrix of a deformation mode as a table: a row per component, layer and j, a column per i, as
// [Faloutsos 1995] prints its matrices. Modes given by a matrix can be edited; modes of the library
// and sums are read-only.

#ifndef PLIANT_APP_WORKBENCH_EDITORS_MODE_MODEL_H_
#define PLIANT_APP_WORKBENCH_EDITORS_MODE_MODEL_H_

#include <QAbstractTableModel>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "models/dynamic_ffd/embedding.h"
#include "models/dynamic_ffd/modes.h"
#include "models/scene/scene.h"
#include "solvers/parameters.h"

namespace pliant {

class OpenExperiment;

// The modes of a backend for one body, ready to draw.
struct ModesOfBody {
  MatrixTable table;
  dynamic_ffd::ModeTable modes;
  const Body* body = nullptr;
  std::vector<dynamic_ffd::EmbeddedLattice> lattices;
  std::vector<Eigen::Matrix3Xd> lattice_moves,
      point_moves;  // by mode, at γ = 1 [m]

  // Throws BadInput.
  ModesOfBody(const MatrixTable& given, const Scene& scene, size_t which);
};

class ModeModel : public QAbstractTableModel {
 public:
  explicit ModeModel(OpenExperiment* open, QObject* parent = nullptr);

  // Mode `mode` of the backend called `backend`.
  void Show(const std::string& backend, const ModesOfBody& modes, size_t mode);
  void Clear();
  bool drawn() const { return drawn_; }  // can it be edited?

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

 private:
  // Where a cell of the table is in the matrix: its row is the component, its column the control
  // point.
  int Component(int row) const { return row / (size_[1] * size_[2]); }
  int ControlPoint(int row, int column) const;

  OpenExperiment* open_;
  std::string backend_;
  MatrixTable table_;
  size_t mode_ = 0;
  bool drawn_ = false;
  std::array<int, 3> size_ = {0, 0, 0};  // control points along each axis
  Eigen::MatrixXd values_;               // dims × P
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITORS_MODE_MODEL_H_
