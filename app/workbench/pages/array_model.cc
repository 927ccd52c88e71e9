#include "app/workbench/pages/array_model.h"

#include <fmt/format.h>

#include <utility>

#include "models/scene/number_text.h"

namespace pliant {

void ArrayModel::Show(std::shared_ptr<const Inspection> seen, int index) {
  beginResetModel();
  seen_ = std::move(seen);
  array_ = nullptr;
  if (seen_ != nullptr && index >= 0 && index < static_cast<int>(seen_->arrays.size())) {
    array_ = &seen_->arrays[static_cast<size_t>(index)];
  }
  endResetModel();
}

int ArrayModel::rowCount(const QModelIndex& parent) const {
  return array_ == nullptr || parent.isValid() ? 0 : static_cast<int>(array_->values.rows());
}

int ArrayModel::columnCount(const QModelIndex& parent) const {
  return array_ == nullptr || parent.isValid() ? 0 : static_cast<int>(array_->values.cols());
}

QVariant ArrayModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || array_ == nullptr) return {};
  const double value = array_->values(index.row(), index.column());
  switch (role) {
    case Qt::DisplayRole:
      return QString::fromStdString(fmt::format("{:.6g}", value));
    case Qt::ToolTipRole:
      return QString::fromStdString(RoundTrip(value) + " " + array_->unit);
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    default:
      return {};
  }
}

QVariant ArrayModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (array_ == nullptr || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
  const auto& labels = orientation == Qt::Horizontal ? array_->columns : array_->rows;
  return QString::fromStdString(LabelOf(labels, section));
}

}  // namespace pliant
