// What happened at each event, in words.
#pragma once

#include "sim/world/world.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace idemsim {

/// Words for the events of one narrated run. `numbers` are those of its trace, 0 = left out.
class EventWords {
 public:
  EventWords(const World& world, const std::vector<std::uint32_t>& numbers)
      : world_(&world), numbers_(&numbers) {}
  [[nodiscard]] std::string of(EventIndex event) const;

 private:
  [[nodiscard]] std::string value(const Value& value) const;
  [[nodiscard]] std::string answer(const Event& event) const;
  [[nodiscard]] std::string sending(const Event& event) const;
  [[nodiscard]] std::string fault(const Event& event) const;

  const World* world_;
  const std::vector<std::uint32_t>* numbers_;
};

/// The attempt behind an event: "attempt 1", "copy of attempt 1", "probe".
[[nodiscard]] std::string delivery_name(const World& world, Origin delivery);

/// What the statement of a store event was told: the part behind the last arrow of its text.
[[nodiscard]] std::string told_at(const World& world, EventIndex event);

}  // namespace idemsim
