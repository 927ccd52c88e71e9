// The experiment that is open: as its file says it, as it has been edited, and the way back.

#ifndef PLIANT_APP_WORKBENCH_EDITS_OPEN_EXPERIMENT_H_
#define PLIANT_APP_WORKBENCH_EDITS_OPEN_EXPERIMENT_H_

#include <QObject>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/workbench/edits/experiment_edit.h"
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

  // Reads an experiment, or a scene, which is given every formulation and a plan of its own. Throws
  // FileError, and what was open stays.
  void Open(const std::filesystem::path& file);
  void New(const ExperimentTemplate& from);  // throws FileError likewise
  // The experiment that a script in the source's command language makes; `file` is where its text
  // stands or would stand. Throws FileError likewise.
  void OpenScript(const std::string& script, const std::filesystem::path& file);
  void Close();

  const std::filesystem::path& file() const { return file_; }
  const std::shared_ptr<const Experiment>& experiment() const { return experiment_; }
  const std::shared_ptr<const Experiment>& of_file() const { return of_file_; }
  QUndoStack* history() const { return history_; }
  bool edited() const;

  // Each can be undone. False, and Refused(), when the reader of experiment files refuses it.
  bool SetValue(const std::vector<std::string>& path, const std::string& toml);
  bool Set(const QString& what, const std::vector<std::string>& path, const FileValue& value);
  bool Add(const HandGesture& gesture);
  bool AddPose(size_t key, double time);  // as WithPose() says
  bool Add(const HandLead& lead);
  bool KeepNumbers(const Eigen::VectorXd& numbers);  // of a trial of its search

  // Writes the experiment as it is now: a file that stands for itself. It is the file that is open
  // from now on. Throws StorageError.
  void Save(const std::filesystem::path& file);

 signals:
  void Edited();                     // another experiment() than before, of the same file
  void Refused(const QString& why);  // one line

 private:
  friend class ExperimentChange;
  void Begin(Experiment experiment, const std::filesystem::path& file);
  void Become(std::shared_ptr<const Experiment> experiment);
  template <typename Make>
  bool Try(const QString& what, Make make);

  std::filesystem::path file_;
  std::shared_ptr<const Experiment> experiment_, of_file_;
  QUndoStack* history_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITS_OPEN_EXPERIMENT_H_
