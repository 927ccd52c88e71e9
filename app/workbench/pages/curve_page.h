// A page of curves: a list selects the quantity, the drawing is that of the report, and a line
// marks the time of the clock. Click or drag moves the clock; the wheel zooms the time axis; a
// right drag moves it; a double click shows all of it. A column can be plotted against another, as
// a path on which a disc marks the present time.

#ifndef PLIANT_APP_WORKBENCH_PAGES_CURVE_PAGE_H_
#define PLIANT_APP_WORKBENCH_PAGES_CURVE_PAGE_H_

#include <QElapsedTimer>
#include <filesystem>
#include <optional>
#include <vector>

#include "app/plots/plot.h"
#include "app/workbench/pages/curve_data.h"
#include "app/workbench/pages/page.h"

class QCPGraph;
class QCPItemStraightLine;
class QCheckBox;
class QComboBox;
class QCustomPlot;
class QLabel;
class QTimer;

namespace pliant {

class CurvePage : public Page {
  Q_OBJECT

 public:
  CurvePage(const PageContext& context, const std::string& first_choice, QWidget* parent = nullptr);

  // Selects the choice with this key; no effect when there is none.
  void Choose(const std::string& key);
  std::string chosen() const;
  // Selects the column with this key for the x axis; empty: the time.
  void ChooseAgainst(const std::string& key);
  void SetLogarithmic(bool logarithmic);
  void ShowWindow(const std::optional<AxisRange>& window);  // s; absent: all
  const std::optional<AxisRange>& window() const { return window_; }
  void Redraw();  // at once; otherwise the page redraws soon after a change

  // Writes the plot as .png, .svg, .pdf or .csv. Throws BadInput and StorageError.
  void Export(const std::filesystem::path& path) const;
  const Plot& plot() const { return plot_; }

  bool InPictures() const override { return true; }
  QVariantMap SaveState() const override;
  void RestoreState(const QVariantMap& state) override;

  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void OfferChoices();
  void FillLists();  // with all choices
  void OfferAgainst();
  void Later();  // the data have changed: draws soon
  void Soon();   // draws soon, limiting the share of time spent on drawing
  void MoveCursor();
  void AskAndExport();
  std::optional<double> TimeAt(const QPointF& at) const;  // on paths: the nearest point
  const CurveChoice* Chosen() const;
  const CurveChoice* Against() const;  // null: the time
  const CurveChoice* Named(const QVariant& key) const;
  bool ShowsPaths() const;
  void AddCursors();
  void PlaceCursors();

  Session* session_;
  LogModel* log_;
  std::string wanted_;  // key to select as soon as it is available
  std::vector<CurveChoice> choices_;
  Plot whole_, plot_;  // for all times, and for the window
  bool stale_ = true;  // is whole_ out of date?
  std::optional<AxisRange> window_;
  QComboBox* list_;
  QComboBox* against_;
  std::string wanted_against_;  // likewise
  QCheckBox* logarithmic_;
  QCustomPlot* widget_;
  QLabel* notes_;
  std::vector<QCPItemStraightLine*> cursors_;  // one for each panel
  std::vector<QCPGraph*> places_;              // on paths, the present points
  double y_scale_ = 1.0;                       // values on the axis divided by those of paths
  QTimer* soon_;
  double cost_ = 0.0;  // ms, of the last drawing
  QPointF last_;       // of the mouse
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_CURVE_PAGE_H_
