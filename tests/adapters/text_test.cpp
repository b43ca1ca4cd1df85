// How statements, commands and values look to a real server, and how they come back.
#include "sim/adapters/postgres/schema.hpp"
#include "sim/adapters/redis/connection.hpp"
#include "sim/adapters/redis/protocol.hpp"
#include "sim/adapters/value_text.hpp"
#include "sim/engines/sql/render.hpp"

#include <gtest/gtest.h>
#include <hiredis/hiredis.h>

#include <string>
#include <vector>

namespace idemsim::adapters {
namespace {

using postgres::ColumnType;
using Words = std::vector<std::string>;

TEST(ValueText, EveryKindComesBack) {
  adapters::Words words;
  const std::vector<Value> values = {Value::integer(-7),
                                     Value::word("processing"),
                                     Value::key(12),
                                     Value::token(Origin{99}),
                                     Value::reference(0xfeedfacecafebeef),
                                     Value::digest(1)};
  for (const Value& value : values) EXPECT_EQ(from_plain(to_plain(value), words), value);
}

TEST(ValueText, WordThatLooksLikeAKeyStaysAWord) {
  adapters::Words words;
  EXPECT_EQ(from_plain("Kx", words), Value::word("Kx"));
  EXPECT_EQ(from_plain("ref-1", words), Value::word("ref-1"));
}

sql::Schema one_table() {
  sql::TableDefinition table("records");
  table.column("key").column("version").column("until").unique("records_pkey", {"key"});
  sql::Schema schema;
  schema.tables.push_back(table);
  return schema;
}

TEST(PostgresSchema, WhatAColumnIsGivenDecidesItsType) {
  const sql::Schema schema = one_table();
  SqlPlan plan;
  plan.schema = &schema;
  sql::Statement insert = sql::insert_into("records").set("key", Value::key(1));
  insert.set("version", Value::integer(0)).set("until", Value::deadline(5));
  plan.statements.push_back(insert);
  const postgres::Types types(plan);
  EXPECT_EQ(postgres::create_table(schema.tables[0], types),
            "CREATE TABLE records (key text, version bigint, until timestamptz, "
            "CONSTRAINT records_pkey PRIMARY KEY (key))");
}

TEST(PostgresSchema, QuotesAreDoubled) {
  EXPECT_EQ(postgres::literal(Value::word("it's"), ColumnType::text), "'it''s'");
  EXPECT_EQ(postgres::literal(Value::integer(4), ColumnType::bigint), "4");
  EXPECT_EQ(postgres::literal(Value::null(), ColumnType::text), "NULL");
}

TEST(Spelling, ColumnsAreNotAmbiguousInOnConflict) {
  const sql::Schema schema = one_table();
  sql::Statement upsert = sql::insert_into("records").set("key", Value::key(1));
  upsert.on_conflict_do_update().add_on_conflict("version", 1);
  upsert.where_on_conflict(sql::expired("until"));
  sql::Spelling spelling;
  spelling.value = [](const void*, const sql::TableDefinition&, Name, const Value& value) {
    return postgres::literal(value, ColumnType::text);
  };
  spelling.now = "now() + interval '1 s'";
  EXPECT_EQ(sql::to_sql(schema, upsert, spelling),
            "INSERT INTO records (key) VALUES ('K1') ON CONFLICT (key) DO UPDATE SET "
            "version=records.version+1 WHERE records.until<=now() + interval '1 s'");
}

redis::Spelling redis_spelling() {
  redis::Spelling spelling;
  spelling.prefix = "p:";
  spelling.ttl_min = seconds(60);
  spelling.epoch_ms = 1'000;
  return spelling;
}

TEST(RedisProtocol, OptionsStandInTheOrderOfTheManual) {
  const Value key = Value::key(1);
  const kv::Command lock = kv::set(key, Value::integer(1)).nx().px(seconds(90));
  EXPECT_EQ(redis::words_of(lock, redis_spelling()),
            (Words{"SET", "p:K1", "1", "NX", "PX", "90000"}));
  EXPECT_EQ(redis::words_of(kv::pexpire(key, seconds(90)).gt(), redis_spelling()),
            (Words{"PEXPIRE", "p:K1", "90000", "GT"}));
  EXPECT_EQ(redis::words_of(kv::getex_persist(key), redis_spelling()),
            (Words{"GETEX", "p:K1", "PERSIST"}));
}

TEST(RedisProtocol, ShortTtlIsHeldAndADeletingOneIsNot) {
  const Value key = Value::key(1);
  EXPECT_EQ(redis::words_of(kv::pexpire(key, milliseconds(200)), redis_spelling()),
            (Words{"PEXPIRE", "p:K1", "60000"}));
  EXPECT_EQ(redis::words_of(kv::pexpire(key, Duration{}), redis_spelling()),
            (Words{"PEXPIRE", "p:K1", "0"}));
}

TEST(RedisProtocol, ErrorsOfTheSimulationAreRepliesAndOthersAreTrouble) {
  adapters::Words words;
  std::string text = "ERR value is not an integer or out of range";
  redisReply reply{};
  reply.type = REDIS_REPLY_ERROR;
  reply.str = text.data();
  reply.len = text.size();
  EXPECT_EQ(*redis::reply_of(reply, words), kv::Reply::failed(kv::Error::not_an_integer));
  text = "OOM command not allowed when used memory > 'maxmemory'.";
  reply.str = text.data();
  reply.len = text.size();
  EXPECT_FALSE(redis::reply_of(reply, words));
}

TEST(RedisUrl, AllItsParts) {
  const auto full = redis::parse_url("redis://me:secret@store.example:7000/3");
  ASSERT_TRUE(full);
  EXPECT_EQ(full->user, "me");
  EXPECT_EQ(full->password, "secret");
  EXPECT_EQ(full->host, "store.example");
  EXPECT_EQ(full->port, "7000");
  EXPECT_EQ(full->database, "3");
  EXPECT_EQ(redis::parse_url("unix:///run/redis.sock")->path, "/run/redis.sock");
  EXPECT_FALSE(redis::parse_url("localhost:6379"));
  EXPECT_FALSE(redis::parse_url("redis://"));
}

}  // namespace
}  // namespace idemsim::adapters
