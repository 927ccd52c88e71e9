#include "app/workbench/edits/open_experiment.h"

#include <QUndoCommand>
#include <QUndoStack>
#include <utility>

#include "app/workbench/edits/new_experiment.h"
#include "app/workbench/edits/pose_edit.h"
#include "app/workbench/edits/trial_edit.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/document.h"
#include "experiments/files/experiment_document.h"
#include "experiments/scripts/script.h"

namespace pliant {

class ExperimentChange : public QUndoCommand {
 public:
  ExperimentChange(OpenExperiment* owner, const QString& what,
                   std::shared_ptr<const Experiment> after)
      : QUndoCommand(what), owner_(owner), before_(owner->experiment()), after_(std::move(after)) {}
  void redo() override { owner_->Become(after_); }
  void undo() override { owner_->Become(before_); }
  const std::shared_ptr<const Experiment>& before() const { return before_; }
  const std::shared_ptr<const Experiment>& after() const { return after_; }

 private:
  OpenExperiment* owner_;
  std::shared_ptr<const Experiment> before_, after_;
};

OpenExperiment::OpenExperiment(QObject* parent) : QObject(parent), history_(new QUndoStack(this)) {}

OpenExperiment::~OpenExperiment() = default;

void OpenExperiment::Open(const std::filesystem::path& file) {
  if (file.extension() == ".txt") {
    OpenScript(ReadTextFile(file), file);
    return;
  }
  const FileValue root = ReadToml(file);
  const bool is_scene = root.Find("body") != nullptr && root.Find("backends") == nullptr;
  Begin(is_scene ? MakeExperiment({.scene = file}) : ReadExperiment(file), file, !is_scene);
}

void OpenExperiment::New(const ExperimentTemplate& from) {
  Begin(MakeExperiment(from), from.scene, /*is_own_file=*/false);
  history_->resetClean();
}

void OpenExperiment::OpenScript(const std::string& script, const std::filesystem::path& file) {
  Begin(ReadScript(script, file).experiment, file, /*is_own_file=*/false, script);
}

void OpenExperiment::Begin(Experiment experiment, const std::filesystem::path& file,
                           bool is_own_file, std::string script) {
  history_->clear();
  file_ = file;
  is_own_file_ = is_own_file;
  script_ = std::move(script);
  experiment_ = of_file_ = std::make_shared<const Experiment>(std::move(experiment));
  emit Opened();
}

void OpenExperiment::Close() {
  history_->clear();
  file_.clear();
  is_own_file_ = false;
  script_.clear();
  experiment_.reset();
  of_file_.reset();
}

bool OpenExperiment::edited() const { return experiment_ != nullptr && !history_->isClean(); }

void OpenExperiment::Become(std::shared_ptr<const Experiment> experiment) {
  if (experiment == experiment_) return;
  experiment_ = std::move(experiment);
  emit Edited();
}

template <typename Make>
bool OpenExperiment::Try(const QString& what, Make make) {
  if (experiment_ == nullptr) return false;
  try {
    std::shared_ptr<const Experiment> changed = make();
    history_->push(new ExperimentChange(this, what, std::move(changed)));
    return true;
  } catch (const std::exception& refusal) {
    emit Refused(QString::fromUtf8(refusal.what()));
    return false;
  }
}

bool OpenExperiment::SetValue(const std::vector<std::string>& path, const std::string& toml) {
  return Try(QString::fromStdString("change " + path.back()),
             [&] { return WithValue(*experiment_, path, toml); });
}

bool OpenExperiment::Set(const QString& what, const std::vector<std::string>& path,
                         const FileValue& value) {
  return Try(what, [&] {
    FileValue root = experiment_->document->root;
    SetAt(&root, path, value);
    return Reread(*experiment_, std::move(root));
  });
}

bool OpenExperiment::AddPose(size_t key, double time) {
  return Try("take a pose", [&] { return WithPose(*experiment_, key, time); });
}

bool OpenExperiment::Add(const HandGesture& gesture) {
  return Try(QString("%1 by hand").arg(InfoOf(gesture.tool).name),
             [&] { return WithGesture(*experiment_, gesture); });
}

bool OpenExperiment::Add(const LiveDrag& drag) {
  return Try(QString("%1 by hand").arg(InfoOf(drag.tool).name),
             [&] { return WithDrag(*experiment_, drag); });
}

bool OpenExperiment::KeepNumbers(const Eigen::VectorXd& numbers) {
  return Try("keep the best motion", [&] { return WithNumbers(*experiment_, numbers); });
}

ExperimentWork OpenExperiment::work() const {
  ExperimentWork work{.file = file_, .is_own_file = is_own_file_, .script = script_};
  if (experiment_ == nullptr) return work;
  const auto change = [this](int i) {
    return static_cast<const ExperimentChange*>(history_->command(i));
  };
  work.states.push_back(history_->count() > 0 ? change(0)->before() : experiment_);
  for (int i = 0; i < history_->count(); ++i) {
    work.states.push_back(change(i)->after());
    work.edits.push_back(history_->text(i).toStdString());
  }
  work.present = static_cast<size_t>(history_->index());
  if (history_->cleanIndex() >= 0) work.saved = static_cast<size_t>(history_->cleanIndex());
  work.of_file = of_file_;
  return work;
}

void OpenExperiment::Restore(const ExperimentWork& work) {
  {
    const QSignalBlocker silent(this);  // Opened() tells of all of it
    history_->clear();
    file_ = work.file;
    is_own_file_ = work.is_own_file;
    script_ = work.script;
    of_file_ = work.of_file;
    experiment_ = work.states.front();
    for (size_t i = 0; i < work.edits.size(); ++i) {
      history_->push(
          new ExperimentChange(this, QString::fromStdString(work.edits[i]), work.states[i + 1]));
    }
    if (work.saved) {
      history_->setIndex(static_cast<int>(*work.saved));
      history_->setClean();
    } else {
      history_->resetClean();
    }
    history_->setIndex(static_cast<int>(work.present));
  }
  emit Opened();
}

bool OpenExperiment::SavingLosesText() const {
  if (experiment_ == nullptr || !is_own_file_) return false;
  std::error_code error;
  if (!std::filesystem::exists(file_, error)) return false;
  try {
    return ReadFile(file_) != ToToml(*of_file_);
  } catch (const StorageError&) {
    return true;  // who knows
  }
}

void OpenExperiment::Save(const std::filesystem::path& file) {
  ReplaceFile(file, ToToml(*experiment_));
  file_ = file;
  is_own_file_ = true;
  of_file_ = experiment_;
  history_->setClean();
  emit Saved();
}

}  // namespace pliant
