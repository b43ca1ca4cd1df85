// The twin of a run: real stores that take each step of the simulation, and what they said.
#pragma once

#include "sim/adapters/store.hpp"
#include "sim/engines/sql/engine.hpp"
#include "sim/engines/twin.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace idemsim::adapters {

/// One call on a store, with both answers in words.
struct Line {
  StepId step;
  Name site;
  std::string text;
  std::string simulated;
  std::string real;
  bool same = true;
};

/// An expiry that was not waited for in full.
struct Shortened {
  StepId after;  ///< the step before it
  std::string what;
  Duration length;  ///< in the scenario
  Duration real;    ///< until it had passed in the real store
};

/// How one table looks at the end.
struct TableEnd {
  std::string name;
  std::size_t simulated = 0;  ///< rows
  std::size_t real = 0;
  bool same = true;
};

class LockStep final : public Twin {
 public:
  /// A store that the run does not use is null.
  LockStep(const sql::Schema& schema, SqlStore* database, KvStore* redis)
      : schema_(schema), database_(database), redis_(redis) {}

  SqlAnswer statement(const SqlCall& call) override;
  kv::Reply command(const KvCall& call) override;
  void close(sql::SessionId session) override;
  void close(KvConnection connection) override;
  void deadline(std::uint64_t bits, Duration after) override;
  void pass(std::uint64_t bits) override;
  void expire(Value key) override;

  /// After the run: the tables of the real database beside those of the simulated one.
  [[nodiscard]] Result<std::vector<TableEnd>> compare_tables(const sql::Engine& simulated);

  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
  [[nodiscard]] const std::vector<Shortened>& shortened() const { return shortened_; }
  /// What is wrong with a server, if anything is. The rest of the run is only simulated then.
  [[nodiscard]] const std::optional<Problems>& trouble() const { return trouble_; }
  /// The first line whose answers differ.
  [[nodiscard]] const Line* difference() const;

 private:
  [[nodiscard]] bool over() const { return trouble_.has_value() || parted_; }
  void take_rows(const SqlCall& call, const SqlOutcome& outcome);

  const sql::Schema& schema_;
  SqlStore* database_;
  KvStore* redis_;
  std::vector<Line> lines_;
  std::vector<Shortened> shortened_;
  std::vector<sql::Row> rows_;  ///< of the last answer
  std::vector<std::pair<std::uint64_t, Duration>> deadlines_;
  std::optional<Problems> trouble_;
  bool parted_ = false;  ///< one waits and the other does not: no step to go on with
};

}  // namespace idemsim::adapters
