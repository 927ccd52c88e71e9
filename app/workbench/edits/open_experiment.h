// The open experiment: as its file has it, as it was edited, and the history of the edits.

#ifndef PLIANT_APP_WORKBENCH_EDITS_OPEN_EXPERIMENT_H_
#define PLIANT_APP_WORKBENCH_EDITS_OPEN_EXPERIMENT_H_

#include <QObject>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/workbench/edits/experiment_edit.h"
#include "app/workbench/edits/experiment_work.h"
#include "app/workbench/edits/hand_gesture.h"
#include "experiments/files/experiment.h"

class QUndoStack;

namespace pliant {

struct ExperimentTemplate;

class OpenExperiment : public QObject {
  Q_OBJECT

 public:
  explicit OpenExperiment(QObject* parent = nullptr);
  ~OpenExperiment() override;

  // Reads an experiment, a script (.txt), or a scene, which is given every formulation and a plan
  // of its own. Throws FileError, and what was open stays.
  void Open(const std::filesystem::path& file);
  void New(const ExperimentTemplate& from);  // throws FileError likewise
  // The experiment that a script describes (docs/script.md); `file` is the path of the script,
  // saved or not. Throws FileError likewise.
  void OpenScript(const std::string& script, const std::filesystem::path& file);
  void Close();

  const std::filesystem::path& file() const { return file_; }
  // Is file() an experiment file? Else (a scene, a script, a new experiment) the experiment has none.
  bool has_own_file() const { return is_own_file_; }
  // Would saving into file() lose what the experiment does not have: comments, a scene in a file of
  // its own, changes by another program since it was opened?
  bool SavingLosesText() const;
  // The script that made the experiment; empty when no script did.
  const std::string& script() const { return script_; }
  const std::shared_ptr<const Experiment>& experiment() const { return experiment_; }
  const std::shared_ptr<const Experiment>& of_file() const { return of_file_; }
  QUndoStack* history() const { return history_; }
  // Are there changes that no file has? So it is with a new experiment, too.
  bool edited() const;

  ExperimentWork work() const;
  // Opens what work() returned, with its history. It must hold at least one state.
  void Restore(const ExperimentWork& work);

  // Each edit can be undone. False, with the signal Refused(), when the reader of experiment files
  // rejects it.
  bool SetValue(const std::vector<std::string>& path, const std::string& toml);
  bool Set(const QString& what, const std::vector<std::string>& path, const FileValue& value);
  bool Add(const HandGesture& gesture);
  bool AddPose(size_t key, double time);  // as WithPose() says
  bool Add(const LiveDrag& drag);
  bool KeepNumbers(const Eigen::VectorXd& numbers);  // of a trial of the search

  // Writes the experiment as it is now into a self-contained file, which is the open file from then
  // on: in one step, so that an old file is lost only to the whole new one. Throws StorageError.
  void Save(const std::filesystem::path& file);

 signals:
  void Opened();                     // another experiment is open
  void Edited();                     // experiment() has changed; the file is the same
  void Saved();                      // of_file() is experiment() again
  void Refused(const QString& why);  // one line

 private:
  friend class ExperimentChange;
  void Begin(Experiment experiment, const std::filesystem::path& file, bool is_own_file,
             std::string script = "");
  void Become(std::shared_ptr<const Experiment> experiment);
  template <typename Make>
  bool Try(const QString& what, Make make);

  std::filesystem::path file_;
  bool is_own_file_ = false;
  std::string script_;
  std::shared_ptr<const Experiment> experiment_, of_file_;
  QUndoStack* history_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITS_OPEN_EXPERIMENT_H_
