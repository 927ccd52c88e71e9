// A backend whose parameters are the fields of an options struct, each bound once (parameters.h).

#ifndef PLIANT_SOLVERS_BACKEND_WITH_H_
#define PLIANT_SOLVERS_BACKEND_WITH_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solvers/simulation.h"

namespace pliant {

template <typename Options>
class BackendWith : public Backend {
 public:
  std::vector<ParameterInfo> Parameters() const final { return DescribeParameters<Options>(); }

  // If the scene is not refused, warns of parameters without effect, after the other warnings.
  Translation Translate(std::shared_ptr<const Scene> scene,
                        const ParameterValues& parameters) const final {
    const auto options = BindParameters<Options>(parameters);
    Translation translation = DoTranslate(scene, options);
    if (translation.simulation == nullptr) return translation;
    for (std::string& line : ParametersWithoutEffect(options, *scene)) {
      translation.warnings.push_back(std::move(line));
    }
    return translation;
  }

 private:
  // As Translate(), with the parameters in `options`.
  virtual Translation DoTranslate(std::shared_ptr<const Scene> scene,
                                  const Options& options) const = 0;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_BACKEND_WITH_H_
