// Every enumerator has a word of its own, and the word leads back to it.
#include "sim/model/names.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace idemsim {
namespace {

template <class Enum>
class Names : public testing::Test {};
using Enumerations = testing::Types<FaultKind, Store, EventType, OperationKind, Status, Cut,
                                    Arrival, KeyPolicy, Dialect, Isolation, Mode, TimeModel,
                                    Expectation::Is, Property, Verdict, FindingKind>;
TYPED_TEST_SUITE(Names, Enumerations);

TYPED_TEST(Names, AWordLeadsBackToItsEnumerator) {
  const auto words = words_of<TypeParam>();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto value = static_cast<TypeParam>(i);
    EXPECT_EQ(to_string(value), words[i]);
    EXPECT_EQ(enumerator_named<TypeParam>(words[i]), value);
  }
  EXPECT_EQ(std::set<std::string_view>(words.begin(), words.end()).size(), words.size());
  EXPECT_FALSE(enumerator_named<TypeParam>("nothing_of_this_name").has_value());
}

TEST(NamesOfThePublic, AreSnakeCase) {
  for (const std::string_view word : words_of<Property>()) {
    EXPECT_TRUE(std::all_of(word.begin(), word.end(),
                            [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; }));
  }
}

TEST(NamesOfThePublic, ComeWithOneSentence) {
  for (const FaultKind kind : kFaultKinds) EXPECT_FALSE(summary_of(kind).empty());
  for (const Property property : kProperties) EXPECT_FALSE(summary_of(property).empty());
  EXPECT_EQ(fault_named("crash"), FaultKind::crash);
  EXPECT_EQ(property_named("exercised"), Property::exercised);
  EXPECT_EQ(finding_kind_named("toctou"), FindingKind::toctou);
}

}  // namespace
}  // namespace idemsim
