#include "models/problem.h"
#include "solvers/search/pagmo_search.h"

namespace pliant {

bool HasPagmo() { return false; }

std::unique_ptr<Search> StartPagmo(const PagmoAlgorithm& /*algorithm*/,
                                   const MotionNumbers& /*numbers*/, std::int64_t /*budget*/,
                                   std::uint64_t /*seed*/) {
  throw BadInput({"method", "the searches of pagmo are not in this build",
                  "install libpagmo-dev and build again, or search by another method"});
}

}  // namespace pliant
