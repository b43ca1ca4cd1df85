// Durations survive printing and reading; slips of the pen are recognised.
#include "sim/base/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <vector>

namespace idemsim {
namespace {

struct BadDuration {
  const char* text;
  const char* message;
  const char* nearest;
};

constexpr const char* kExpected = ": expected an integer and a unit (ns us ms s m h d)";
const std::array kBad = {
    BadDuration{"", "\"\" is not a duration", ""},
    BadDuration{"soon", "\"soon\" is not a duration", ""},
    BadDuration{"250", "duration \"250\" has no unit", "250ms"},
    BadDuration{"5sec", "duration \"5sec\" has an unknown unit", "5s"},
    BadDuration{"5 ms", "duration \"5 ms\" has an unknown unit", "5ms"},
    BadDuration{"5MS", "duration \"5MS\" has an unknown unit", "5ms"},
    BadDuration{"5 years", "duration \"5 years\" has an unknown unit", ""},
    BadDuration{"1.5s", "duration \"1.5s\" has a fraction", "1500ms"},
    BadDuration{"0.0000000001s", "duration \"0.0000000001s\" has a fraction", ""},
    BadDuration{"1.5", "duration \"1.5\" has a fraction", ""},
};

TEST(Text, BadDurationsSayWhatIsExpected) {
  for (const BadDuration& bad : kBad) {
    const Result<Duration> result = parse_duration(bad.text);
    ASSERT_FALSE(result.has_value()) << bad.text;
    EXPECT_EQ(result.error()[0].message, std::string(bad.message) + kExpected);
    EXPECT_EQ(result.error()[0].nearest, bad.nearest);
  }
}

TEST(Text, DurationsHaveARange) {
  EXPECT_EQ(parse_duration("-5ms").error()[0].message,
            "duration \"-5ms\" is negative: expected 0 or more");
  EXPECT_EQ(parse_duration("26688d").error()[0].message,
            "duration \"26688d\" is too long: expected at most 26687d");
  EXPECT_EQ(parse_duration("99999999999999999999ns").error()[0].message,
            "duration \"99999999999999999999ns\" is too long: expected at most 26687d");
  EXPECT_EQ(parse_duration("26687d")->ns, 26687 * 86'400'000'000'000);
}

TEST(Text, WindowsAreTwoDurationsInOrder) {
  EXPECT_EQ(*parse_window("2ms..6ms"), (Window{milliseconds(2), milliseconds(6)}));
  EXPECT_EQ(*parse_window("5ms"), (Window{milliseconds(5), milliseconds(5)}));
  EXPECT_EQ(parse_window("6ms..2ms").error()[0].nearest, "2ms..6ms");
  EXPECT_FALSE(parse_window("..").has_value());
  EXPECT_FALSE(parse_window("2ms..6ms..8ms").has_value());
}

RC_GTEST_PROP(Text, DurationsRoundTrip, ()) {
  const Duration duration{*rc::gen::inRange<std::int64_t>(0, kForever.ns)};
  const Result<Duration> again = parse_duration(format_duration(duration));
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == duration);
}

RC_GTEST_PROP(Text, AnyTextIsADurationOrAProblem, (const std::string& text)) {
  const Result<Window> result = parse_window(text);
  RC_ASSERT(result.has_value() || !result.error()[0].message.empty());
}

RC_GTEST_PROP(Text, PrintableTextIsOneLineOfValidUtf8, (const std::string& text)) {
  const std::string shown = printable(text);
  RC_ASSERT(shown.find('\n') == std::string::npos);
  for (std::size_t i = 0; i < shown.size(); i += utf8_length(shown, i)) {
    RC_ASSERT(utf8_length(shown, i) > 0u);
  }
}

TEST(Text, TheNearestNameIsNear) {
  const std::vector<std::string_view> names = {"check_then_write", "insert_first", "no_key"};
  EXPECT_EQ(nearest_name("inesrt_first", names), "insert_first");
  EXPECT_EQ(nearest_name("check", names), "check_then_write");
  EXPECT_EQ(nearest_name("nokey", names), "no_key");
  EXPECT_EQ(nearest_name("redlock", names), "");
  EXPECT_EQ(nearest_name("", names), "");
}

TEST(Text, Utf8IsCheckedByTheRfc) {
  EXPECT_EQ(utf8_length("\xc3\xa9", 0), 2u);
  EXPECT_EQ(utf8_length("\xe2\x82\xac", 0), 3u);
  EXPECT_EQ(utf8_length("\xf0\x9f\x98\x80", 0), 4u);
  for (const char* broken : {"\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"}) {
    EXPECT_EQ(utf8_length(broken, 0), 0u);
  }
}

}  // namespace
}  // namespace idemsim
