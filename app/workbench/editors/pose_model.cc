#include "app/workbench/editors/pose_model.h"

#include <algorithm>
#include <array>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/edits/pose_edit.h"
#include "experiments/files/control_keys.h"
#include "experiments/files/overrides.h"
#include "experiments/files/parameter_values.h"
#include "experiments/files/writer.h"

namespace pliant {
namespace {

constexpr char kKept[] = "held";
constexpr char kListed[] = "next in the list";

// The time of a pose that ends at a fixed time.
std::optional<double> TimeOf(const ControlTable::Entry& pose) {
  if (pose.duration) return pose.duration;
  if (pose.next.size() == 1 && !pose.next.front().when) return pose.next.front().after;
  return std::nullopt;
}

FileValue TreeOf(const ControlTable& table) { return ToFileValue(ParameterValue(table)); }

}  // namespace

PoseModel::PoseModel(OpenExperiment* open, QObject* parent)
    : QAbstractTableModel(parent), open_(open) {}

void PoseModel::Show(const std::string& backend, const ControlTable& table, int controller) {
  beginResetModel();
  backend_ = backend;
  table_ = table;
  number_ = controller;
  endResetModel();
}

const ControlTable& PoseModel::controller() const {
  return number_ < 0 ? table_ : table_.several[static_cast<size_t>(number_)];
}

int PoseModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || table_.empty() ? 0 : static_cast<int>(controller().poses.size());
}

int PoseModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

// "next in the list", "held", or its transitions as TOML.
std::string PoseModel::NextText(const ControlTable::Entry& pose) const {
  if (pose.duration) return kListed;
  if (pose.next.empty()) return kKept;
  const FileValue tree = TreeOf(controller());
  const FileValue* written = FindElement(*tree.Find("pose"), pose.name);
  return WriteInline(*written->Find("next"));
}

QVariant PoseModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto row = static_cast<size_t>(index.row());
  const ControlTable::Entry& pose = controller().poses[row];
  if (role == Qt::ToolTipRole && index.column() == kNext) {
    return R"(The next poses, as files write them: [{to = "bow", after = 0.4}, {to = "rest", when = "landed"}])";
  }
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  switch (index.column()) {
    case kKey: {
      const std::vector<size_t> on_keys = PosesOnKeys(controller());
      const auto found = std::find(on_keys.begin(), on_keys.end(), row);
      if (found == on_keys.end()) return "hand";
      const auto key = found - on_keys.begin() + 1;
      return key <= 9 ? QVariant(static_cast<int>(key)) : QVariant();
    }
    case kName:
      return QString::fromStdString(pose.name);
    case kTime: {
      const std::optional<double> time = TimeOf(pose);
      return time ? QVariant(*time) : QVariant();
    }
    default:
      return QString::fromStdString(NextText(pose));
  }
}

QVariant PoseModel::headerData(int section, Qt::Orientation orientation, int role) const {
  static const std::array<const char*, kColumns> kTitles = {"key", "pose", "time [s]", "next"};
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section >= kColumns) return {};
  return kTitles[static_cast<size_t>(section)];
}

Qt::ItemFlags PoseModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags plain = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  if (index.column() == kKey) return plain;
  const ControlTable::Entry& pose = controller().poses[static_cast<size_t>(index.row())];
  if (index.column() == kTime && !TimeOf(pose)) return plain;
  return plain | Qt::ItemIsEditable;
}

bool PoseModel::Change(const QString& what, const ControlTable& table) {
  try {  // what is no graph would be refused by the backend, whose pane would end
    ControlTable changed = table;
    MakePoseGraph(ControllerOf(&changed, number_));
  } catch (const std::exception& refusal) {
    emit open_->Refused(QString::fromUtf8(refusal.what()));
    return false;
  }
  return open_->Set(what, {"backends", backend_, "control"}, TreeOf(table));
}

bool PoseModel::SetNext(size_t pose, const std::string& text) {
  ControlTable changed = table_;
  ControlTable& own = ControllerOf(&changed, number_);
  ControlTable::Entry& entry = own.poses[pose];
  entry.is_final = text == kKept;
  const double time = TimeOf(entry).value_or(own.times.shortest);
  entry.next.clear();
  entry.duration.reset();
  if (text == kListed) entry.duration = time;
  if (entry.is_final || entry.duration) return Change("change the next poses", changed);
  FileValue tree = TreeOf(changed);
  FileValue* element =
      number_ < 0 ? &tree : &(*tree.Find("controller")->array())[static_cast<size_t>(number_)];
  FileValue* written = FindElement(element->Find("pose"), entry.name);
  written->Set("next", ParseOverride("next=" + text, "").Find("next")->data);
  return Change("change the next poses", ReadControl<ControlTable>(&tree));
}

bool PoseModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::EditRole || value == data(index, Qt::EditRole)) return false;
  const auto row = static_cast<size_t>(index.row());
  ControlTable changed = table_;
  ControlTable& own = ControllerOf(&changed, number_);
  if (index.column() == kName) {
    RenamePose(&own, row, value.toString().trimmed().toStdString());
    return Change("rename a pose", changed);
  }
  if (index.column() == kTime) {
    ControlTable::Entry& pose = own.poses[row];
    bool is_number = false;
    const double time = value.toDouble(&is_number);
    if (!is_number) return false;
    (pose.duration ? pose.duration : pose.next.front().after) = time;
    return Change("change the time of a pose", changed);
  }
  try {
    return SetNext(row, value.toString().trimmed().toStdString());
  } catch (const std::exception& refusal) {
    emit open_->Refused(QString::fromUtf8(refusal.what()));
    return false;
  }
}

bool PoseModel::Copy(int row) {
  ControlTable changed = table_;
  CopyPose(&ControllerOf(&changed, number_), static_cast<size_t>(row));
  return Change("copy a pose", changed);
}

bool PoseModel::Remove(int row) {
  ControlTable changed = table_;
  return RemovePose(&ControllerOf(&changed, number_), static_cast<size_t>(row)) &&
         Change("remove a pose", changed);
}

bool PoseModel::Move(int row, int by) {
  ControlTable changed = table_;
  return MovePose(&ControllerOf(&changed, number_), static_cast<size_t>(row), by) &&
         Change("move a pose", changed);
}

bool PoseModel::ForgetTaken() {
  ControlTable changed = table_;
  ForgetTakenPoses(&ControllerOf(&changed, number_));
  return Change("remove the taken poses", changed);
}

}  // namespace pliant
