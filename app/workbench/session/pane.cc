#include "app/workbench/session/pane.h"

namespace pliant {

std::string TextOf(const RunOutcome& outcome) {
  const std::string kind(ToString(outcome.kind));
  if (outcome.reason.empty()) return kind;
  return outcome.reason.find(kind) != std::string::npos ? outcome.reason
                                                        : kind + ": " + outcome.reason;
}

void StylePanes(std::vector<Pane>* panes) {
  std::vector<std::string> names;
  for (const Pane& pane : *panes) {
    names.push_back(pane.backend == nullptr ? pane.label : pane.backend->info().name);
  }
  const std::vector<LineStyle> styles = StylesOfRuns(names);
  for (size_t i = 0; i < styles.size(); ++i) (*panes)[i].style = styles[i];
}

}  // namespace pliant
