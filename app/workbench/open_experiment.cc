#include "app/workbench/open_experiment.h"

#include <QUndoCommand>
#include <QUndoStack>
#include <utility>

#include "app/workbench/search_job.h"
#include "experiments/experiment/document.h"
#include "experiments/experiment/experiment_document.h"
#include "experiments/record/storage.h"

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

namespace {

// The plan that a scene opens with.
constexpr double kDuration = 4.0, kStep = 0.001, kRecordEvery = 0.02;  // s

Experiment WithEveryFormulation(const std::filesystem::path& scene, const FilePlace& place) {
  FileValue root{FileValue::Table(), place};
  root.Set("title", "The scene " + scene.stem().string() + " in every formulation");
  root.Set("description", LeadingComment(scene));
  root.Set("scene", std::filesystem::absolute(scene).string());
  FileValue run{FileValue::Table(), place};
  run.Set("duration", kDuration);
  run.Set("step", kStep);
  run.Set("record_every", kRecordEvery);
  root.Set("run", std::move(run.data));
  FileValue backends{FileValue::Table(), place};
  for (const Backend* backend : Backends()) {
    backends.Set(backend->info().name, FileValue::Table());
  }
  root.Set("backends", std::move(backends.data));
  return ReadExperimentTree(std::move(root), scene.stem().string(), {}, {}, Backends());
}

}  // namespace

OpenExperiment::OpenExperiment(QObject* parent) : QObject(parent), history_(new QUndoStack(this)) {}

OpenExperiment::~OpenExperiment() = default;

void OpenExperiment::Open(const std::filesystem::path& file) {
  const FileValue root = ReadToml(file);
  const bool is_scene = root.Find("body") != nullptr && root.Find("backends") == nullptr;
  auto experiment = std::make_shared<const Experiment>(
      is_scene ? WithEveryFormulation(file, root.place) : ReadExperiment(file));
  history_->clear();
  file_ = file;
  experiment_ = of_file_ = std::move(experiment);
}

void OpenExperiment::Close() {
  history_->clear();
  file_.clear();
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
  return Try(QString::fromStdString("change of " + path.back()),
             [&] { return WithValue(*experiment_, path, toml); });
}

bool OpenExperiment::Add(const HandGesture& gesture) {
  return Try(QString("%1 by hand").arg(InfoOf(gesture.tool).name),
             [&] { return WithGesture(*experiment_, gesture); });
}

bool OpenExperiment::KeepNumbers(const Eigen::VectorXd& numbers) {
  return Try("best motion", [&] { return WithNumbers(*experiment_, numbers); });
}

void OpenExperiment::Save(const std::filesystem::path& file) {
  WriteFile(file, ToToml(*experiment_));
  file_ = file;
  of_file_ = experiment_;
  history_->setClean();
}

}  // namespace pliant
