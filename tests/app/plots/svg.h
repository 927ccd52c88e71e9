// A vector drawing, read back.

#ifndef PLIANT_TESTS_APP_PLOTS_SVG_H_
#define PLIANT_TESTS_APP_PLOTS_SVG_H_

#include <QString>
#include <string>
#include <vector>

namespace pliant {

// Names of all elements, in order; fails the test when `svg` is not well formed.
std::vector<QString> ElementsOf(const std::string& svg);

}  // namespace pliant

#endif  // PLIANT_TESTS_APP_PLOTS_SVG_H_
