#include "app/workbench/pages/log_model.h"

#include <QTime>

namespace pliant {

void LogModel::Add(const QString& line) {
  if (lines_.size() >= size_t{kMostLines}) {
    constexpr int dropped = kMostLines / 10;
    beginRemoveRows({}, 0, dropped - 1);
    lines_.erase(lines_.begin(), lines_.begin() + dropped);
    endRemoveRows();
  }
  const int row = static_cast<int>(lines_.size());
  beginInsertRows({}, row, row);
  lines_.push_back(QTime::currentTime().toString("HH:mm:ss  ") + line);
  endInsertRows();
}

int LogModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
  const bool text = role == Qt::DisplayRole || role == Qt::ToolTipRole;
  return index.isValid() && text ? QVariant(lines_[static_cast<size_t>(index.row())]) : QVariant();
}

}  // namespace pliant
