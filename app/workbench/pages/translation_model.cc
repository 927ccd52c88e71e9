#include "app/workbench/pages/translation_model.h"

#include <QBrush>
#include <QColor>
#include <algorithm>

#include "app/workbench/session/session.h"
#include "app/workbench/widgets/palette.h"

namespace pliant {
namespace {

// Text colour by how faithful a translation is.
QColor InkOf(int rank) {
  switch (static_cast<Fidelity>(rank)) {
    case Fidelity::kExact:
      return {0x1b, 0x6e, 0x3c};
    case Fidelity::kApproximated:
      return {0x8a, 0x5a, 0x00};
    case Fidelity::kIgnored:
      return {0x66, 0x66, 0x66};
    case Fidelity::kUnsupported:
      return {0xa3, 0x1d, 0x1d};
  }
  return {};
}

}  // namespace

TranslationModel::TranslationModel(Session* session, QObject* parent)
    : QAbstractTableModel(parent), session_(session) {
  connect(session, &Session::Opened, this, &TranslationModel::Rebuild);
  connect(session, &Session::PaneChanged, this, &TranslationModel::Rebuild);
  Rebuild();
}

void TranslationModel::Rebuild() {
  beginResetModel();
  elements_.clear();
  labels_.clear();
  cells_.clear();
  const std::vector<Pane>& panes = session_->panes();
  for (size_t i = 0; i < panes.size(); ++i) {
    labels_.push_back(QString::fromStdString(panes[i].label));
    for (const TranslatedElement& element : panes[i].start.translation) {
      const QString name = QString::fromStdString(element.element);
      auto found = std::find(elements_.begin(), elements_.end(), name);
      if (found == elements_.end()) {
        elements_.push_back(name);
        cells_.emplace_back(panes.size());
        found = elements_.end() - 1;
      }
      const std::string words(ToString(element.fidelity));
      cells_[static_cast<size_t>(found - elements_.begin())][i] = {
          QString::fromStdString(words), QString::fromStdString(element.reason),
          static_cast<int>(element.fidelity)};
    }
  }
  endResetModel();
}

int TranslationModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(elements_.size());
}

int TranslationModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(labels_.size());
}

QVariant TranslationModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Cell& cell = cells_[static_cast<size_t>(index.row())][static_cast<size_t>(index.column())];
  if (role == Qt::DisplayRole) return cell.fidelity;
  if (role == Qt::ForegroundRole && cell.rank >= 0) return QBrush(ReadableInk(InkOf(cell.rank)));
  if (role == Qt::ToolTipRole) {
    return cell.reason.isEmpty() ? cell.fidelity : cell.fidelity + ": " + cell.reason;
  }
  return {};
}

QVariant TranslationModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || section < 0) return {};
  const auto& names = orientation == Qt::Horizontal ? labels_ : elements_;
  return static_cast<size_t>(section) < names.size() ? QVariant(names[static_cast<size_t>(section)])
                                                     : QVariant();
}

}  // namespace pliant
