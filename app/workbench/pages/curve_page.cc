#include "app/workbench/pages/curve_page.h"

#include <qcustomplot.h>

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "app/plots/comparison_plots.h"
#include "app/plots/draw.h"
#include "app/plots/qt_style.h"
#include "app/workbench/pages/log_model.h"
#include "app/workbench/session/session.h"

namespace pliant {
namespace {

constexpr double kSoon = 60.0;      // ms, least time between drawings
constexpr double kShare = 3.0;      // least pause, in multiples of the time of a drawing
constexpr double kInstant = 1e-9;   // s
constexpr double kNearPath = 24.0;  // px, of a path
constexpr char kCursorLayer[] = "cursor";

// Values on the axis of the first panel divided by those of its curves.
double ScaleOfY(const Plot& plot) {
  const Axis& axis = plot.panels.front().y;
  return axis.logarithmic ? 1.0 : ScaleFor(RangesOfY(plot).front(), axis.unit).factor;
}

}  // namespace

CurvePage::CurvePage(const PageContext& context, const std::string& first_choice, QWidget* parent)
    : Page(parent), session_(context.session), log_(context.log), wanted_(first_choice) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4, 4, 4, 4);
  column->setSpacing(2);
  auto* row = new QHBoxLayout;
  list_ = new QComboBox(this);
  list_->setMaxVisibleItems(30);
  list_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  list_->setMinimumContentsLength(12);
  row->addWidget(list_, 2);
  against_ = new QComboBox(this);
  against_->setObjectName("against");
  against_->setMaxVisibleItems(30);
  against_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  against_->setMinimumContentsLength(7);
  row->addWidget(against_, 1);
  logarithmic_ = new QCheckBox("log", this);
  logarithmic_->setToolTip("Logarithmic vertical axis");
  row->addWidget(logarithmic_);
  auto* all = new QToolButton(this);
  all->setText("All");
  all->setToolTip("Show the whole time axis (double click on the plot)");
  row->addWidget(all);
  auto* save = new QToolButton(this);
  save->setText("Export …");
  save->setToolTip("Export as PNG, SVG, PDF or CSV");
  row->addWidget(save);
  column->addLayout(row);
  widget_ = new QCustomPlot(this);
  widget_->setMinimumSize(220, 120);
  widget_->setToolTip(
      "Click or drag: move the clock. Wheel: zoom. Right drag: move. Double click: show all.");
  widget_->addLayer(kCursorLayer);
  widget_->layer(kCursorLayer)->setMode(QCPLayer::lmBuffered);
  widget_->installEventFilter(this);
  column->addWidget(widget_, 1);
  notes_ = new QLabel(this);
  notes_->setTextFormat(Qt::PlainText);
  notes_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  notes_->setForegroundRole(QPalette::PlaceholderText);
  column->addWidget(notes_);
  soon_ = new QTimer(this);
  soon_->setSingleShot(true);
  connect(soon_, &QTimer::timeout, this, &CurvePage::Redraw);

  connect(list_, &QComboBox::activated, this, [this] {
    wanted_ = list_->currentData().toString().toStdString();
    OfferAgainst();
    Later();
  });
  connect(against_, &QComboBox::activated, this, [this] {
    wanted_against_ = against_->currentData().toString().toStdString();
    Later();
  });
  connect(logarithmic_, &QCheckBox::toggled, this, &CurvePage::Later);
  connect(all, &QToolButton::clicked, this, [this] { ShowWindow(std::nullopt); });
  connect(save, &QToolButton::clicked, this, &CurvePage::AskAndExport);
  connect(session_, &Session::Opened, this, [this] {
    window_.reset();
    OfferChoices();
  });
  connect(session_, &Session::PaneChanged, this, &CurvePage::OfferChoices);
  connect(session_, &Session::Recorded, this, &CurvePage::Later);
  connect(session_, &Session::YardstickChanged, this, &CurvePage::Later);
  connect(session_, &Session::TimeChanged, this, &CurvePage::MoveCursor);
  OfferChoices();
}

void CurvePage::Choose(const std::string& key) {
  wanted_ = key;
  OfferChoices();
}

void CurvePage::ChooseAgainst(const std::string& key) {
  wanted_against_ = key;
  OfferAgainst();
  Later();
}

QVariantMap CurvePage::SaveState() const {
  return {{"curve", QString::fromStdString(wanted_)},
          {"against", QString::fromStdString(wanted_against_)},
          {"logarithmic", logarithmic_->isChecked()}};
}

void CurvePage::RestoreState(const QVariantMap& state) {
  if (!state.contains("curve")) return;
  wanted_against_ = state["against"].toString().toStdString();
  SetLogarithmic(state["logarithmic"].toBool());
  Choose(state["curve"].toString().toStdString());
}

std::string CurvePage::chosen() const {
  const CurveChoice* choice = Chosen();
  return choice == nullptr ? "" : choice->key;
}

void CurvePage::SetLogarithmic(bool logarithmic) { logarithmic_->setChecked(logarithmic); }

