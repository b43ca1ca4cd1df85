// The canonical text has a fixed order of lines; it changes if and only if the meaning does.
#include "scenarios/digest.hpp"

#include "sim/base/assert.hpp"
#include "sim/base/hash.hpp"
#include "sim/base/text.hpp"
#include "sim/model/names.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>

namespace idemsim {

std::string sha256_of(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  const int done =
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  IDEMSIM_ASSERT(done == 1);
  IDEMSIM_ASSERT(size == 32);
  std::string text;
  for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

namespace {

std::string of_clients(const ClientSpec& clients) {
  const RetryPolicy& retry = clients.retry;
  return fmt::format("clients {} {} {} {} {}\nretry timeout {} attempts {} backoff {} factor {}\n",
                     clients.count, clients.operations, to_string(clients.arrival),
                     format_window(clients.second_click), to_string(clients.key),
                     format_duration(retry.timeout), retry.attempts, format_window(retry.backoff),
                     retry.backoff_factor);
}

std::string of_world(const WorldSpec& world) {
  const LatencySpec& latency = world.latency;
  return fmt::format(
      "servers {}\nclient-server {}\nserver-db {}\nserver-redis {}\nserver-provider {}\n"
      "database {} {}\nprovider keys {}\nintent after {}\n",
      world.servers, format_window(latency.client_server), format_window(latency.server_db),
      format_window(latency.server_redis), format_window(latency.server_provider),
      to_string(world.dialect), to_string(world.isolation), world.provider_keys ? 1 : 0,
      format_window(world.intent_after));
}

std::string of_strategy(const StrategyVariant& variant, const Catalogue& catalogue) {
  std::string text = fmt::format("strategy {} {}\n", variant.label, variant.strategy);
  const StrategyInfo* info = catalogue.find(variant.strategy);
  IDEMSIM_ASSERT(info != nullptr);
  for (const ParameterInfo& parameter : info->parameters) {
    const auto set = std::find_if(variant.parameters.begin(), variant.parameters.end(),
                                  [&](const auto& p) { return p.first == parameter.name; });
    text += fmt::format("  {} {}\n", parameter.name,
                        set == variant.parameters.end() ? parameter.default_value : set->second);
  }
  return text;
}

std::string of_plan(const FaultPlan& plan) {
  std::string text = fmt::format("faults {}\n", plan.label);
  for (const FaultSpec& fault : plan.faults) {
    // Lengths before the free texts, so that no two plans have the same lines.
    text += fmt::format("  {} {} {}/{} {} {}:{} {}:{} {}\n", to_string(fault.kind), fault.at_most,
                        fault.probability.numerator, fault.probability.denominator,
                        format_window(fault.by), fault.site.size(), fault.site,
                        fault.process.size(), fault.process, to_string(fault.store));
  }
  return text;
}

}  // namespace

std::string canonical_text(const Scenario& scenario, const Catalogue& catalogue) {
  std::string text =
      fmt::format("seed {}\noperation {}\n", scenario.seed, to_string(scenario.operation));
  text += of_clients(scenario.clients);
  text += of_world(scenario.world);
  for (const StrategyVariant& variant : scenario.strategies)
    text += of_strategy(variant, catalogue);
  for (const FaultPlan& plan : scenario.faults) text += of_plan(plan);
  for (const Property property : scenario.properties) {
    text += fmt::format("property {}\n", to_string(property));
  }
  const ExploreSpec& explore = scenario.explore;
  text += fmt::format("explore {} {} {} {} {}\n", to_string(explore.mode), to_string(explore.time),
                      explore.runs, explore.steps_max, explore.states_max);
  return text;
}

std::uint32_t canonical_hash_of(const Scenario& scenario, const Catalogue& catalogue) {
  const std::string text = canonical_text(scenario, catalogue);
  return static_cast<std::uint32_t>(hash_bytes(text.data(), text.size()).low);
}

}  // namespace idemsim
