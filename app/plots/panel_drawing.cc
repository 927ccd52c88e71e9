#include "app/plots/panel_drawing.h"

#include <array>
#include <span>

namespace pliant {
namespace {

// Powers of ten, where three of them stand on the axis. A shorter one has ticks at some of 1 … 9 times them, and one that is
// too short for those has even steps.
class ShortLogTicker : public QCPAxisTickerLog {
 protected:
  QVector<double> createTickVector(double step, const QCPRange& range) override {
    static constexpr std::array<double, 1> kPowers = {1};
    static constexpr std::array<double, 3> kFew = {1, 2, 5};
    static constexpr std::array<double, 6> kMore = {1, 2, 3, 4, 6, 8};
    if (TicksAt(kPowers, range).size() >= kEnough) {
      return QCPAxisTickerLog::createTickVector(step, range);
    }
    for (const auto& digits : {std::span<const double>(kFew), std::span<const double>(kMore)}) {
      const QVector<double> ticks = TicksAt(digits, range);
      if (ticks.size() >= kEnough) return ticks;
    }
    QVector<double> even;
    QCPAxisTicker().generate(range, QLocale::c(), 'g', 6, even, nullptr, nullptr);
    return even;
  }

  QVector<double> createSubTickVector(int count, const QVector<double>& ticks) override {
    // Between powers of ten alone it divides by the number of digits.
    const bool powers = std::all_of(ticks.begin(), ticks.end(), [](double tick) {
      const double power = std::log10(tick);
      return std::abs(power - std::round(power)) < 1e-9;
    });
    return powers ? QCPAxisTickerLog::createSubTickVector(count, ticks) : QVector<double>();
  }

  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override {
    double digits = tick / std::pow(10.0, std::floor(std::log10(tick)));
    for (; precision < 3 && std::abs(digits - std::round(digits)) > 1e-6; ++precision)
      digits *= 10.0;
    return QCPAxisTickerLog::getTickLabel(tick, locale, format, precision);
  }

 private:
  static constexpr int kEnough = 3;

  static QVector<double> TicksAt(std::span<const double> digits, const QCPRange& range) {
    QVector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(range.lower)));
    const int last = static_cast<int>(std::floor(std::log10(range.upper)));
    for (int power = first; power <= last; ++power) {
      for (const double digit : digits) {
        double tick = digit * std::pow(10.0, power);
        for (const double end : {range.lower, range.upper}) {
          if (std::abs(tick / end - 1.0) < 1e-9) tick = end;  // but for rounding
        }
        if (tick >= range.lower && tick <= range.upper) ticks.push_back(tick);
      }
    }
    return ticks;
  }
};

const Colour kGrid{0xe4, 0xe4, 0xe4};

QCPScatterStyle::ScatterShape ShapeOf(Marker marker) {
  switch (marker) {
    case Marker::kCircle:
      return QCPScatterStyle::ssCircle;
    case Marker::kSquare:
      return QCPScatterStyle::ssSquare;
    case Marker::kTriangle:
      return QCPScatterStyle::ssTriangle;
    case Marker::kDiamond:
      return QCPScatterStyle::ssDiamond;
    case Marker::kFallingTriangle:
      return QCPScatterStyle::ssTriangleInverted;
    case Marker::kNone:
      break;
  }
  return QCPScatterStyle::ssNone;
}

}  // namespace

QCPScatterStyle MarkerOf(const LineStyle& style) {
  const QPen pen(ToQColor(style.colour), 1.3);
  return {ShapeOf(style.marker), pen, QBrush(Qt::white), 6.5};
}

void StyleAxis(QCPAxis* axis) {
  axis->setTickLabelFont(FigureFont(kTextHeight - 1));
  axis->setLabelFont(FigureFont(kTextHeight));
  axis->setBasePen(QPen(ToQColor(kFrame), 1));
  axis->setTickPen(QPen(ToQColor(kFrame), 1));
  axis->setSubTickPen(QPen(ToQColor(kFrame), 1));
  axis->setTickLength(0, 4);
  axis->setSubTickLength(0, 2);
  axis->grid()->setPen(QPen(ToQColor(kGrid), 1));
  axis->grid()->setSubGridVisible(false);
  axis->grid()->setZeroLinePen(Qt::NoPen);
}

QString LabelOf(const Axis& axis, const std::string& unit) {
  return QString::fromStdString(axis.label +
                                (unit.empty() || unit == "1" ? "" : " [" + unit + "]"));
}

bool HasDefined(const PlottedCurve& curve) {
  return std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return std::isfinite(y); });
}

void MakeLogarithmic(QCPAxis* axis) {
  axis->setScaleType(QCPAxis::stLogarithmic);
  axis->setTicker(QSharedPointer<ShortLogTicker>::create());
  axis->setNumberFormat("eb");
  axis->setNumberPrecision(0);
}

void MakeWhole(QCPAxis* axis) {
  auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
  ticker->setTickStep(1.0);
  ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
  axis->setTicker(ticker);
  axis->setSubTicks(false);
}

}  // namespace pliant
