// list: what a scenario can name.
#include "cli/commands.hpp"
#include "sim/base/text.hpp"
#include "sim/model/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace idemsim {
namespace {

std::string default_text(const ParameterInfo& parameter) {
  switch (parameter.type) {
    case ParameterInfo::Type::safeguard:
    case ParameterInfo::Type::boolean:
      return parameter.default_value != 0 ? "true" : "false";
    case ParameterInfo::Type::duration:
      return format_duration(Duration{parameter.default_value});
    case ParameterInfo::Type::integer:
      return std::to_string(parameter.default_value);
    case ParameterInfo::Type::choice:
      return parameter.choices.at(static_cast<std::size_t>(parameter.default_value));
  }
  return "";
}

std::string parameter_line(const ParameterInfo& parameter) {
  std::string values = "default " + default_text(parameter);
  if (parameter.type == ParameterInfo::Type::safeguard) values = "safeguard, on by default";
  if (parameter.type == ParameterInfo::Type::choice) {
    values =
        fmt::format("{} (default {})", fmt::join(parameter.choices, ", "), default_text(parameter));
  }
  return fmt::format("      {}: {}; {}\n", parameter.name, parameter.summary, values);
}

std::string faults_text(const ClaimInfo& claim) {
  if (claim.faults.empty()) return "without faults";
  std::vector<std::string_view> names;
  for (const FaultKind kind : claim.faults) names.push_back(to_string(kind));
  return fmt::format("under {}", fmt::join(names, ", "));
}

std::string operations_text(const StrategyInfo& strategy) {
  std::vector<std::string_view> names;
  for (const OperationKind kind : strategy.operations) names.push_back(to_string(kind));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string strategies_text(const Catalogue& catalogue) {
  std::string text = "strategies\n";
  for (const StrategyInfo& strategy : catalogue.strategies) {
    text += fmt::format("  {}: {}\n", strategy.name, strategy.summary);
    text += fmt::format("    source: {}\n", strategy.source);
    text += fmt::format("    operations: {}\n", operations_text(strategy));
    if (!strategy.parameters.empty()) text += "    parameters:\n";
    for (const ParameterInfo& parameter : strategy.parameters) text += parameter_line(parameter);
    if (!strategy.claims.empty()) text += "    claims:\n";
    for (const ClaimInfo& claim : strategy.claims) {
      text += fmt::format("      {} {}\n", to_string(claim.property), faults_text(claim));
    }
  }
  return text;
}

/// A cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

/// What can be switched off.
std::string safeguards_text(const StrategyInfo& strategy) {
  std::vector<std::string> names;
  for (const ParameterInfo& parameter : strategy.parameters) {
    if (parameter.type == ParameterInfo::Type::safeguard)
      names.push_back("`" + parameter.name + "`");
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The faults under which it claims that an effect happens at most once.
std::string at_most_once_text(const StrategyInfo& strategy) {
  std::vector<std::string> parts;
  for (const ClaimInfo& claim : strategy.claims) {
    if (claim.property != Property::at_most_once) continue;
    if (claim.faults.empty()) parts.emplace_back("without faults");
    for (const FaultKind kind : claim.faults) {
      const std::string name = "`" + std::string(to_string(kind)) + "`";
      if (std::find(parts.begin(), parts.end(), name) == parts.end()) parts.push_back(name);
    }
  }
  return parts.empty() ? "never" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string strategies_table(const Catalogue& catalogue) {
  std::string text =
      "| strategy | what it does | safeguards | at most once, as it claims, under |\n"
      "|---|---|---|---|\n";
  for (const StrategyInfo& strategy : catalogue.strategies) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", strategy.name, cell(strategy.summary),
                        safeguards_text(strategy), at_most_once_text(strategy));
  }
  return text;
}

/// "  NAME  SUMMARY" per value of an enumeration, summaries aligned.
template <class Enum>
std::string words_text(const char* title) {
  const std::span<const std::string_view> words = words_of<Enum>();
  std::size_t width = 0;
  for (const std::string_view word : words) width = std::max(width, word.size());
  std::string text = std::string(title) + "\n";
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += fmt::format("  {:<{}}  {}\n", words[i], width, summary_of(static_cast<Enum>(i)));
  }
  return text;
}

}  // namespace

ExitStatus list_command(const Flags& flags, const Console& console) {
  const Catalogue catalogue = StrategyLibrary().catalogue();
  if (flags.markdown) return print_out(strategies_table(catalogue), console);
  switch (flags.topic) {
    case Topic::strategies:
      return print_out(strategies_text(catalogue), console);
    case Topic::faults:
      return print_out(words_text<FaultKind>("faults"), console);
    case Topic::properties:
      return print_out(words_text<Property>("properties"), console);
    case Topic::operations:
      return print_out(words_text<OperationKind>("operations"), console);
    case Topic::everything:
      break;
  }
  return print_out(strategies_text(catalogue) + "\n" + words_text<OperationKind>("operations") +
                       "\n" + words_text<FaultKind>("faults") + "\n" +
                       words_text<Property>("properties"),
                   console);
}

}  // namespace idemsim
