--# Attacks on DuckDB, one in a line; {folder} is the folder of the file. None may change anything.
--# Rows
INSERT INTO rooms VALUES (3, 'Fir', 1)
INSERT INTO rooms (id, name) VALUES (4, 'Ash')
INSERT INTO rooms SELECT id + 10, name, price FROM rooms
INSERT INTO rooms BY NAME SELECT 5 AS id, 'Yew' AS name
INSERT INTO rooms DEFAULT VALUES
INSERT OR REPLACE INTO rooms VALUES (1, 'Oak', 0)
INSERT OR IGNORE INTO rooms VALUES (6, 'Bay', 0)
INSERT INTO rooms VALUES (1, 'x', 1) ON CONFLICT (id) DO UPDATE SET price = 0
INSERT INTO rooms VALUES (1, 'x', 1) ON CONFLICT DO NOTHING
INSERT INTO rooms VALUES (7, 'Elder', 2) RETURNING *
INSERT INTO rooms FROM rooms SELECT id + 20, name, price
INSERT INTO main.rooms VALUES (8, 'Box', 1)
INSERT INTO shop.main.rooms VALUES (9, 'Box', 1)
INSERT INTO "rooms" VALUES (10, 'Box', 1)
UPDATE rooms SET price = 0
UPDATE rooms SET price = price + 1 WHERE id = 1
UPDATE rooms SET price = 0 RETURNING id
UPDATE rooms SET price = n.p FROM (SELECT 5 AS p) n
UPDATE rooms AS r SET name = NULL WHERE r.id IN (SELECT id FROM cheap)
DELETE FROM rooms
DELETE FROM rooms WHERE id = 1
DELETE FROM rooms USING cheap WHERE rooms.id = cheap.id
DELETE FROM rooms RETURNING *
TRUNCATE rooms
TRUNCATE TABLE rooms
MERGE INTO rooms USING (SELECT 1 AS id) s ON rooms.id = s.id WHEN MATCHED THEN DELETE
MERGE INTO rooms USING (SELECT 99 AS id) s ON rooms.id = s.id WHEN NOT MATCHED THEN INSERT VALUES (s.id, 'new', 0)
MERGE INTO rooms USING cheap USING (id) WHEN MATCHED THEN UPDATE SET price = 0
REPLACE INTO rooms VALUES (1, 'Oak', 0)
--# Rows from within a query
WITH gone AS (DELETE FROM rooms RETURNING *) SELECT * FROM gone
WITH made AS (INSERT INTO rooms VALUES (30, 'x', 1) RETURNING *) SELECT * FROM made
WITH made AS (UPDATE rooms SET price = 0 RETURNING *) SELECT count(*) FROM made
WITH s AS (SELECT 1) INSERT INTO rooms SELECT 31, 'x', 1 FROM s
WITH s AS (SELECT 1) DELETE FROM rooms
WITH s AS (SELECT 1) UPDATE rooms SET price = 0
WITH s AS (SELECT 1 AS id) MERGE INTO rooms USING s USING (id) WHEN MATCHED THEN DELETE
WITH RECURSIVE s AS (SELECT 1) DELETE FROM rooms WHERE id IN (FROM s)
SELECT * FROM (DELETE FROM rooms RETURNING *)
SELECT * FROM (INSERT INTO rooms VALUES (32, 'x', 1) RETURNING id) t
SELECT (DELETE FROM rooms RETURNING id)
SELECT * INTO stolen FROM rooms
SELECT id INTO TEMP stolen FROM rooms
FROM rooms SELECT * INTO stolen
EXPLAIN ANALYZE DELETE FROM rooms
EXPLAIN ANALYZE INSERT INTO rooms VALUES (33, 'x', 1)
EXPLAIN ANALYZE UPDATE rooms SET price = 0
EXPLAIN ANALYZE CREATE TABLE t AS SELECT 1
EXPLAIN ANALYZE COPY rooms TO '{folder}/out.csv'
EXPLAIN (ANALYZE) DELETE FROM rooms
EXPLAIN (ANALYZE, FORMAT json) DELETE FROM rooms
EXPLAIN DELETE FROM rooms
EXPLAIN DROP TABLE rooms
EXPLAIN EXPLAIN ANALYZE DELETE FROM rooms
explain analyze delete from rooms
--# Tables and other objects
CREATE TABLE t (a INTEGER)
CREATE TABLE t AS SELECT 1 AS a
CREATE TABLE t AS FROM rooms
CREATE OR REPLACE TABLE rooms AS SELECT 1 AS a
CREATE TABLE IF NOT EXISTS t (a INTEGER)
CREATE TEMP TABLE t AS SELECT 1
CREATE TEMPORARY TABLE t (a INTEGER)
CREATE TABLE main.t (a INTEGER)
CREATE TABLE shop.t (a INTEGER)
CREATE TABLE memory.t (a INTEGER)
CREATE TABLE temp.t AS SELECT 1
CREATE TABLE rooms2 (id INTEGER REFERENCES rooms (id))
CREATE VIEW v AS SELECT 1
CREATE OR REPLACE VIEW cheap AS SELECT 1
CREATE TEMP VIEW v AS SELECT 1
CREATE TEMP VIEW rooms AS SELECT 1 AS id
CREATE SCHEMA s
CREATE SCHEMA IF NOT EXISTS s
CREATE INDEX i ON rooms (name)
CREATE UNIQUE INDEX i ON rooms (name)
CREATE INDEX IF NOT EXISTS i ON rooms (price, name)
CREATE SEQUENCE s
CREATE SEQUENCE s START 5 INCREMENT 2 CYCLE
CREATE TEMP SEQUENCE s
CREATE TYPE mood AS ENUM ('good', 'bad')
CREATE TYPE mood AS ENUM (SELECT name FROM rooms)
CREATE TEMP TYPE mood AS ENUM ('good', 'bad')
CREATE TYPE pair AS STRUCT (a INTEGER, b INTEGER)
CREATE MACRO m(a) AS a + 1
CREATE OR REPLACE MACRO twice(n) AS n * 3
CREATE MACRO m(a) AS TABLE SELECT a
CREATE FUNCTION f(a) AS a + 1
CREATE TEMP MACRO m(a) AS a
CREATE TRIGGER t AFTER INSERT ON rooms FOR EACH ROW DELETE FROM rooms
CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')
CREATE PERSISTENT SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')
CREATE OR REPLACE SECRET s (TYPE http, BEARER_TOKEN 'x')
CREATE TEMP SECRET s (TYPE http)
CREATE ROLE r
CREATE USER u
CREATE DATABASE d
DROP TABLE rooms
DROP TABLE IF EXISTS rooms
DROP TABLE rooms CASCADE
DROP TABLE main.rooms
DROP VIEW cheap
DROP INDEX by_price
DROP SEQUENCE numbers
DROP SCHEMA main CASCADE
DROP MACRO twice
DROP FUNCTION twice
DROP MACRO TABLE IF EXISTS twice
DROP TYPE IF EXISTS mood
DROP SECRET IF EXISTS s
DROP PERSISTENT SECRET IF EXISTS s
DROP DATABASE shop
ALTER TABLE rooms ADD COLUMN c INTEGER
ALTER TABLE rooms DROP COLUMN name
ALTER TABLE rooms DROP name
ALTER TABLE rooms RENAME TO halls
ALTER TABLE rooms RENAME COLUMN name TO title
ALTER TABLE rooms ALTER COLUMN price TYPE VARCHAR
ALTER TABLE rooms ALTER price SET DEFAULT 5
ALTER TABLE rooms ALTER price SET NOT NULL
ALTER TABLE rooms ADD PRIMARY KEY (id)
ALTER TABLE IF EXISTS rooms ADD COLUMN IF NOT EXISTS c INTEGER
ALTER VIEW cheap RENAME TO dear
ALTER SEQUENCE numbers OWNED BY rooms
ALTER SCHEMA main RENAME TO s
ALTER DATABASE shop SET ALIAS TO d
COMMENT ON TABLE rooms IS 'gone'
COMMENT ON COLUMN rooms.name IS 'gone'
COMMENT ON VIEW cheap IS NULL
COMMENT ON SEQUENCE numbers IS 'x'
COMMENT ON INDEX by_price IS 'x'
--# Out to files
COPY rooms TO '{folder}/out.csv'
COPY rooms TO '{folder}/out.csv' (HEADER, DELIMITER ';')
COPY rooms TO '{folder}/out.csv' (USE_TMP_FILE false)
COPY rooms TO '{folder}/rooms.csv' (USE_TMP_FILE false)
COPY rooms TO '{folder}/out.parquet' (FORMAT parquet)
COPY rooms TO '{folder}/out.parquet' (FORMAT parquet, COMPRESSION zstd)
COPY rooms TO '{folder}/out.json'
COPY rooms TO '{folder}/out.json' (FORMAT json, ARRAY true)
COPY rooms TO '{folder}/parts' (FORMAT parquet, PARTITION_BY (name))
COPY rooms TO '{folder}/parts' (FORMAT csv, PER_THREAD_OUTPUT)
COPY rooms TO '{folder}/parts' (PARTITION_BY (name), OVERWRITE_OR_IGNORE)
COPY rooms TO '{folder}' (FORMAT csv, PARTITION_BY (name), OVERWRITE)
COPY (SELECT 1) TO '{folder}/out.csv'
COPY (FROM rooms) TO '{folder}/out.csv'
COPY (SELECT 'x') TO '{folder}/shop.duckdb' (FORMAT csv, USE_TMP_FILE false)
COPY (SELECT 'x') TO '{folder}/shop.duckdb.wal' (FORMAT csv, USE_TMP_FILE false)
COPY (SELECT 'x') TO '/dev/stdout'
COPY (SELECT 'x') TO '/dev/null'
COPY rooms (id, name) TO '{folder}/out.csv'
COPY rooms TO 's3://bucket/out.csv'
COPY rooms TO 'http://127.0.0.1:1/out.csv'
COPY rooms FROM '{folder}/rooms.csv'
COPY rooms FROM '/etc/passwd' (DELIMITER ':')
COPY FROM DATABASE shop TO memory
COPY FROM DATABASE memory TO shop
COPY FROM DATABASE shop TO temp (SCHEMA)
EXPORT DATABASE '{folder}/all'
EXPORT DATABASE '{folder}/all' (FORMAT parquet)
EXPORT DATABASE shop TO '{folder}/all'
IMPORT DATABASE '{folder}/all'
SELECT * FROM rooms INTO OUTFILE '{folder}/out.csv'
.output {folder}/out.csv
.once {folder}/out.csv
.dump rooms
.shell touch {folder}/out
.system touch {folder}/out
.read {folder}/rooms.csv
.open {folder}/new.duckdb
--# Other databases and extensions
ATTACH '{folder}/new.duckdb'
ATTACH '{folder}/new.duckdb' AS n
ATTACH '{folder}/shop.duckdb' AS again
ATTACH '{folder}/shop.duckdb' AS again (READ_WRITE)
ATTACH DATABASE '{folder}/new.duckdb' AS n
ATTACH IF NOT EXISTS '{folder}/new.duckdb' AS n
ATTACH OR REPLACE '{folder}/new.duckdb' AS shop
ATTACH ':memory:' AS m
ATTACH '' AS m
ATTACH '{folder}/lite.db' (TYPE sqlite)
ATTACH 'host=127.0.0.1' AS p (TYPE postgres)
ATTACH 'http://127.0.0.1:1/a.duckdb' AS h
ATTACH '{folder}/new.duckdb' (ENCRYPTION_KEY 'k')
ATTACH 'ducklake:{folder}/lake' AS l
DETACH shop
DETACH DATABASE shop
DETACH DATABASE IF EXISTS memory
USE memory
USE shop
USE temp
USE system.main
INSTALL httpfs
INSTALL sqlite
INSTALL spatial FROM community
INSTALL '{folder}/x.duckdb_extension'
FORCE INSTALL httpfs
FORCE INSTALL httpfs FROM core_nightly
LOAD httpfs
LOAD '{folder}/x.duckdb_extension'
LOAD json
UPDATE EXTENSIONS
UPDATE EXTENSIONS (httpfs)
--# Settings
SET threads = 1
SET memory_limit = '1GB'
SET GLOBAL threads = 1
SET SESSION threads = 1
SET LOCAL threads = 1
SET enable_external_access = true
SET lock_configuration = false
SET access_mode = 'READ_WRITE'
SET allowed_paths = ['/etc/passwd']
SET allowed_directories = ['/']
SET disabled_filesystems = 'LocalFileSystem'
SET temp_directory = '{folder}/spill'
SET home_directory = '{folder}'
SET extension_directory = '{folder}'
SET secret_directory = '{folder}'
SET autoload_known_extensions = true
SET autoinstall_known_extensions = true
SET allow_unsigned_extensions = true
SET allow_community_extensions = true
SET custom_extension_repository = 'http://127.0.0.1:1'
SET log_query_path = '{folder}/log.sql'
SET profile_output = '{folder}/profile.json'
SET profiling_output = '{folder}/profile.json'
SET enable_profiling = 'json'
SET search_path = 'temp'
SET schema = 'temp'
SET TimeZone = 'UTC'
SET default_order = 'DESC'
SET VARIABLE a = 1
SET VARIABLE a = (SELECT max(price) FROM rooms)
SET errors_as_json = false
SET checkpoint_threshold = '1KB'
SET wal_autocheckpoint = '1KB'
SET allow_persistent_secrets = true
SET http_proxy = '127.0.0.1:1'
SET file_search_path = '/etc'
SET arrow_lossless_conversion = false
RESET threads
RESET GLOBAL enable_external_access
RESET lock_configuration
RESET VARIABLE a
PRAGMA threads = 1
PRAGMA enable_profiling
PRAGMA enable_profiling = 'json'
PRAGMA disable_profiling
PRAGMA profiling_output = '{folder}/profile.json'
PRAGMA enable_logging
PRAGMA enable_verification
PRAGMA force_checkpoint
PRAGMA enable_checkpoint_on_shutdown
PRAGMA disable_checkpoint_on_shutdown
PRAGMA enable_object_cache
PRAGMA memory_limit = '1GB'
PRAGMA temp_directory = '{folder}/spill'
PRAGMA import_database('{folder}/all')
PRAGMA default_collation = 'nocase'
PRAGMA log_query_path = '{folder}/log.sql'
--# Functions with effects
SELECT nextval('numbers')
SELECT nextval('main.numbers')
SELECT id, nextval('numbers') FROM rooms
SELECT * FROM rooms WHERE id = nextval('numbers')
SELECT * FROM rooms ORDER BY nextval('numbers')
SELECT max(nextval('numbers')) FROM rooms
SELECT CASE WHEN true THEN nextval('numbers') END
SELECT (SELECT nextval('numbers'))
SELECT list_transform([1, 2], lambda x: nextval('numbers'))
SELECT "nextval"('numbers')
SELECT NEXTVAL('numbers')
SELECT main.nextval('numbers')
SELECT system.main.nextval('numbers')
SELECT pg_catalog.nextval('numbers')
SELECT nextval /* x */ ('numbers')
SELECT 'numbers'.nextval()
WITH n AS (SELECT nextval('numbers') AS n) SELECT * FROM n
WITH n AS MATERIALIZED (SELECT nextval('numbers') AS n) SELECT 1 FROM n
VALUES (nextval('numbers'))
FROM (VALUES (nextval('numbers')))
SELECT * FROM rooms LIMIT nextval('numbers')
SELECT sum(price) FILTER (WHERE nextval('numbers') > 0) FROM rooms
SELECT row_number() OVER (ORDER BY nextval('numbers')) FROM rooms
SELECT * FROM rooms QUALIFY nextval('numbers') > 0
SELECT * FROM rooms r JOIN rooms s ON nextval('numbers') > 0
SELECT price FROM rooms GROUP BY price HAVING nextval('numbers') > 0
SELECT COLUMNS(*) + nextval('numbers') FROM (SELECT 1 AS a)
SELECT * REPLACE (nextval('numbers') AS id) FROM rooms
SELECT * FROM range(nextval('numbers'))
SELECT * FROM rooms, LATERAL (SELECT nextval('numbers'))
SELECT [nextval('numbers') FOR x IN [1, 2]]
SELECT {'a': nextval('numbers')}
SUMMARIZE SELECT nextval('numbers')
EXPLAIN ANALYZE SELECT nextval('numbers')
EXPLAIN ANALYZE FROM rooms SELECT nextval('numbers')
SELECT 1 UNION ALL SELECT nextval('numbers')
PIVOT (SELECT nextval('numbers') AS n, name FROM rooms) ON name USING sum(n)
FROM query('SELECT nextval(''numbers'')')
SELECT * FROM query('DELETE FROM rooms')
SELECT * FROM query('FROM enable_logging()')
SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT nextval(''numbers'')'))
PRAGMA json_execute_serialized_sql('x')
SELECT currval('numbers')
SELECT setseed(0.5)
SELECT write_log('x')
SELECT write_log('x', level := 'ERROR', scope := 'database')
CALL enable_logging()
CALL enable_logging('QueryLog', storage = 'file', storage_path = '{folder}/log')
CALL disable_logging()
CALL truncate_duckdb_logs()
CALL set_peg_parser(true)
CALL force_checkpoint()
CALL checkpoint()
CALL enable_profiling()
CALL pragma_version()
CALL query('DELETE FROM rooms')
FROM enable_logging()
SELECT * FROM enable_logging(storage = 'file', storage_path = '{folder}/log')
FROM disable_logging()
FROM truncate_duckdb_logs()
FROM checkpoint()
FROM checkpoint('shop')
FROM force_checkpoint()
SELECT * FROM force_checkpoint('shop')
FROM enable_profiling()
FROM arrow_scan(1, 2, 3)
FROM arrow_scan_dumb(1, 2, 3)
FROM pandas_scan(1)
FROM seq_scan('rooms')
FROM sqlite_scan('{folder}/lite.db', 't')
FROM postgres_query('p', 'DELETE FROM t')
FROM postgres_execute('p', 'DELETE FROM t')
CALL postgres_execute('p', 'DELETE FROM t')
FROM sqlite_query('s', 'DELETE FROM t')
FROM load_aws_credentials()
SELECT pg_sleep(1)
SELECT load_extension('x')
SELECT getenv('HOME')
SELECT system('touch {folder}/out')
--# In from files that were not opened
SELECT * FROM '/etc/passwd'
FROM '/etc/passwd'
SELECT * FROM '{folder}/other.csv'
SELECT * FROM read_csv('/etc/passwd')
SELECT * FROM read_csv('/etc/passwd', delim = ':', header = false)
SELECT * FROM read_csv_auto('/etc/passwd')
SELECT * FROM read_text('/etc/passwd')
SELECT * FROM read_text('/etc/*')
SELECT * FROM read_blob('/etc/passwd')
SELECT content FROM read_text('{folder}/../../../../etc/passwd')
SELECT * FROM read_json('/etc/hosts')
SELECT * FROM read_json_auto('/etc/hosts')
SELECT * FROM read_ndjson_objects('/etc/hosts')
SELECT * FROM read_parquet('/etc/hosts')
SELECT * FROM parquet_schema('/etc/hosts')
SELECT * FROM parquet_metadata('/etc/hosts')
SELECT * FROM sniff_csv('/etc/passwd')
SELECT * FROM glob('/etc/*')
SELECT * FROM glob('/etc/**')
SELECT * FROM read_csv('http://127.0.0.1:1/a.csv')
SELECT * FROM 'http://127.0.0.1:1/a.parquet'
SELECT * FROM 's3://bucket/a.parquet'
SELECT * FROM read_duckdb('/etc/hosts')
SELECT (SELECT content FROM read_text('/etc/passwd'))
WITH p AS (FROM read_text('/etc/passwd')) FROM p
SELECT * FROM rooms WHERE name IN (SELECT content FROM read_text('/etc/passwd'))
EXPLAIN ANALYZE FROM read_text('/etc/passwd')
DESCRIBE FROM read_csv('/etc/passwd')
SUMMARIZE FROM read_csv('/etc/passwd')
PIVOT (FROM read_text('/etc/passwd')) ON size
PIVOT (FROM sniff_csv('/etc/passwd')) ON Delimiter USING count(*)
PIVOT (FROM "sniff_csv"('/etc/passwd')) ON Delimiter USING count(*)
PIVOT (FROM enable_logging()) ON a
PIVOT (FROM arrow_scan(1, 2, 3)) ON a
EXPLAIN ANALYZE FROM sniff_csv('/etc/passwd')
--# Transactions, and statements made ahead
BEGIN
BEGIN TRANSACTION
BEGIN TRANSACTION READ WRITE
START TRANSACTION
COMMIT
COMMIT TRANSACTION
ROLLBACK
ABORT
END
CHECKPOINT
CHECKPOINT shop
FORCE CHECKPOINT
FORCE CHECKPOINT shop
VACUUM
VACUUM ANALYZE
VACUUM rooms
ANALYZE
ANALYZE rooms
REINDEX
PREPARE p AS DELETE FROM rooms
PREPARE p AS SELECT 1
PREPARE p AS INSERT INTO rooms VALUES ($1, 'x', 1)
EXECUTE p
EXECUTE p(1)
DEALLOCATE p
DEALLOCATE ALL
DO 'x'
GRANT ALL ON rooms TO PUBLIC
REVOKE ALL ON rooms FROM PUBLIC
LOCK TABLE rooms
KILL 1
--# Several at once, and hidden ones
SELECT 1; DELETE FROM rooms
SELECT 1; DROP TABLE rooms; SELECT 2
DELETE FROM rooms; SELECT 1
DROP TABLE rooms; SELECT 1
;DELETE FROM rooms; SELECT 1
; ; DROP TABLE rooms ; ;
SELECT 1;;DELETE FROM rooms;;
CREATE TABLE t (a INTEGER); SELECT * FROM t
COPY rooms TO '{folder}/out.csv'; SELECT 1
ATTACH '{folder}/new.duckdb'; SELECT 1
SET lock_configuration = false; SELECT 1
BEGIN; DELETE FROM rooms; COMMIT; SELECT 1
COMMIT; DELETE FROM rooms; SELECT 1
ROLLBACK; DELETE FROM rooms; SELECT 1
ROLLBACK; COPY rooms TO '{folder}/out.csv' (USE_TMP_FILE false); SELECT 1
SELECT nextval('numbers'); SELECT 1
SELECT 1; SELECT nextval('numbers')
CALL enable_logging('QueryLog', storage = 'file', storage_path = '{folder}/log'); SELECT 1
PREPARE p AS DELETE FROM rooms; EXECUTE p
SELECT 1 /* a */ ; /* b */ DELETE FROM rooms -- c
/* SELECT 1 */ DELETE FROM rooms
/* a /* nested */ SELECT 1 */ DELETE FROM rooms
-- SELECT 1
/**/DROP/**/TABLE/**/rooms/**/
DeLeTe/**/FrOm/**/rooms
(DELETE FROM rooms)
((SELECT 1)); DELETE FROM rooms
SELECT ';'; DELETE FROM rooms
SELECT $$;$$; DELETE FROM rooms
SELECT $a$ ; $b$ $a$; DELETE FROM rooms
SELECT e'\''; DELETE FROM rooms; --'
SELECT '\'; DELETE FROM rooms; --'
SELECT E'\''; DELETE FROM rooms; --'
SELECT e'\'' || e'\''; DROP TABLE rooms; --'
SELECT "a;b" FROM (SELECT 1 AS "a;b"); DELETE FROM rooms
SELECT 1 AS "x"";"; DELETE FROM rooms
PIVOT rooms ON name USING sum(price); DELETE FROM rooms
DELETE FROM rooms; PIVOT rooms ON name USING sum(price)
WITH pivot AS (SELECT 1) DELETE FROM rooms
WITH pivot AS (SELECT 1) INSERT INTO rooms SELECT 40, 'pivot', 1
CREATE TABLE pivot AS PIVOT rooms ON name USING sum(price)
COPY (PIVOT rooms ON name USING sum(price)) TO '{folder}/out.csv'
EXPLAIN SELECT 1; DELETE FROM rooms
EXPLAIN (FORMAT json) SELECT 1; DELETE FROM rooms
EXPLAIN (FORMAT json); DELETE FROM rooms
EXPLAIN ANALYZE SELECT 1; DELETE FROM rooms; SELECT 1
EXPLAIN ANALYZE PIVOT rooms ON name USING sum(price); DELETE FROM rooms
SHOW TABLES; DELETE FROM rooms
DESCRIBE rooms; DELETE FROM rooms
SUMMARIZE rooms; DELETE FROM rooms
DESCRIBE DELETE FROM rooms
SUMMARIZE DELETE FROM rooms RETURNING *
DESCRIBE INSERT INTO rooms VALUES (50, 'x', 1)
SHOW DELETE FROM rooms
TABLE rooms; DROP TABLE rooms
VALUES (1); DROP TABLE rooms
FROM rooms; DROP TABLE rooms
SELECT 1 ; DELETE FROM rooms
