// What a statement would have been told at another moment: the question behind every explanation.
#pragma once

#include "sim/base/ids.hpp"
#include "sim/engines/kv/command.hpp"
#include "sim/engines/sql/schema.hpp"
#include "sim/engines/sql/statement.hpp"
#include "sim/world/suspension.hpp"

#include <optional>
#include <vector>

namespace idemsim {

/// The result of one statement, with rows of its own.
struct Told {
  bool in_database = true;
  SqlReply sql;  ///< without its rows
  std::vector<sql::Row> rows;
  KvReply kv;
  [[nodiscard]] bool same_as(const Told& other) const;
};

/// One statement of a run as it was executed, whether its caller heard of it or not.
struct Heard {
  StepId step;
  sql::Statement statement;  ///< if `told.in_database`
  kv::Command command;       ///< otherwise
  Told told;
};

/// Attached to a world, it listens to all statements of the next runs. Optionally it asks: what
/// would `question` be told if it were asked right after the step `moment`? The statement is then
/// evaluated on a copy of the store, so that the run itself does not change. Or it replaces: the
/// statement of the step `instead` executes as ever, but its caller is told something else.
struct Hindsight {
  std::vector<Heard> heard;

  std::optional<Heard> question;
  StepId moment;
  std::optional<Told> answer;  ///< stays empty if the moment never came or the answer would block

  std::optional<StepId> instead;
  Told replacement;
  bool replaced = false;

  /// The statement of a step, or null.
  [[nodiscard]] const Heard* statement_of(StepId step) const;
  /// Before a run: forgets what was heard, keeps what is asked.
  void begin();
  void hear(StepId step, const sql::Statement& statement, const SqlReply& reply);
  void hear(StepId step, const kv::Command& command, const kv::Reply& reply);
};

}  // namespace idemsim
