#include "app/workbench/editors/mode_model.h"

#include "app/workbench/edits/open_experiment.h"
#include "experiments/files/codec.h"
#include "models/scene/number_text.h"
#include "solvers/dynamic_ffd/mode_table.h"

namespace pliant {

ModesOfBody::ModesOfBody(const MatrixTable& given, const Scene& scene, size_t which)
    : table(given),
      modes(dynamic_ffd::ReadModeTable(given, scene.dimension)),
      body(&scene.bodies[which]),
      lattices(dynamic_ffd::EmbedLattices(*body, modes)) {
  for (size_t k = 0; k < modes.modes.size(); ++k) {
    const auto number = static_cast<int>(k);
    const auto lattice = static_cast<size_t>(modes.modes[k].lattice);
    lattice_moves.push_back(modes.DisplacementsOn(lattices[lattice].lattice, number));
    point_moves.push_back(dynamic_ffd::PointDisplacements(*body, modes, lattices, number));
  }
}

ModeModel::ModeModel(OpenExperiment* open, QObject* parent)
    : QAbstractTableModel(parent), open_(open) {}

void ModeModel::Show(const std::string& backend, const ModesOfBody& modes, size_t mode) {
  beginResetModel();
  backend_ = backend;
  table_ = modes.table;
  mode_ = mode;
  const auto lattice = static_cast<size_t>(modes.modes.modes[mode].lattice);
  const LatticeBases& bases = modes.modes.lattices[lattice].bases;
  size_ = {bases[0].size(), bases[1].size(), bases[2].size()};
  const Eigen::MatrixXd& given = table_.entries[mode].values;
  drawn_ = given.size() > 0;
  values_ = drawn_ ? given : Eigen::MatrixXd(modes.lattice_moves[mode]);
  if (!drawn_ && size_[2] == 1) values_ = values_.topRows(2).eval();
  endResetModel();
}

void ModeModel::Clear() {
  beginResetModel();
  values_.resize(0, 0);
  size_ = {0, 0, 0};
  drawn_ = false;
  endResetModel();
}

int ModeModel::ControlPoint(int row, int column) const {
  const int layer_and_j = row % (size_[1] * size_[2]);
  return column + size_[0] * layer_and_j;
}

int ModeModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(values_.rows()) * size_[1] * size_[2];
}

int ModeModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : size_[0];
}

QVariant ModeModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  const double value = values_(Component(index.row()), ControlPoint(index.row(), index.column()));
  if (role == Qt::DisplayRole) return QString::fromStdString(Digits(value, 5));
  return role == Qt::EditRole ? QVariant(value) : QVariant();
}

QVariant ModeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Horizontal) return QString("i = %1").arg(section);
  if (size_[1] == 0) return {};
  const QString layer =
      size_[2] == 1 ? QString() : QString(", k = %1").arg(section / size_[1] % size_[2]);
  return QString("d_%1, j = %2%3")
      .arg(QChar('x' + Component(section)))
      .arg(section % size_[1])
      .arg(layer);
}

Qt::ItemFlags ModeModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags plain = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  return drawn_ ? plain | Qt::ItemIsEditable : plain;
}

bool ModeModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::EditRole || !drawn_) return false;
  bool is_number = false;
  const double number = value.toDouble(&is_number);
  if (!is_number || value == data(index, Qt::EditRole)) return false;
  Eigen::MatrixXd changed = values_;
  changed(Component(index.row()), ControlPoint(index.row(), index.column())) = number;
  FileValue::Array rows;
  for (const auto& row : changed.rowwise()) {
    rows.push_back({Codec<std::vector<double>>::Write({row.begin(), row.end()}), {}});
  }
  return open_->Set("matrix of " + QString::fromStdString(table_.entries[mode_].name),
                    {"backends", backend_, "modes", "entry", std::to_string(mode_), "values"},
                    {std::move(rows), {}});
}

}  // namespace pliant
