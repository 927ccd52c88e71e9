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
  Begin(is_scene ? MakeExperiment({.scene = file}) : ReadExperiment(file), file);
}

void OpenExperiment::New(const ExperimentTemplate& from) {
  Begin(MakeExperiment(from), from.scene);
}

void OpenExperiment::OpenScript(const std::string& script, const std::filesystem::path& file) {
  Begin(ReadScript(script, file).experiment, file, script);
}

void OpenExperiment::Begin(Experiment experiment, const std::filesystem::path& file,
                           std::string script) {
  history_->clear();
  file_ = file;
  script_ = std::move(script);
  experiment_ = of_file_ = std::make_shared<const Experiment>(std::move(experiment));
  emit Opened();
}

void OpenExperiment::Close() {
  history_->clear();
  file_.clear();
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

void OpenExperiment::Save(const std::filesystem::path& file) {
  WriteFile(file, ToToml(*experiment_));
  file_ = file;
  of_file_ = experiment_;
  history_->setClean();
  emit Saved();
}

}  // namespace pliant