void CurvePage::ShowWindow(const std::optional<AxisRange>& window) {
  window_ = window;
  Soon();
}

const CurveChoice* CurvePage::Named(const QVariant& key) const {
  const auto found = std::find_if(choices_.begin(), choices_.end(), [&](const CurveChoice& choice) {
    return choice.key == key.toString().toStdString();
  });
  return found == choices_.end() ? nullptr : &*found;
}

const CurveChoice* CurvePage::Chosen() const { return Named(list_->currentData()); }

const CurveChoice* CurvePage::Against() const { return Named(against_->currentData()); }

bool CurvePage::ShowsPaths() const {
  return Chosen() != nullptr && !Chosen()->is_rule && Against() != nullptr;
}

// Panes change one by one, and mostly offer the same as before.
void CurvePage::OfferChoices() {
  std::vector<CurveChoice> now = CurveChoices(session_->panes());
  if (now != choices_ || list_->count() == 0) {
    choices_ = std::move(now);
    FillLists();
  }
  const QSignalBlocker quiet(list_);
  list_->setCurrentIndex(std::max(list_->findData(QString::fromStdString(wanted_)), 0));
  OfferAgainst();
  Later();
}

void CurvePage::FillLists() {
  const QSignalBlocker quiet(list_);
  list_->clear();
  against_->clear();
  against_->addItem("against time", QString());
  bool in_columns = false;
  const auto add = [](const CurveChoice& choice, const QString& before, QComboBox* list) {
    list->addItem(before + QString::fromStdString(choice.words),
                  QString::fromStdString(choice.key));
    list->setItemData(list->count() - 1, QString::fromStdString(choice.tip), Qt::ToolTipRole);
  };
  for (const CurveChoice& choice : choices_) {
    if (!choice.is_rule && !in_columns) {
      list_->insertSeparator(list_->count());
      in_columns = true;
    }
    add(choice, "", list_);
    if (!choice.is_rule) add(choice, "against ", against_);
  }
}

// A plot of several parts is always against time.
void CurvePage::OfferAgainst() {
  const bool can = Chosen() != nullptr && !Chosen()->is_rule;
  const int wanted = can ? against_->findData(QString::fromStdString(wanted_against_)) : 0;
  against_->setCurrentIndex(std::max(wanted, 0));
  against_->setEnabled(can);
  against_->setToolTip(can ? "Horizontal axis: time, or another quantity of the same run"
                           : "Single quantities, below the line in the list, can be shown against "
                             "each other");
}

void CurvePage::Later() {
  stale_ = true;
  Soon();
}

void CurvePage::Soon() {
  if (!soon_->isActive()) soon_->start(static_cast<int>(std::max(kSoon, kShare * cost_)));
}

void CurvePage::Redraw() {
  QElapsedTimer watch;
  watch.start();
  const CurveChoice* choice = Chosen();
  if (stale_) {
    whole_ = choice == nullptr
                 ? Plot()
                 : CurvePlot(session_->panes(), *choice, logarithmic_->isChecked(),
                             ShowsPaths() ? Against() : nullptr, &session_->yardstick());
    if (session_->experiment() != nullptr) {
      whole_.least_x = session_->experiment()->plan.record_every;
      if (choice != nullptr)
        AddBounds(session_->experiment()->claims, session_->panes(), *choice, &whole_);
    }
    stale_ = false;
  }
  plot_ = Windowed(whole_, window_);
  cursors_.clear();
  places_.clear();
  Draw(plot_, widget_,
       Below::kPartsOnly);  // the panes identify the runs by colour
  AddCursors();
  widget_->replot();
  QString notes;
  for (const std::string& note : NotesOf(plot_)) notes += QString::fromStdString(note) + '\n';
  notes_->setText(notes.simplified());
  notes_->setToolTip(notes.trimmed());
  cost_ = static_cast<double>(watch.nsecsElapsed()) * 1e-6;
}

