// A list of numbers to be dragged: points on a curve or bars, with the range of each place behind.
// Double click to type a number; arrow keys choose a place and change it.

#ifndef PLIANT_APP_WORKBENCH_EDITORS_NUMBER_STRIP_H_
#define PLIANT_APP_WORKBENCH_EDITORS_NUMBER_STRIP_H_

#include <QRectF>
#include <QWidget>

#include "app/workbench/editors/number_list.h"

class QPainter;

namespace pliant {

class NumberStrip : public QWidget {
  Q_OBJECT

 public:
  explicit NumberStrip(QWidget* parent = nullptr);

  void SetList(const NumberList& list, bool differs);  // differs: from the file
  const NumberList& list() const { return list_; }

  // Where value `place` is drawn, and where one of `value` would be [pixels].
  QPointF PlaceOf(size_t place) const;
  QPointF PlaceOf(size_t place, double value) const;

  // A label below its place. What is wider than there is room is cut, and ends with dots.
  struct Label {
    QRectF box;  // pixels
    QString text;
  };
  Label LabelOf(size_t place) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void Dragged(const std::vector<double>& values);  // while the button is down
  void Chosen(const std::vector<double>& values);   // when it is let go, or typed
  void Told(const QString& why);                    // why a value is not what was asked for

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  size_t places() const { return list_.labels.size(); }
  QRectF Field() const;                // of the drawing, without labels
  double WidthOf(size_t place) const;  // of a label
  int LabelLines() const;
  size_t Nearest(const QPointF& at) const;
  double ValueAt(double y) const;
  void Move(size_t place, double to);
  void PaintAxis(QPainter* painter) const;
  void PaintValues(QPainter* painter) const;
  void PaintLabels(QPainter* painter) const;

  NumberList list_;
  std::vector<double> before_;  // when the drag began
  NumberScale scale_;
  bool differs_ = false, dragging_ = false;
  size_t chosen_ = 0;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITORS_NUMBER_STRIP_H_
