// Widths, wrapping and numbers: the parts that the reports are made of.
#include "reports/layout.hpp"

#include "reports/numbers.hpp"

#include <gtest/gtest.h>

namespace idemsim {
namespace {

using Lines = std::vector<std::string>;

TEST(Layout, WidthCountsCharactersWithoutColour) {
  EXPECT_EQ(width_of("a → b"), 5u);
  EXPECT_EQ(width_of(Pen({.colour = true}).paint(Colour::red, "✓ 12")), 4u);
}

TEST(Layout, TextIsBrokenAtBlanks) {
  EXPECT_EQ(wrapped("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrapped("→ → →", 3), (Lines{"→ →", "→"}));
  EXPECT_EQ(wrapped("", 7), Lines{""});
}

TEST(Layout, AWordThatIsTooLongIsBroken) {
  EXPECT_EQ(wrapped("abcdefgh ij", 3), (Lines{"abc", "def", "gh", "ij"}));
}

TEST(Layout, AsciiSpellsTheSigns) {
  EXPECT_EQ(Pen({.ascii = true}).write("a → b ≤ 1 · ü"), "a -> b <= 1 . ?");
}

TEST(Numbers, AreGrouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "run"), "1 run");
}

TEST(Numbers, DurationsHaveAReadableUnit) {
  EXPECT_EQ(duration_text(0), "0.0 ms");
  EXPECT_EQ(duration_text(1'500), "2 µs");
  EXPECT_EQ(duration_text(6'049'999), "6.0 ms");
  EXPECT_EQ(duration_text(31'000'000'000), "31.0 s");
}

TEST(Numbers, ProbabilitiesAreRounded) {
  EXPECT_EQ(percent(0.0014967), "0.15 %");
  EXPECT_EQ(six_digits(0.00149674523), 0.00149675);
  EXPECT_EQ(six_digits(1), 1);
}

}  // namespace
}  // namespace idemsim
