// The page of editors, for the parts of the open experiment that are easier to draw than to type: a
// strip per list of numbers, the lattice and matrix of modes, the graph of poses.

#ifndef PLIANT_APP_WORKBENCH_PAGES_EDITOR_PAGE_H_
#define PLIANT_APP_WORKBENCH_PAGES_EDITOR_PAGE_H_

#include <vector>

#include "app/workbench/editors/editor_lists.h"
#include "app/workbench/pages/page.h"

class QComboBox;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace pliant {

class LatticeView;
class ModeModel;
class NumberStrip;
class PoseModel;

class EditorPage : public Page {
  Q_OBJECT

 public:
  explicit EditorPage(const PageContext& context, QWidget* parent = nullptr);

  QString WhyNot() const override;
  void Reload() override;
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
  void Update();      // after an edit
  void Build();       // the widgets of the chosen group
  void ShowValues();  // of the chosen group, in the present widgets
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
  QWidget* content_ = nullptr;  // replaced for each group
  QVBoxLayout* column_ = nullptr;
  QScrollArea* area_;
  QLabel* message_;
  std::vector<Strip> strips_;
  bool stale_ = true;  // out of date: a hidden page builds nothing

  LatticeView* lattice_ = nullptr;  // of modes, when they are chosen
  QComboBox* mode_ = nullptr;
  QComboBox* body_ = nullptr;
  ModeModel* matrix_;
  PoseModel* poses_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_EDITOR_PAGE_H_
