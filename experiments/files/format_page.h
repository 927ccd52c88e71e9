// The reference of the file format, generated from the tables of keys that the reader itself walks
// and from the parameters of the backends.

#ifndef PLIANT_EXPERIMENTS_FILES_FORMAT_PAGE_H_
#define PLIANT_EXPERIMENTS_FILES_FORMAT_PAGE_H_

#include <string>

namespace pliant {

// The whole reference as Markdown.
std::string FileReference();

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_FORMAT_PAGE_H_
