// What the registry says of each strategy: generated lists and messages are made of it.
#include "sim/model/names.hpp"
#include "sim/strategy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace idemsim {
namespace {

std::vector<StrategyDefinition> every_strategy() {
  std::vector<StrategyDefinition> all;
  for (const StrategyFactory make : strategy_registry()) all.push_back(make());
  return all;
}

TEST(Registry, AStrategyIsCalledAsItsFile) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(IDEMSIM_SOURCE_DIR "/strategies")) {
    if (entry.path().extension() == ".cpp") files.push_back(entry.path().stem().string());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> names;
  for (const StrategyDefinition& d : every_strategy()) names.push_back(d.info.name);
  EXPECT_EQ(names, files);
}

TEST(Registry, EachStrategySaysWhatItIs) {
  for (const StrategyDefinition& d : every_strategy()) {
    SCOPED_TRACE(d.info.name);
    EXPECT_NE(d.handle, nullptr);
    EXPECT_FALSE(d.info.summary.empty());
    EXPECT_FALSE(d.info.source.empty());
    EXPECT_FALSE(d.info.operations.empty());
  }
}

TEST(Registry, EachParameterHasASummaryAndADefaultInItsRange) {
  for (const StrategyDefinition& d : every_strategy()) {
    std::set<std::string> names;
    bool others = false;
    for (const ParameterInfo& p : d.info.parameters) {
      SCOPED_TRACE(d.info.name + "." + p.name);
      EXPECT_TRUE(names.insert(p.name).second);
      EXPECT_FALSE(p.summary.empty());
      EXPECT_GE(p.default_value, p.least);
      EXPECT_LE(p.default_value, p.most);
      const bool choice = p.type == ParameterInfo::Type::choice;
      EXPECT_EQ(choice, !p.choices.empty());
      if (choice) {
        EXPECT_EQ(static_cast<std::size_t>(p.most) + 1, p.choices.size());
      }
      const bool safeguard = p.type == ParameterInfo::Type::safeguard;
      EXPECT_FALSE(safeguard && others) << "safeguards come first";
      if (safeguard) {
        EXPECT_EQ(p.default_value, 1);
      }
      others = others || !safeguard;
    }
  }
}

TEST(Registry, AClaimNamesAPropertyOnceAndFaultsOnce) {
  for (const StrategyDefinition& d : every_strategy()) {
    SCOPED_TRACE(d.info.name);
    std::set<Property> claimed;
    for (const ClaimInfo& claim : d.info.claims) {
      SCOPED_TRACE(std::string(to_string(claim.property)));
      EXPECT_TRUE(claimed.insert(claim.property).second);
      EXPECT_NE(claim.property, Property::exercised) << "a measurement, not a promise";
      const std::set<FaultKind> faults(claim.faults.begin(), claim.faults.end());
      EXPECT_EQ(faults.size(), claim.faults.size());
    }
  }
}

TEST(Registry, TablesOfAStrategyDoNotClash) {
  for (const StrategyDefinition& d : every_strategy()) {
    SCOPED_TRACE(d.info.name);
    std::set<std::string_view> names = {kOrders.view(), kPayments.view(), kCoupons.view(),
                                        kIntent.view()};
    for (const sql::TableDefinition& table : d.tables) {
      EXPECT_TRUE(names.insert(table.name.view()).second) << table.name.view();
      EXPECT_LE(table.columns.size(), sql::kColumnsMax);
    }
  }
}

}  // namespace
}  // namespace idemsim
