// Printing and reading a replay token; every broken part is reported, not only the first.
#include "sim/model/token.hpp"

#include "sim/base/assert.hpp"
#include "sim/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace idemsim {

namespace {

constexpr std::string_view kFormat = "ids1";
constexpr std::string_view kForm =
    "ids1.SEMANTICS.SCENARIO.STRATEGY@FAULTS.OVERRIDES.SEED.CHOICES[.hHASH]";
constexpr std::size_t kTokenMax = 1 << 20;

constexpr bool is_word_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '-';
}
bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_word_char);
}

std::string encoded(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (is_word_char(c)) {
      result += c;
    } else if (c == ' ') {
      result += '+';
    } else {
      result += fmt::format("^{:02x}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

/// A whole number in `base`, digits only, that fits; nothing otherwise.
template <class Number>
std::optional<Number> number_in(std::string_view text, int base = 10) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      result += ' ';
    } else if (text[i] == '^') {
      const auto byte = text.size() - i < 3 ? std::optional<std::uint8_t>()
                                            : number_in<std::uint8_t>(text.substr(i + 1, 2), 16);
      if (!byte || *byte == 0) return std::nullopt;
      result += static_cast<char>(*byte);
      i += 2;
    } else if (is_word_char(text[i])) {
      result += text[i];
    } else {
      return std::nullopt;
    }
  }
  return result;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != separator) continue;
    parts.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  return parts;
}

/// Reads the parts of one token and collects what is wrong with them.
class Reader {
 public:
  Result<Token> read(std::string_view text);

 private:
  void complain(std::string_view part, std::string message, std::string nearest = "") {
    Problem problem;
    problem.pointer = part;
    problem.message = std::move(message);
    problem.nearest = std::move(nearest);
    problems_.push_back(std::move(problem));
  }
  void read_numbers(std::string_view semantics, std::string_view scenario, std::string_view seed);
  void read_cell(std::string_view cell);
  void read_overrides(std::string_view overrides);
  void read_choices(std::string_view choices);
  void read_take(std::string_view entry);
  void read_hash(std::string_view hash);
  std::optional<StepId> step_in(std::string_view text);

  Token token_;
  Problems problems_;
  std::vector<std::string> texts_;       ///< site and alternative of each take
  std::vector<std::uint32_t> ordinals_;  ///< of each take
  std::vector<StepId> take_steps_;       ///< of each take
};

Result<Token> Reader::read(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  text = first == std::string_view::npos ? "" : text.substr(first);
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  if (text.size() > kTokenMax) {
    complain("token",
             fmt::format("the token has {} bytes: expected at most {}", text.size(), kTokenMax));
    return problems_;
  }
  const std::vector<std::string_view> parts = split(text, '.');
  if (parts[0] != kFormat) {
    complain("format", fmt::format("\"{}\" is no replay token of this version: expected {}",
                                   printable(text), kForm));
    return problems_;
  }
  if (parts.size() != 7 && parts.size() != 8) {
    complain("token",
             fmt::format("the token has {} parts between dots: expected {}", parts.size(), kForm));
    return problems_;
  }
  read_numbers(parts[1], parts[2], parts[5]);
  read_cell(parts[3]);
  read_overrides(parts[4]);
  read_choices(parts[6]);
  if (parts.size() == 8) read_hash(parts[7]);
  if (!problems_.empty()) return problems_;

  IDEMSIM_ASSERT(texts_.size() == 2 * take_steps_.size());
  const auto texts = std::make_shared<const std::vector<std::string>>(std::move(texts_));
  for (std::size_t i = 0; i < take_steps_.size(); ++i) {
    const Name site((*texts)[2 * i].c_str());
    const Name alternative((*texts)[2 * i + 1].c_str());
    token_.schedule.takes.push_back({take_steps_[i], site, ordinals_[i], alternative});
  }
  token_.texts = texts;
  return token_;
}

void Reader::read_numbers(std::string_view semantics, std::string_view scenario,
                          std::string_view seed) {
  if (const auto number = number_in<std::uint32_t>(semantics)) {
    token_.semantics = *number;
  } else {
    complain("semantics",
             fmt::format("\"{}\" is no version: expected a number", printable(semantics)), "1");
  }
  if (const auto number = number_in<std::uint32_t>(scenario, 16); number && scenario.size() == 8) {
    token_.scenario_hash = *number;
  } else {
    complain("scenario",
             fmt::format("\"{}\" is no scenario hash: expected 8 hexadecimal digits",
                         printable(scenario)),
             number && scenario.size() < 8 ? fmt::format("{:08x}", *number) : "");
  }
  if (const auto number = number_in<std::uint64_t>(seed)) {
    token_.seed = *number;
  } else {
    complain("seed", fmt::format("\"{}\" is no seed: expected a number from 0 to {}",
                                 printable(seed), UINT64_MAX));
  }
}

void Reader::read_cell(std::string_view cell) {
  const std::size_t at = cell.find('@');
  const std::vector<std::string_view> row = split(cell.substr(0, at), ',');
  const std::string_view column = at == std::string_view::npos ? "" : cell.substr(at + 1);
  if (at == std::string_view::npos || !is_word(row[0]) || !is_word(column)) {
    complain("cell",
             fmt::format("\"{}\" is no cell: expected the label of a strategy, @ and the "
                         "label of a fault plan, like insert_first@none",
                         printable(cell)),
             is_word(cell) ? fmt::format("{}@none", cell) : "");
    return;
  }
  token_.strategy = row[0];
  token_.faults = column;
  for (std::size_t i = 1; i < row.size(); ++i) {
    const std::size_t equals = std::min(row[i].find('='), row[i].size());
    const std::string_view name = row[i].substr(0, equals);
    const auto value = number_in<std::int64_t>(row[i].substr(std::min(equals + 1, row[i].size())));
    if (is_word(name) && value) {
      token_.switches.emplace_back(name, *value);
    } else {
      complain("cell",
               fmt::format("\"{}\" is no switch: expected NAME=NUMBER, like takeover=0",
                           printable(row[i])),
               is_word(name) && equals == row[i].size() ? fmt::format("{}=0", name) : "");
    }
  }
}

