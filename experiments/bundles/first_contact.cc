#include "experiments/bundles/first_contact.h"

#include <cmath>
#include <string_view>

namespace pliant {

std::optional<std::string> PairOfContactForce(const SeriesColumn& column) {
  constexpr std::string_view kBefore = "contact_force.", kAfter = "_N";
  const std::string& name = column.name;
  if (!name.starts_with(kBefore) || !name.ends_with(kAfter)) return std::nullopt;
  return name.substr(kBefore.size(), name.size() - kBefore.size() - kAfter.size());
}

SeriesColumn FirstContactFigure(const std::string& pair) {
  return {"first_contact." + pair + "_s", "s",
          "time of the first record whose contact force of " + pair +
              " is above 0, up to one record_every after the touch"};
}

std::optional<double> FirstContact(const Curve& forces) {
  for (size_t i = 0; i < forces.times.size(); ++i) {
    if (std::isnan(forces.values[i])) return std::nan("");
    if (forces.values[i] > 0.0) return forces.times[i];
  }
  return std::nullopt;
}

}  // namespace pliant
