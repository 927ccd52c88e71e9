// The page that describes the format of experiment and scene files, printed from the keys that the
// reader itself walks and from the parameters of the backends.

#ifndef PLIANT_EXPERIMENTS_MANUAL_FORMAT_PAGE_H_
#define PLIANT_EXPERIMENTS_MANUAL_FORMAT_PAGE_H_

#include <string>

namespace pliant {

// The whole page as Markdown: docs/experiment-file.md.
std::string FormatPage();

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_MANUAL_FORMAT_PAGE_H_
