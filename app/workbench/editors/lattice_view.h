// Displays the lattice of the modes of a body: at rest, deformed, and one mode at full amplitude as
// a ghost. 3-D bodies are viewed obliquely.

#ifndef PLIANT_APP_WORKBENCH_EDITORS_LATTICE_VIEW_H_
#define PLIANT_APP_WORKBENCH_EDITORS_LATTICE_VIEW_H_

#include <QWidget>
#include <memory>
#include <vector>

#include "app/workbench/editors/mode_model.h"

namespace pliant {

class LatticeView : public QWidget {
 public:
  explicit LatticeView(QWidget* parent = nullptr);

  void Show(std::shared_ptr<const ModesOfBody> modes);  // null: nothing
  void SetAmplitudes(const std::vector<double>& amplitudes);
  void SetGhost(size_t mode);

  QSize sizeHint() const override { return {260, 200}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Drawing {
    std::vector<Eigen::Matrix3Xd> lattices;  // control points of each
    Eigen::Matrix3Xd points;                 // of the body
  };
  Drawing DrawingOf(const std::vector<double>& amplitudes) const;

  std::shared_ptr<const ModesOfBody> modes_;
  std::vector<double> amplitudes_;
  size_t ghost_ = 0;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITORS_LATTICE_VIEW_H_