// Lines at the present time, or discs on paths.
void CurvePage::AddCursors() {
  const QColor ink(0xc0, 0x39, 0x2b);
  const QList<QCPAxisRect*> rects = widget_->axisRects();
  if (ShowsPaths() && !plot_.panels.empty() && !rects.empty()) {
    y_scale_ = ScaleOfY(plot_);
    for (const PlottedCurve& path : plot_.panels.front().curves) {
      auto* place = new QCPGraph(rects.front()->axis(QCPAxis::atBottom),
                                 rects.front()->axis(QCPAxis::atLeft));
      place->setLayer(kCursorLayer);
      place->setScatterStyle(
          {QCPScatterStyle::ssDisc, QPen(ink, 1.5), QBrush(ToQColor(path.style.colour)), 9});
      places_.push_back(place);
    }
  } else {
    for (QCPAxisRect* rect : rects) {
      if (window_) rect->axis(QCPAxis::atBottom)->setRange(window_->lower, window_->upper);
      auto* line = new QCPItemStraightLine(widget_);
      line->setLayer(kCursorLayer);
      line->setPen(QPen(ink, 1.2));
      line->setClipAxisRect(rect);
      for (QCPItemPosition* position : {line->point1, line->point2}) {
        position->setAxisRect(rect);
        position->setAxes(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
        position->setTypeX(QCPItemPosition::ptPlotCoords);
        position->setTypeY(QCPItemPosition::ptAxisRectRatio);
      }
      cursors_.push_back(line);
    }
  }
  PlaceCursors();
}

void CurvePage::PlaceCursors() {
  for (QCPItemStraightLine* line : cursors_) {
    line->point1->setCoords(session_->time(), 0.0);
    line->point2->setCoords(session_->time(), 1.0);
  }
  if (places_.empty()) return;
  const Panel& panel = plot_.panels.front();
  for (size_t i = 0; i < places_.size(); ++i) {
    const PlottedCurve& path = panel.curves[i];
    const auto after = std::upper_bound(path.t.begin(), path.t.end(), session_->time() + kInstant);
    if (after == path.t.begin()) continue;
    const auto now = static_cast<size_t>(after - path.t.begin()) - 1;
    places_[i]->setData({path.x[now]}, {y_scale_ * path.y[now]});
  }
}

void CurvePage::MoveCursor() {
  if (cursors_.empty() && places_.empty()) return;
  PlaceCursors();
  widget_->layer(kCursorLayer)->replot();
}

std::optional<double> CurvePage::TimeAt(const QPointF& at) const {
  const QCPAxisRect* rect = widget_->axisRectAt(at);
  if (rect == nullptr) return std::nullopt;
  const QCPAxis *x = rect->axis(QCPAxis::atBottom), *y = rect->axis(QCPAxis::atLeft);
  if (!ShowsPaths()) return x->pixelToCoord(at.x());
  if (plot_.panels.empty()) return std::nullopt;
  const Panel& panel = plot_.panels.front();
  std::optional<double> time;
  double nearest = kNearPath;
  for (const PlottedCurve& path : panel.curves) {
    for (size_t i = 0; i < path.t.size(); ++i) {
      const double away = std::hypot(x->coordToPixel(path.x[i]) - at.x(),
                                     y->coordToPixel(y_scale_ * path.y[i]) - at.y());
      if (!(away < nearest)) continue;  // also false for NaN
      nearest = away;
      time = path.t[i];
    }
  }
  return time;
}

bool CurvePage::eventFilter(QObject* object, QEvent* event) {
  if (object != widget_) return QWidget::eventFilter(object, event);
  const bool presses = event->type() == QEvent::MouseButtonPress;
  if (presses || event->type() == QEvent::MouseMove) {
    const auto& mouse = *static_cast<QMouseEvent*>(event);
    const QPointF at = mouse.position();
    const std::optional<double> time = TimeAt(at), before = TimeAt(last_);
    last_ = at;
    if ((mouse.buttons() & Qt::LeftButton) != 0 && time) session_->Scrub(*time);
    if (!presses && (mouse.buttons() & Qt::RightButton) != 0 && time && before && !ShowsPaths()) {
      const AxisRange shown = window_.value_or(RangeOfX(plot_));
      const double by = *before - *time;
      ShowWindow(AxisRange{shown.lower + by, shown.upper + by});
    }
    return true;
  }
  if (event->type() == QEvent::MouseButtonDblClick) {
    ShowWindow(std::nullopt);
    return true;
  }
  if (event->type() == QEvent::Wheel) {
    const auto& wheel = *static_cast<QWheelEvent*>(event);
    const std::optional<double> time = TimeAt(wheel.position());
    if (!time || ShowsPaths()) return true;
    const AxisRange shown = window_.value_or(RangeOfX(plot_));
    const double factor = std::pow(2.0, -wheel.angleDelta().y() / 480.0);
    ShowWindow(
        AxisRange{*time + factor * (shown.lower - *time), *time + factor * (shown.upper - *time)});
    return true;
  }
  if (event->type() == QEvent::Resize)
    Later();  // the line breaks of the legend depend on the width
  return QWidget::eventFilter(object, event);
}

void CurvePage::Export(const std::filesystem::path& path) const {
  if (path.extension() == ".csv") {
    WritePlotCsv(plot_, path);
  } else {
    SavePlot(plot_, path);
  }
}

void CurvePage::AskAndExport() {
  const QString path = QFileDialog::getSaveFileName(this, "Export curves",
                                                    QString::fromStdString(plot_.key) + ".svg",
                                                    "Figures and tables (*.svg *.png *.pdf *.csv)");
  if (path.isEmpty()) return;
  try {
    Export(path.toStdString());
    log_->Add("wrote " + path);
  } catch (const std::exception& error) {
    QMessageBox::warning(this, "Export curves", error.what());
  }
}

Page* MakeCurvePage(const PageContext& context, QWidget* parent) {
  return new CurvePage(context, "total-energy", parent);
}

Page* MakeMoreCurvesPage(const PageContext& context, QWidget* parent) {
  return new CurvePage(context, "step-time", parent);
}

}  // namespace pliant
