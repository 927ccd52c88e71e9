// Columns of the series of a run: quantities that are shown for each recorded time.
//
// A formulation with further quantities states each of them once, as a column with the field that
// contains its value:
//
//   struct Figures {
//     std::optional<double> sweeps;
//   };
//   const ExtraColumns<Figures> kColumns = {{{"sweeps", "1", "sweeps of the last step"},
//                                            &Figures::sweeps}};

#ifndef PLIANT_SOLVERS_SERIES_COLUMN_H_
#define PLIANT_SOLVERS_SERIES_COLUMN_H_

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pliant {

struct SeriesColumn {
  std::string name;     // snake_case, ends with the suffix of the unit: kinetic_energy_J
  std::string unit;     // "J"; "1" for a pure number
  std::string meaning;  // one line
  bool operator==(const SeriesColumn&) const = default;
};

// Absent: not defined, never 0.
template <typename Figures>
struct ExtraColumn {
  using Number = std::optional<double>;
  SeriesColumn column;
  // One number for the scene; or one for each body, when the name of the column contains "{body}",
  // which is replaced by the name of the body.
  std::variant<Number Figures::*, std::vector<Number> Figures::*> value;
};
template <typename Figures>
using ExtraColumns = std::vector<ExtraColumn<Figures>>;

template <typename Figures>
std::vector<SeriesColumn> Describe(const ExtraColumns<Figures>& extras) {
  std::vector<SeriesColumn> columns;
  for (const ExtraColumn<Figures>& extra : extras) columns.push_back(extra.column);
  return columns;
}

// Allocates only when the size grows.
template <typename Figures>
void Fill(const ExtraColumns<Figures>& extras, const Figures& figures,
          std::vector<std::optional<double>>* values) {
  values->clear();
  for (const ExtraColumn<Figures>& extra : extras) {
    if (const auto* of_scene = std::get_if<0>(&extra.value)) {
      values->push_back(figures.**of_scene);
    } else {
      const auto& of_bodies = figures.*std::get<1>(extra.value);
      values->insert(values->end(), of_bodies.begin(), of_bodies.end());
    }
  }
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SERIES_COLUMN_H_
