// Where the program writes and what it knows about the outside; tests give it something else.
#pragma once

#include <atomic>
#include <ostream>
#include <string>

namespace idemsim {

struct Console {
  std::ostream& out;  ///< reports, and nothing else
  std::ostream& err;  ///< problems and progress
  bool out_terminal = false;
  bool err_terminal = false;
  bool colour_wanted = true;                       ///< false with NO_COLOR or TERM=dumb
  bool utf8 = true;                                ///< of the locale
  int width = 80;                                  ///< columns of the terminal behind `out`
  std::string program_folder{};                    ///< of the executable; empty = not known
  const std::atomic<bool>* interrupted = nullptr;  ///< Ctrl-C was pressed
};

}  // namespace idemsim
