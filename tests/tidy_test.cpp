// The house rules: first that each can be broken, then that no source breaks one.
#include "tests/tidy/rules.hpp"
#include "tests/tidy/source.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace idemsim::tidy {
namespace {

using Rule = std::vector<Finding> (*)(const Source&);

/// "path:line" of each finding of a rule in a small text.
std::vector<std::string> places(Rule rule, std::string path, std::string text) {
  std::vector<std::string> places;
  for (const Finding& finding : rule(make_source(std::move(path), std::move(text)))) {
    places.push_back(finding.path + ":" + std::to_string(finding.line));
  }
  return places;
}

using Places = std::vector<std::string>;

/// Whether a statement inside a coroutine is refused.
bool refused(std::string_view statement) {
  const std::string text =
      "Task<void> f() {\n  int before = 1;\n  " + std::string(statement) + "\n}\n";
  return !check_co_await(make_source("strategies/x.cpp", text)).empty();
}

TEST(SourceText, CommentsAndLiteralsAreNotCode) {
  const Source source =
      make_source("sim/base/x.cpp", "a; // b\n\"c\\\"d\" 'e' 1'000 /* f\n g */ R\"x(h \" )x\" i");
  EXPECT_EQ(source.code, "a;     \n\"    \" ' ' 1'000     \n      R\"        \" i");
}

TEST(Opening, AFileStartsWithASentence) {
  EXPECT_EQ(places(check_opening, "sim/base/x.cpp", "#include <array>\n"),
            Places{"sim/base/x.cpp:1"});
  EXPECT_EQ(places(check_opening, "sim/base/x.cpp", "// no full stop\n"),
            Places{"sim/base/x.cpp:1"});
  EXPECT_EQ(places(check_opening, "sim/base/x.cpp", "// Two lines of\n// one sentence.\nint a;\n"),
            Places{});
}

TEST(Opening, AHeaderIsReadOnce) {
  EXPECT_EQ(places(check_opening, "sim/base/x.hpp", "// A thing.\n// #pragma once\n"),
            (Places{"sim/base/x.hpp:1", "sim/base/x.hpp:1"}));
  EXPECT_EQ(places(check_opening, "sim/base/x.hpp", "// A thing.\n#pragma once\n"), Places{});
}

TEST(Size, ColumnsAreCharactersNotBytes) {
  const std::string wide(101, 'x');
  std::string umlauts;
  for (int i = 0; i < 100; ++i) umlauts += "\xc3\xa4";
  EXPECT_EQ(places(check_size, "cli/x.cpp", "\n" + wide + "\n"), Places{"cli/x.cpp:2"});
  EXPECT_EQ(places(check_size, "cli/x.cpp", umlauts + "\n"), Places{});
}

TEST(Size, StrategiesAreShorterAndTestsAreFree) {
  const std::string lines_161(161, '\n');
  const std::string lines_401(401, '\n');
  EXPECT_EQ(places(check_size, "strategies/x.cpp", lines_161), Places{"strategies/x.cpp:161"});
  EXPECT_EQ(places(check_size, "sim/run/x.cpp", lines_161), Places{});
  EXPECT_EQ(places(check_size, "sim/run/x.cpp", lines_401), Places{"sim/run/x.cpp:401"});
  EXPECT_EQ(places(check_size, "tests/x_test.cpp", lines_401), Places{});
}

TEST(Layers, NothingIncludesWhatLiesAboveIt) {
  const std::string engine = "#include \"sim/engines/kv.hpp\"\n";
  EXPECT_EQ(places(check_layers, "sim/base/x.hpp", "\n" + engine), Places{"sim/base/x.hpp:2"});
  EXPECT_EQ(places(check_layers, "sim/oracles/x.cpp", engine), Places{"sim/oracles/x.cpp:1"});
  EXPECT_EQ(places(check_layers, "reports/x.cpp", engine), Places{"reports/x.cpp:1"});
  EXPECT_EQ(places(check_layers, "sim/world/x.cpp", engine), Places{});
  EXPECT_EQ(places(check_layers, "sim/world/x.cpp", "// " + engine), Places{});
}

TEST(Layers, RealStoresStandAlone) {
  const std::string store = "#include \"sim/adapters/redis/store.hpp\"\n";
  EXPECT_EQ(places(check_layers, "sim/adapters/redis/x.cpp", store), Places{});
  EXPECT_EQ(places(check_layers, "sim/adapters/postgres/x.cpp", store),
            Places{"sim/adapters/postgres/x.cpp:1"});
  EXPECT_EQ(places(check_layers, "sim/adapters/x.cpp", store), Places{"sim/adapters/x.cpp:1"});
  EXPECT_EQ(places(check_layers, "cli/x.cpp", store), Places{"cli/x.cpp:1"});
  EXPECT_EQ(places(check_layers, "sim/world/x.cpp", "#include \"sim/adapters/store.hpp\"\n"),
            Places{"sim/world/x.cpp:1"});
}

TEST(Layers, AStrategyIncludesOneHeader) {
  EXPECT_EQ(places(check_layers, "strategies/a.cpp",
                   "#include \"sim/strategy.hpp\"\n#include \"sim/base/time.hpp\"\n"
                   "#include \"strategies/b.hpp\"\n"),
            (Places{"strategies/a.cpp:2", "strategies/a.cpp:3"}));
}

TEST(Layers, ANewFolderMustFindItsPlace) {
  EXPECT_EQ(places(check_layers, "sim/other/x.cpp", ""), Places{"sim/other/x.cpp:1"});
  EXPECT_EQ(places(check_layers, "sim/base/x.cpp", "#include \"base/time.hpp\"\n"),
            Places{"sim/base/x.cpp:1"});
}

TEST(Bans, EachIsFoundInCodeOnly) {
  for (const std::string_view text :
       {"#include <random>", "#include <thread>", "#include <ctime>", "std::cout << 1;",
        "auto t = std::chrono::steady_clock::now();", "std::unordered_map<int, int> m;",
        "std::hash<int> h;", "std::function<void()> f;", "std::getenv(name);", "double x = 0;",
        "thread_local int x;", "#include <nlohmann/json.hpp>", "#include <cassert>",
        "int x;  // TO"
        "DO later",
        "// FIX"
        "ME"}) {
    EXPECT_EQ(places(check_bans, "sim/engines/x.cpp", std::string(text)),
              Places{"sim/engines/x.cpp:1"})
        << text;
  }
  for (const std::string_view text :
       {"// std::cout is for cli/", "f(\"double\");", "int double_click;", "int my_getenv;",
        "int unordered_pairs;"}) {
    EXPECT_EQ(places(check_bans, "sim/engines/x.cpp", std::string(text)), Places{}) << text;
  }
}

TEST(Bans, FoldersWhereItIsTheRightThing) {
  EXPECT_EQ(places(check_bans, "cli/x.cpp", "std::getenv(a); std::cout << 1.0; double d;"),
            Places{});
  EXPECT_EQ(places(check_bans, "reports/x.cpp", "double d; std::cout << d;"),
            Places{"reports/x.cpp:1"});
  EXPECT_EQ(places(check_bans, "sim/explore/x.cpp", "std::unordered_set<int> seen;"), Places{});
}

TEST(CoAwait, TemporariesBesideItAreRefused) {
  EXPECT_TRUE(refused("co_await db.insert(Row{1, 2});"));
  EXPECT_TRUE(refused("co_await db.insert({1, 2});"));
  EXPECT_TRUE(refused("Row row{co_await db.get(1)};"));
  EXPECT_TRUE(refused("auto r = Row{1, co_await db.get(1)};"));
  EXPECT_TRUE(refused("return g(Row{1}, co_await h(2));"));
  EXPECT_TRUE(refused("co_await retry([&] { return 1; });"));
  EXPECT_TRUE(refused("auto r = a ? co_await f(1) : co_await f(2);"));
  EXPECT_TRUE(refused("if (co_await db.has(Key{1})) {\n    g();\n  }"));
  EXPECT_TRUE(refused("for (int i = 0; i < co_await f(Key{i}); ++i) {\n  }"));
  EXPECT_TRUE(refused("co_return co_await f(Key{1});"));
}

TEST(CoAwait, NamedValuesAreFine) {
  EXPECT_FALSE(refused("Row row{1, 2};\n  co_await db.insert(std::move(row));"));
  EXPECT_FALSE(refused("if (co_await db.has(key)) {\n    Row row{1};\n  }"));
  EXPECT_FALSE(refused("while (true) {\n    co_await f(1);\n  }"));
  EXPECT_FALSE(refused("if (a) {\n    b = Row{1};\n  } else {\n    co_await f(b);\n  }"));
  EXPECT_FALSE(refused("for (Row row : rows) {\n    co_await f(row);\n  }\n  Row last{1};"));
  EXPECT_FALSE(refused("auto g = [](World& w) -> Task<void> { co_await w.f(1); };\n  Row a{2};"));
  EXPECT_FALSE(refused("switch (a) {\n    case 1:\n      co_await f(1);\n      break;\n  }"));
  EXPECT_FALSE(refused("// co_await f(Key{1});\n  Row a{1};"));
  EXPECT_FALSE(refused("Row row{1};\n  const auto reply = co_await f(row);\n  Row b{2};"));
}

TEST(HouseRules, NoSourceBreaksOne) {
  const std::vector<Source> sources = read_sources(
      IDEMSIM_SOURCE_DIR, {"cli", "reports", "scenarios", "sim", "strategies", "tests"});
  ASSERT_GT(sources.size(), 10u);
  for (const Source& source : sources) {
    for (const Finding& finding : check(source)) {
      ADD_FAILURE() << finding.path << ":" << finding.line << ": " << finding.message;
    }
  }
}

}  // namespace
}  // namespace idemsim::tidy