void Reader::read_overrides(std::string_view overrides) {
  if (overrides == "-") return;
  for (const std::string_view entry : split(overrides, ',')) {
    const std::size_t equals = std::min(entry.find('='), entry.size());
    const std::string_view name = entry.substr(0, equals);
    const std::string_view value = entry.substr(std::min(equals + 1, entry.size()));
    if (is_word(name) && is_word(value)) {
      token_.overrides.emplace_back(name, value);
    } else {
      complain("overrides",
               fmt::format("\"{}\" is no override: expected NAME=VALUE, like attempts=1, or - for "
                           "none",
                           printable(entry)),
               overrides.empty() ? "-" : "");
    }
  }
}

void Reader::read_choices(std::string_view choices) {
  if (choices == "-") return;
  for (const std::string_view entry : split(choices, ',')) {
    const std::size_t colon = entry.find(':');
    if (entry.find('/') != std::string_view::npos) {
      read_take(entry);
    } else if (colon != std::string_view::npos) {
      const std::optional<StepId> before = step_in(entry.substr(0, colon));
      const std::optional<StepId> run = step_in(entry.substr(colon + 1));
      if (before && run) token_.schedule.runs.push_back({*before, *run});
    } else {
      complain("choices",
               fmt::format("\"{}\" is no choice: expected STEP:STEP, STEP/SITE/ORDINAL=ALTERNATIVE "
                           "or - for none",
                           printable(entry)),
               choices.empty() ? "-" : "");
    }
  }
}

void Reader::read_take(std::string_view entry) {
  const std::vector<std::string_view> parts = split(entry, '/');
  const std::string_view last = parts.back();
  const std::size_t equals = last.find('=');
  const bool complete = parts.size() == 3 && equals != std::string_view::npos;
  const auto ordinal = number_in<std::uint32_t>(last.substr(0, equals));
  const auto site = decoded(complete ? parts[1] : "");
  const auto alternative = decoded(complete ? last.substr(equals + 1) : "");
  if (!complete || !ordinal || !site || !alternative || site->empty() || alternative->empty()) {
    complain("choices", fmt::format("\"{}\" is no choice: expected STEP/SITE/ORDINAL=ALTERNATIVE, "
                                    "like c0a1n3/find+record/0=drop",
                                    printable(entry)));
    return;
  }
  const std::optional<StepId> step = step_in(parts[0]);
  if (!step) return;
  texts_.push_back(*site);
  texts_.push_back(*alternative);
  ordinals_.push_back(*ordinal);
  take_steps_.push_back(*step);
}

void Reader::read_hash(std::string_view hash) {
  const std::string_view digits = hash.substr(std::min<std::size_t>(1, hash.size()));
  const bool complete = digits.size() == 32 && hash[0] == 'h';
  const auto high = number_in<std::uint64_t>(complete ? digits.substr(0, 16) : "", 16);
  const auto low = number_in<std::uint64_t>(complete ? digits.substr(16) : "", 16);
  if (high && low) {
    token_.hash = Hash128{*high, *low};
  } else {
    complain("hash", fmt::format("\"{}\" is no hash: expected h and 32 hexadecimal digits, or "
                                 "nothing",
                                 printable(hash)));
  }
}

std::optional<StepId> Reader::step_in(std::string_view text) {
  const Result<StepId> step = parse_step_id(text);
  if (step) return *step;
  complain("choices", step.error()[0].message, step.error()[0].nearest);
  return std::nullopt;
}

template <class Value>
std::string joined(const std::vector<std::pair<std::string, Value>>& pairs) {
  std::string text;
  for (const auto& [name, value] : pairs) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  }
  return text;
}

}  // namespace

std::string to_string(const Schedule& schedule) {
  std::string text;
  const auto comma = [&text] { return text.empty() ? "" : ","; };
  for (const RunBefore& r : schedule.runs) {
    text += fmt::format("{}{}:{}", comma(), to_string(r.before), to_string(r.run));
  }
  for (const Take& t : schedule.takes) {
    text += fmt::format("{}{}/{}/{}={}", comma(), to_string(t.step), encoded(t.site.view()),
                        t.ordinal, encoded(t.alternative.view()));
  }
  return text.empty() ? "-" : text;
}

std::string to_string(const Token& token) {
  IDEMSIM_ASSERT(is_word(token.strategy));
  IDEMSIM_ASSERT(is_word(token.faults));
  const std::string switches = joined(token.switches);
  const std::string overrides = joined(token.overrides);
  std::string text =
      fmt::format("{}.{}.{:08x}.{}{}{}@{}.{}.{}.{}", kFormat, token.semantics, token.scenario_hash,
                  token.strategy, switches.empty() ? "" : ",", switches, token.faults,
                  overrides.empty() ? "-" : overrides, token.seed, to_string(token.schedule));
  if (token.hash) text += ".h" + to_hex(*token.hash);
  return text;
}

Result<Token> parse_token(std::string_view text) { return Reader().read(text); }

}  // namespace idemsim
