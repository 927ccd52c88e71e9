// The table of plots that every comparison has: which columns, on which axes, and how to read them.
// To add one, add its line in plot_rules.cc.

#ifndef PLIANT_APP_PLOTS_PLOT_RULES_H_
#define PLIANT_APP_PLOTS_PLOT_RULES_H_

#include <vector>

namespace pliant {

struct PlotPart {
  const char* column;
  const char* label;
  bool stacked = false;       // an area stacked on those before it
  bool above_lowest = false;  // its zero means nothing: counted from its lowest value in the run
};

// How one plot is made from columns. With `panel_per_run` each run has a panel and the parts are
// its curves; otherwise each part has a panel and the runs are its curves.
struct PlotRule {
  const char* key;
  const char* title;
  const char* reading;
  const char* axis;  // label of the vertical axis; empty: the part's label
  bool panel_per_run = false;
  bool logarithmic = false;
  bool logarithmic_if_apart = false;  // where a linear axis would put some runs on its zero
  bool common_y = false;
  bool zero_line = false;
  bool name_with_meaning = false;  // the column means something else in each backend
  bool on_request = false;         // not in the report, which shows the same another way
  std::vector<PlotPart> parts;
};

const std::vector<PlotRule>& PlotRules();

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_PLOT_RULES_H_
