// A list of numbers to drag: points on a curve, or bars, in front of the range of each. A double
// click opens a box to type a number; the arrow keys select a value and change it.

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

  // The position of value number `place`, and the position that `value` would have there [pixels].
  QPointF PlaceOf(size_t place) const;
  QPointF PlaceOf(size_t place, double value) const;

  // The label below a value, shortened with dots where there is not enough room.
  struct Label {
    QRectF box;  // pixels
    QString text;
  };
  Label LabelOf(size_t place) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void Dragged(const std::vector<double>& values);  // while the button is down
  void Chosen(const std::vector<double>& values);  // when the button is released, or a number typed
  void Message(const QString& why);                // why a value differs from the request

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
  QRectF Field() const;                // the drawing without labels
  double WidthOf(size_t place) const;  // of a label
  int LabelLines() const;
  size_t Nearest(const QPointF& at) const;
  double ValueAt(double y) const;
  void Move(size_t place, double to);
  void PaintAxis(QPainter* painter) const;
  void PaintValues(QPainter* painter) const;
  void PaintLabels(QPainter* painter) const;

  NumberList list_;
  std::vector<double> before_;  // at the start of the drag
  NumberScale scale_;
  bool differs_ = false, dragging_ = false;
  size_t chosen_ = 0;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITORS_NUMBER_STRIP_H_
