// Why a backend refuses constraints that begin or end, and what does the same there.

#ifndef PLIANT_SOLVERS_HELD_THROUGHOUT_H_
#define PLIANT_SOLVERS_HELD_THROUGHOUT_H_

namespace pliant {

inline constexpr char kHeldThroughout[] =
    "constraints of this backend hold for the whole run; forces may begin and end: carry what is "
    "to be released by a "
    "[[force]] with shared = true and until, as large as its weight";

}  // namespace pliant

#endif  // PLIANT_SOLVERS_HELD_THROUGHOUT_H_
