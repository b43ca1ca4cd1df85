// The house rules that can be read off the text of a source; what each refuses, it says how to
// mend.
#pragma once

#include "tests/tidy/source.hpp"

#include <string>
#include <vector>

namespace idemsim::tidy {

/// A file starts with a sentence of comment; a header has `#pragma once`.
std::vector<Finding> check_opening(const Source& source);

/// Lines of at most 100 columns; files of at most 400 lines, strategies of at most 160 before their
/// definition.
std::vector<Finding> check_size(const Source& source);

/// A file includes only what lies below it (the table of layers in layers.cpp).
std::vector<Finding> check_layers(const Source& source);

/// Things that would bring time, chance, threads, addresses or hash order into a run (bans.cpp).
std::vector<Finding> check_bans(const Source& source);

/// What g++ 12 destroys twice when it stands in one statement with a co_await: `{`, `?`, lambdas.
std::vector<Finding> check_co_await(const Source& source);

/// All of the above.
std::vector<Finding> check(const Source& source);

}  // namespace idemsim::tidy
