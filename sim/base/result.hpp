// Results of operations that can meet bad outside input; no exception crosses a layer.
#pragma once

#include <boost/system/result.hpp>

#include <cstdlib>
#include <string>
#include <vector>

namespace idemsim {

/// One thing wrong with outside input: where, what was expected, what to write instead.
struct Problem {
  std::string file;     ///< as the user wrote it; empty for the command line
  int line = 0;         ///< 1-based; 0 = no position
  int column = 0;       ///< 1-based, in bytes
  std::string pointer;  ///< JSON pointer, or the flag or token part
  std::string message;  ///< one sentence: what is wrong and what was expected
  std::string nearest;  ///< "did you mean": the nearest valid name, or empty
};
using Problems = std::vector<Problem>;

[[noreturn]] inline void throw_exception_from_error(const Problems&,
                                                    const boost::source_location&) {
  std::abort();  // only reached when value() is called on an error: a programmer error
}

/// A value, or all problems found at once.
template <class T>
using Result = boost::system::result<T, Problems>;

}  // namespace idemsim
