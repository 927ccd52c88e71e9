// A page of curves: what to show is chosen from a list, the drawing is that of the report, a line
// at the present time is shared with the panes. Click or drag: the clock goes there; wheel: zooms
// the time axis; right drag: moves it; double click: all of it. A column may be shown against
// another, as a path on which a disc marks the present.

#ifndef PLIANT_APP_WORKBENCH_PAGES_CURVE_PAGE_H_
#define PLIANT_APP_WORKBENCH_PAGES_CURVE_PAGE_H_

#include <QElapsedTimer>
#include <QWidget>
#include <filesystem>
#include <optional>
#include <vector>

#include "app/plots/plot.h"
#include "app/workbench/pages/curve_data.h"

class QCPGraph;
class QCPItemStraightLine;
class QCheckBox;
class QComboBox;
class QCustomPlot;
class QLabel;
class QTimer;

namespace pliant {

class Session;

class CurvePage : public QWidget {
 public:
  CurvePage(Session* session, const std::string& first_choice, QWidget* parent = nullptr);

  // By the key of a choice; nothing happens when there is none.
  void Choose(const std::string& key);
  std::string chosen() const;
  // A column by its key; empty: against the time.
  void ChooseAgainst(const std::string& key);
  void SetLogarithmic(bool logarithmic);
  void ShowWindow(const std::optional<AxisRange>& window);  // s; absent: all
  const std::optional<AxisRange>& window() const { return window_; }
  void Redraw();  // at once; else it draws soon after what changes it

  // What it shows; .png, .svg, .pdf or .csv. Throws BadInput and StorageError.
  void Export(const std::filesystem::path& path) const;
  const Plot& plot() const { return plot_; }

  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void OfferChoices();
  void OfferAgainst();
  void Later();  // draws what is recorded now
  void Soon();   // draws soon, but not more often than the drawing takes
  void MoveCursor();
  void AskAndExport();
  std::optional<double> TimeAt(const QPointF& at) const;  // of paths: where they come near
  const CurveChoice* Chosen() const;
  const CurveChoice* Against() const;  // null: the time
  const CurveChoice* Named(const QVariant& key) const;
  bool ShowsPaths() const;
  void AddCursors();
  void PlaceCursors();

  Session* session_;
  std::string wanted_;  // key to choose as soon as it is offered
  std::vector<CurveChoice> choices_;
  Plot whole_, plot_;  // of all times, and of the window
  bool stale_ = true;  // is there more than in whole_?
  std::optional<AxisRange> window_;
  QComboBox* list_;
  QComboBox* against_;
  std::string wanted_against_;  // likewise
  QCheckBox* logarithmic_;
  QCustomPlot* widget_;
  QLabel* notes_;
  std::vector<QCPItemStraightLine*> cursors_;  // one for each panel
  std::vector<QCPGraph*> places_;              // of paths, where each is now
  double y_scale_ = 1.0;                       // of them: values on the axis over those of paths
  QTimer* soon_;
  double cost_ = 0.0;  // ms, of the last drawing
  QPointF last_;       // of the mouse
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_CURVE_PAGE_H_
