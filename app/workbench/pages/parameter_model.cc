#include "app/workbench/pages/parameter_model.h"

#include <QBrush>
#include <QColor>
#include <QFont>
#include <algorithm>
#include <array>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/widgets/palette.h"

namespace pliant {
namespace {

// Indices of groups have this id, those of values the number of their group.
constexpr quintptr kGroup = ~quintptr{0};

bool SameStructure(const std::vector<EditableGroup>& a, const std::vector<EditableGroup>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const EditableGroup& x, const EditableGroup& y) {
        return x.title == y.title &&
               std::equal(
                   x.values.begin(), x.values.end(), y.values.begin(), y.values.end(),
                   [](const EditableValue& v, const EditableValue& w) { return v.path == w.path; });
      });
}

QString QuotedWord(const QString& word) { return '"' + word + '"'; }

}  // namespace

ParameterModel::ParameterModel(OpenExperiment* open, QObject* parent)
    : QAbstractItemModel(parent), open_(open) {
  connect(open, &OpenExperiment::Edited, this, &ParameterModel::Update);
}

void ParameterModel::Reload() {
  beginResetModel();
  groups_.clear();
  of_file_.clear();
  if (open_->experiment() != nullptr) {
    groups_ = EditableGroups(*open_->experiment());
    of_file_ =
        open_->of_file() == open_->experiment() ? groups_ : EditableGroups(*open_->of_file());
  }
  endResetModel();
}

// Keeps what is selected and unfolded where only values have changed.
void ParameterModel::Update() {
  std::vector<EditableGroup> now = EditableGroups(*open_->experiment());
  if (!SameStructure(now, groups_)) {
    Reload();
    return;
  }
  groups_ = std::move(now);
  for (int i = 0; i < rowCount(); ++i) {
    const QModelIndex group = index(i, 0);
    if (rowCount(group) == 0) continue;
    emit dataChanged(index(0, 0, group), index(rowCount(group) - 1, kColumns - 1, group));
  }
}

const EditableValue* ParameterModel::ValueAt(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == kGroup) return nullptr;
  return &groups_[index.internalId()].values[static_cast<size_t>(index.row())];
}

bool ParameterModel::Differs(const EditableValue& value) const {
  for (const EditableGroup& group : of_file_) {
    for (const EditableValue& other : group.values) {
      if (other.path == value.path) return other.value != value.value;
    }
  }
  return true;
}

QModelIndex ParameterModel::index(int row, int column, const QModelIndex& parent) const {
  if (row < 0 || row >= rowCount(parent) || column < 0 || column >= kColumns) return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) : kGroup);
}

QModelIndex ParameterModel::parent(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == kGroup) return {};
  return createIndex(static_cast<int>(index.internalId()), 0, kGroup);
}

int ParameterModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(groups_.size());
  if (parent.internalId() != kGroup || parent.column() != 0) return 0;
  return static_cast<int>(groups_[static_cast<size_t>(parent.row())].values.size());
}

int ParameterModel::columnCount(const QModelIndex& /*parent*/) const { return kColumns; }

QVariant ParameterModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const EditableValue* value = ValueAt(index);
  if (value == nullptr) {
    if (index.column() != kName) return {};
    const EditableGroup& group = groups_[static_cast<size_t>(index.row())];
    if (role == Qt::DisplayRole) return QString::fromStdString(group.title);
    if (role == kDiffersRole) {
      return std::any_of(group.values.begin(), group.values.end(),
                         [this](const EditableValue& v) { return Differs(v); });
    }
    return {};
  }
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: {
      const std::array<const std::string*, kColumns> cells = {&value->name,     &value->value,
                                                              &value->unit,     &value->range,
                                                              &value->standard, &value->meaning};
      QString text = QString::fromStdString(*cells[static_cast<size_t>(index.column())]);
      const bool word = index.column() == kValue && !value->choices.empty();
      return word ? text.remove('"') : text;
    }
    case Qt::ToolTipRole: {
      QString tip = QString::fromStdString(value->meaning);
      if (!value->unit.empty()) tip += QString(" [%1]").arg(value->unit.c_str());
      if (Differs(*value)) tip += "\ndiffers from the file";
      return tip;
    }
    case Qt::FontRole: {
      QFont font;
      font.setBold(index.column() <= kValue && Differs(*value));
      return font;
    }
    case Qt::ForegroundRole:
      return index.column() == kValue && Differs(*value) ? QBrush(ReadableInk({0xb3, 0x4a, 0x00}))
                                                         : QVariant();
    case kChoicesRole: {
      QStringList choices;
      for (const std::string& choice : value->choices) choices << QString::fromStdString(choice);
      if (value->value == "true" || value->value == "false") choices = {"true", "false"};
      return choices;
    }
    case kDiffersRole:
      return Differs(*value);
    default:
      return {};
  }
}

QVariant ParameterModel::headerData(int section, Qt::Orientation orientation, int role) const {
  static const std::array<const char*, kColumns> kTitles = {"parameter", "value",   "unit",
                                                            "range",     "default", "meaning"};
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section >= kColumns) return {};
  return kTitles[static_cast<size_t>(section)];
}

Qt::ItemFlags ParameterModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags plain = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  return ValueAt(index) != nullptr && index.column() == kValue ? plain | Qt::ItemIsEditable : plain;
}

bool ParameterModel::setData(const QModelIndex& index, const QVariant& given, int role) {
  const EditableValue* value = ValueAt(index);
  if (value == nullptr || index.column() != kValue || role != Qt::EditRole) return false;
  QString text = given.toString().trimmed();
  if (!value->choices.empty()) text = QuotedWord(text);
  if (text.toStdString() == value->value) return true;
  const std::vector<std::string> path = value->path;  // the groups are about to change
  return open_->SetValue(path, text.toStdString());
}

}  // namespace pliant
