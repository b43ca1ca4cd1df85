// A throw-away PostgreSQL: initdb, then the server on a socket in its own folder and nowhere else.
#include "sim/adapters/postgres/store.hpp"

#include <fmt/format.h>

namespace idemsim::adapters::postgres {
namespace {

constexpr const char* kUser = "postgres";  // initdb refuses root

/// The folder of the newest version that is installed; empty if none is.
std::string programs() {
  const std::string initdb = last_match("/usr/lib/postgresql/*/bin/initdb");
  return initdb.substr(0, initdb.rfind('/') == std::string::npos ? 0 : initdb.rfind('/'));
}

Result<void> make_cluster(const Launch& base, const std::string& bin, const StoreOptions& options) {
  Launch launch = base;
  launch.death_signal = "KILL";  // asked nicely, it waits for the server that it talks to
  launch.arguments = {
      bin + "/initdb", "-D",        base.folder + "/data", "-A", "trust", "-U", "idemsim", "-E",
      "UTF8",          "--no-sync", "--locale=C"};
  Result<Process> made = Process::start(launch);
  if (!made) return made.error();
  if (made->finish(options.interrupted)) return {};
  if (options.interrupted != nullptr && *options.interrupted) return trouble("interrupted");
  return trouble("initdb of PostgreSQL failed: " + made->last_words());
}

}  // namespace

Result<OwnServer> start_server(const StoreOptions& options) {
  const std::string bin = programs();
  if (bin.empty()) {
    return trouble(
        "PostgreSQL is not installed: run `apt-get install postgresql`, or give the URL of a "
        "server by --postgres");
  }
  Launch base;
  if (is_root()) base.user = kUser;
  if (is_root() && !user_exists(kUser)) {
    return trouble("PostgreSQL does not run as root, and there is no user \"postgres\"");
  }
  base.folder = options.folder + "/postgres";
  base.death_signal = "INT";
  const Result<void> folder = make_folder(base.folder, base.user);
  if (!folder) return folder.error();
  const Result<void> cluster = make_cluster(base, bin, options);
  if (!cluster) return cluster.error();
  Launch launch = base;
  launch.arguments = {bin + "/postgres",
                      "-D",
                      base.folder + "/data",
                      "-k",
                      base.folder,
                      "-c",
                      "listen_addresses=",
                      "-c",
                      "fsync=off",
                      "-c",
                      "autovacuum=off",
                      "-c",
                      "dynamic_shared_memory_type=mmap"};
  Result<Process> server = Process::start(launch);
  if (!server) return server.error();
  return OwnServer{std::move(*server),
                   fmt::format("host={} dbname=postgres user=idemsim", base.folder)};
}

}  // namespace idemsim::adapters::postgres
