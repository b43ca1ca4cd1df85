// A key-value server as its connections see it: one unit at a time, each at one instant.
#pragma once

#include "sim/base/footprint.hpp"
#include "sim/base/hash.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"
#include "sim/engines/kv/disk.hpp"
#include "sim/engines/kv/engine.hpp"
#include "sim/engines/kv/memory.hpp"
#include "sim/engines/kv/request.hpp"
#include "sim/engines/kv/session.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace idemsim::kv {

/// When, by the server's own clock, and as which step. No two calls are the same step.
struct Moment {
  Instant now;
  StepId by;
};

/// An answer that comes later than its request.
struct Released {
  SessionId session;
  Answer answer;
};

/// What a server is told when it is set up.
struct ServerOptions {
  Duration busy_after = seconds(5);  ///< how long a script may run before others are told
  MemoryLimit memory = {};
  DiskOptions disk = {};
  Instant started = {};  ///< by its own clock
};

/// Why a server may have to refuse writes; told by whoever knows the other servers.
struct Standing {
  bool is_replica = false;
  bool lacks_replicas = false;
};

/// An engine behind connections. A unit (a command, EXEC, a script) runs at one instant; while a
/// transaction is being queued other connections go on. A stalled server parks what it is asked:
/// call `wake` at `next_wake`, once for each answer.
class Server {
 public:
  /// `space` keeps the resources of two servers apart.
  explicit Server(std::uint64_t space = 0, const ServerOptions& options = {})
      : space_(space), options_(options), engine_(space) {
    memory_.limit(options.memory);
    disk_.set_up(options.disk);
    disk_.start(options.started);
  }

  Answer apply(SessionId session, const Request& request, const Moment& moment, Footprint& touched);
  /// The next answer that can be given now to a parked request, if any.
  std::optional<Released> wake(const Moment& moment, Footprint& touched);
  /// The first instant at which `wake` has an answer if nothing else happens.
  [[nodiscard]] std::optional<Instant> next_wake() const;
  /// The connection is gone, and its transaction and what it waits for with it.
  void leave(SessionId session, Footprint& touched);
  /// The server ends and starts again: connections, scripts and all that is not on disk are gone.
  void restart(Stop how, Instant now, Footprint& touched);
  void limit_memory(const MemoryLimit& limit) { memory_.limit(limit); }
  /// From now on no snapshot can be saved.
  void break_disk() { disk_.break_down(); }
  [[nodiscard]] const Disk& disk() const { return disk_; }
  void stand(const Standing& standing);
  /// Takes over what a unit of its master has changed.
  void follow(const std::vector<Change>& changes, const Moment& moment, Footprint& touched);
  /// Becomes a copy of its master; what is only here is gone.
  void copy(const Engine& master, const Moment& moment, Footprint& touched);
  /// See Engine::expire.
  bool expire(const ArmedExpiry& expiry, StepId by, Footprint& touched);
  /// The background cycle: see Engine::remove_dead.
  void remove_dead(Instant now);

  /// Is the connection between MULTI and EXEC?
  [[nodiscard]] bool queues(SessionId session) const;

  [[nodiscard]] const Engine& engine() const { return engine_; }
  /// The TTLs that the last unit gave and that still stand.
  [[nodiscard]] const std::vector<ArmedExpiry>& armed() const { return armed_; }
  /// The generations of earlier TTLs that the last unit ended.
  [[nodiscard]] const std::vector<StepId>& disarmed() const { return disarmed_; }
  /// Keys thrown away so far.
  [[nodiscard]] std::uint64_t evicted() const { return evicted_; }
  /// What the last call changed, in order.
  [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }

  /// The server as a whole: read by each request, written by what stops or stalls it.
  [[nodiscard]] Resource process() const;

  /// Canonical: equal for equal futures.
  void hash_state(StateHasher& hasher) const;

 private:
  struct Connection {
    SessionId id;
    Session session;
  };
  /// A unit while it runs.
  struct Unit {
    SessionId session;
    const Moment& moment;
    Footprint& touched;
    bool short_of_memory = false;  ///< over the limit, and nothing to throw away
    bool has_written = false;      ///< a script of it
    std::uint64_t commands = 0;
    Duration runs_for = {};  ///< of its scripts, together
  };
  /// A request that waits for its turn, or an answer that waits for its instant.
  struct Parked {
    SessionId session;
    Request request;
    std::optional<Answer> answer;
    Instant due;  ///< of the answer
  };
  /// A script that keeps the server.
  struct Running {
    Instant since;
    bool has_written = false;
  };
  enum class Pause : std::uint8_t { none, writes, all };

  void start(Instant now);
  Session& session_of(SessionId id);
  [[nodiscard]] Resource resource_of(SessionId session) const;

  Answer execute(Session& session, const Request& request, Unit& unit);
  Answer exec(Session& session, Unit& unit);
  Answer run_script(const Request& request, Unit& unit);
  void make_room(Unit& unit);
  [[nodiscard]] Error refusal(const Request& request, const Unit& unit) const;
  [[nodiscard]] Error refusal(const Command& command, const Unit& unit) const;
  [[nodiscard]] Error write_refusal() const;
  Answer refuse(Error error, const Request& request, Session& session);
  Reply run_in_script(const Command& command, Unit& unit);
  Answer steps_of(const Script& script, Unit& unit);
  Answer kill_script(Unit& unit);
  Reply run_command(const Command& command, Unit& unit);
  void note_ttl();

  Answer now_or_later(SessionId id, const Request& request, Unit& unit);
  Answer stall(const Request& request, Unit& unit);
  Answer answer_at(Instant due, const Answer& answer, Unit& unit);
  [[nodiscard]] bool is_busy(Instant now) const;
  [[nodiscard]] bool must_wait(SessionId id, const Request& request, Instant now) const;
  [[nodiscard]] bool is_write(SessionId id, const Request& request) const;
  [[nodiscard]] Instant wakes_at(const Parked& parked) const;
  void hash_stalls(StateHasher& hasher) const;

  std::uint64_t space_;
  ServerOptions options_;
  Engine engine_;
  Memory memory_;
  Disk disk_;
  Standing standing_;
  std::uint64_t evicted_ = 0;
  std::vector<Connection> connections_;  ///< sorted; an idle one is as good as none
  std::vector<std::uint64_t> scripts_;   ///< known ids, sorted
  std::vector<Parked> parked_;           ///< in the order in which they came
  Instant busy_until_ = {};
  std::optional<Running> running_;
  Instant paused_until_ = {};
  Pause pause_ = Pause::none;

  std::vector<ArmedExpiry> armed_;
  std::vector<StepId> disarmed_;
  std::vector<Change> changes_;
};

}  // namespace idemsim::kv
