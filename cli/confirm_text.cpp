// The report of `confirm`: each step as the real store answered it, then what was the same.
#include "cli/confirm.hpp"
#include "sim/base/text.hpp"
#include "sim/model/names.hpp"
#include "sim/model/token.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace idemsim {
namespace {

std::string lines_of(const std::vector<StoryLine>& story) {
  std::size_t ids = 0;
  std::size_t sites = 0;
  for (const StoryLine& told : story) {
    ids = std::max(ids, told.step.size());
    sites = std::max(sites, told.site.size());
  }
  std::string text;
  for (const StoryLine& told : story) {
    text += fmt::format("  {:<{}}  {:<{}}  {}\n", told.step, ids, told.site, sites, told.text);
  }
  return text;
}

std::string expiries_of(const adapters::LockStep& steps) {
  std::string text;
  for (const adapters::Shortened& expiry : steps.shortened()) {
    // Whole milliseconds: more digits would be noise.
    const std::int64_t real_ms = std::max<std::int64_t>(expiry.real.ns / 1'000'000, 1);
    const Duration real = milliseconds(real_ms);
    text += fmt::format("expiry: {} after {}: {} in the scenario, {} here, factor {:.1f}\n",
                        expiry.what, to_string(expiry.after), format_duration(expiry.length),
                        format_duration(real),
                        static_cast<double>(expiry.length.ns) / static_cast<double>(real.ns));
  }
  return text;
}

std::string effects_of(const Confirmation& confirmation) {
  std::string text;
  for (const adapters::TableEnd& table : confirmation.tables) {
    if (table.same && table.simulated == 0) continue;
    text += fmt::format("{}{} {} {}", text.empty() ? "rows: " : ", ", table.name, table.real,
                        table.same                      ? "(the same)"
                        : table.real == table.simulated ? "(with other cells)"
                                                        : "");
    if (table.real != table.simulated) {
      text += fmt::format("(simulated: {})", table.simulated);
    }
  }
  if (!text.empty()) text += "\n";
  return text + fmt::format("charges: {} in the provider's ledger\n", confirmation.charges);
}

std::string verdict_of(const Confirmation& confirmation) {
  std::string names;
  for (const Property property : confirmation.violated) {
    names += (names.empty() ? "" : ", ") + std::string(to_string(property));
  }
  return names.empty() ? "no property is violated" : "violated: " + names;
}

}  // namespace

bool Confirmation::same() const {
  return same_history && steps->difference() == nullptr &&
         std::all_of(tables.begin(), tables.end(), [](const auto& t) { return t.same; });
}

std::string render_confirmation(const Confirmation& confirmation) {
  std::string stores;
  for (const std::string& store : confirmation.stores) {
    stores += (stores.empty() ? "" : ", ") + store;
  }
  std::string text = fmt::format("{} {}: {}\n\n", confirmation.scenario, confirmation.cell,
                                 stores.empty() ? "the run uses no store" : stores);
  const adapters::LockStep& steps = *confirmation.steps;
  text += lines_of(confirmation.story) + "\n" + expiries_of(steps) + effects_of(confirmation);
  text += verdict_of(confirmation) + "\n";
  if (confirmation.same()) {
    return text +
           fmt::format("SAME: {} answers, their order and the effects\n", steps.lines().size());
  }
  if (const adapters::Line* line = steps.difference()) {
    return text + fmt::format("DIFFERS first at {} ({}): simulated {}, real {}\n",
                              to_string(line->step), line->site.view(), line->simulated,
                              line->real);
  }
  return text + (confirmation.same_history ? "DIFFERS in the rows at the end\n"
                                           : "DIFFERS in the history\n");
}

}  // namespace idemsim
