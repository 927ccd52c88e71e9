// A box for a number, written without trailing zeros.

#ifndef PLIANT_APP_WORKBENCH_WIDGETS_NUMBER_BOX_H_
#define PLIANT_APP_WORKBENCH_WIDGETS_NUMBER_BOX_H_

#include <QDoubleSpinBox>
#include <QLocale>

namespace pliant {

class NumberBox : public QDoubleSpinBox {
 public:
  NumberBox(double least, double most, int decimals, QWidget* parent) : QDoubleSpinBox(parent) {
    setDecimals(decimals);
    setRange(least, most);
    setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    setLocale(QLocale::c());  // as files write numbers
  }

 protected:
  QString textFromValue(double value) const override {
    QString text = QLocale::c().toString(value, 'f', decimals());
    while (text.contains('.') && (text.endsWith('0') || text.endsWith('.'))) text.chop(1);
    return text;
  }
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WIDGETS_NUMBER_BOX_H_
