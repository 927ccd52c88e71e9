// One scene in several engines: a square sheet of n × n points, 1 m and 1 kg, whose edges along
// rows and columns must keep their lengths, hangs from its upper row. It starts as it would hang.
// Steps of 10 ms with so many sweeps of corrections.
//
// A sweep is worth what it leaves undone: engines are compared by the time of a step that keeps the
// rms stretch of the edges below 1 % for half a second, and not by the time of a sweep.

#ifndef PLIANT_BENCH_PEERS_SHEET_H_
#define PLIANT_BENCH_PEERS_SHEET_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pliant {

inline constexpr double kSheetStep = 0.01;     // s
inline constexpr double kSheetGravity = 9.81;  // m/s²

class HangingSheet {
 public:
  virtual ~HangingSheet() = default;
  virtual void Step() = 0;                 // kSheetStep
  virtual double RmsStretch() const = 0;   // of the edges along rows and columns
  virtual double LowestPoint() const = 0;  // m below the upper row
};

struct SheetEngine {
  std::string name;
  std::function<std::unique_ptr<HangingSheet>(int points, int sweeps)> make;
};
// Each source of an engine adds its own before main.
std::vector<SheetEngine>& SheetEngines();
struct RegisterSheetEngine {
  explicit RegisterSheetEngine(SheetEngine engine) { SheetEngines().push_back(std::move(engine)); }
};

}  // namespace pliant

#endif  // PLIANT_BENCH_PEERS_SHEET_H_
