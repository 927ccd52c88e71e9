// The page of editors: of the open experiment, what is better drawn than typed. One strip of
// numbers for each list; below them what else belongs to it: the lattice and matrix of modes, the
// sequence of poses.

#ifndef PLIANT_APP_WORKBENCH_PAGES_EDITOR_PAGE_H_
#define PLIANT_APP_WORKBENCH_PAGES_EDITOR_PAGE_H_

#include <QWidget>
#include <vector>

#include "app/workbench/editors/editor_lists.h"

class QComboBox;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace pliant {

class LatticeView;
class ModeModel;
class NumberStrip;
class OpenExperiment;
class PoseModel;

class EditorPage : public QWidget {
  Q_OBJECT

 public:
  explicit EditorPage(OpenExperiment* open, QWidget* parent = nullptr);

  void Reload();  // another experiment is open, or none
  const std::vector<EditorGroup>& groups() const { return groups_; }
  void Choose(int group);
  NumberStrip* strip(size_t list) const { return strips_[list].strip; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  struct Strip {
    NumberStrip* strip;
    QComboBox* size;  // how many values
  };
  void Update();      // the experiment has been edited
  void Build();       // widgets for the chosen group
  void ShowValues();  // of the chosen group in the widgets there are
  void AddStrip(size_t list);
  void AddModes();
  void AddPoses();
  void ShowModes();
  void Apply(size_t list, const std::vector<double>& values);
  const EditorGroup* Chosen() const;
  bool Differs(const EditorGroup& group, const NumberList& list) const;

  OpenExperiment* open_;
  std::vector<EditorGroup> groups_, of_file_;
  QComboBox* choice_;
  QWidget* content_ = nullptr;  // made anew for each group
  QVBoxLayout* column_ = nullptr;
  QScrollArea* area_;
  QLabel* told_;
  std::vector<Strip> strips_;
  bool stale_ = true;  // while it is not seen nothing is built

  LatticeView* lattice_ = nullptr;  // of modes, while they are chosen
  QComboBox* mode_ = nullptr;
  QComboBox* body_ = nullptr;
  ModeModel* matrix_;
  PoseModel* poses_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_EDITOR_PAGE_H_
