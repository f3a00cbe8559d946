## plain writes
INSERT INTO victims VALUES (99, 'eve', 'x')
INSERT INTO victims SELECT id + 100, name, secret FROM victims
INSERT INTO victims DEFAULT VALUES
INSERT INTO victims VALUES (1, 'a', 'b') ON CONFLICT (id) DO UPDATE SET secret = 'stolen'
INSERT INTO victims VALUES (77, 'a', 'b') RETURNING id
UPDATE victims SET secret = 'stolen'
UPDATE victims SET secret = v.name FROM victims v WHERE v.id = victims.id
UPDATE victims SET secret = 'x' RETURNING *
UPDATE ONLY victims SET name = upper(name)
DELETE FROM victims
DELETE FROM victims WHERE id = 1 RETURNING *
DELETE FROM victims USING notes WHERE true
MERGE INTO victims v USING notes n ON v.id = n.id WHEN MATCHED THEN DELETE
MERGE INTO victims v USING notes n ON v.id = n.id WHEN NOT MATCHED THEN INSERT VALUES (5, 'm', 'm')
TRUNCATE victims
TRUNCATE TABLE victims, notes RESTART IDENTITY CASCADE
insert into victims values (98, 'lower', 'case')
/* a comment */ DELETE FROM victims
-- a comment\nDELETE FROM victims
  \t\n DELETE FROM victims
(DELETE FROM victims RETURNING id)
## writes inside queries
WITH gone AS (DELETE FROM victims RETURNING *) SELECT * FROM gone
WITH new AS (INSERT INTO victims VALUES (60, 'w', 'w') RETURNING id) SELECT id FROM new
WITH more AS (UPDATE victims SET secret = 'cte' RETURNING id) SELECT count(*) FROM more
WITH a AS (SELECT 1), b AS (DELETE FROM victims RETURNING id) SELECT * FROM a, b
WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a WHERE n < 3), b AS (DELETE FROM victims RETURNING 1) SELECT * FROM a
WITH a AS MATERIALIZED (DELETE FROM victims RETURNING *) SELECT 1
SELECT * FROM (WITH gone AS (DELETE FROM victims RETURNING *) SELECT * FROM gone) x
SELECT (WITH gone AS (DELETE FROM victims RETURNING id) SELECT count(*) FROM gone)
SELECT 1 WHERE EXISTS (WITH gone AS (DELETE FROM victims RETURNING id) SELECT 1 FROM gone)
WITH a AS (WITH b AS (DELETE FROM victims RETURNING id) SELECT * FROM b) SELECT * FROM a
WITH a AS (SELECT 1) INSERT INTO victims SELECT 61, 'x', 'y' FROM a
WITH a AS (SELECT 1) DELETE FROM victims
WITH a AS (SELECT 1) UPDATE victims SET secret = 'z'
WITH a AS (TRUNCATE victims) SELECT 1
SELECT * INTO stolen FROM victims
SELECT id, secret INTO TEMP stolen FROM victims
SELECT * INTO UNLOGGED stolen FROM victims
SELECT 1 AS x INTO TABLE stolen
WITH a AS (SELECT 1 AS x) SELECT x INTO stolen FROM a
(SELECT * INTO stolen FROM victims)
SELECT 1 AS x INTO stolen UNION SELECT 2
CREATE TABLE stolen AS SELECT * FROM victims
CREATE TABLE stolen AS EXECUTE p
## locks
SELECT * FROM victims FOR UPDATE
SELECT * FROM victims FOR NO KEY UPDATE
SELECT * FROM victims FOR SHARE
SELECT * FROM victims FOR KEY SHARE SKIP LOCKED
SELECT * FROM (SELECT * FROM victims FOR UPDATE) x
WITH a AS (SELECT * FROM victims FOR UPDATE NOWAIT) SELECT * FROM a
SELECT * FROM victims v, notes n FOR UPDATE OF v
LOCK TABLE victims
LOCK victims IN ACCESS EXCLUSIVE MODE
## structure
CREATE TABLE stolen (id int)
CREATE TEMP TABLE stolen (id int)
CREATE UNLOGGED TABLE stolen (id int)
CREATE TABLE IF NOT EXISTS stolen (LIKE victims)
CREATE VIEW seen AS SELECT * FROM victims
CREATE OR REPLACE VIEW victims_view AS SELECT 1
CREATE MATERIALIZED VIEW seen AS SELECT * FROM victims
REFRESH MATERIALIZED VIEW sums
CREATE INDEX sneaky ON victims (name)
CREATE INDEX CONCURRENTLY sneaky ON victims (name)
CREATE SEQUENCE sneaky
CREATE SCHEMA sneaky
CREATE TYPE sneaky AS ENUM ('a')
CREATE DOMAIN sneaky AS int
CREATE FUNCTION sneaky() RETURNS int LANGUAGE sql AS 'SELECT 1'
CREATE OR REPLACE FUNCTION stable_reader() RETURNS int LANGUAGE sql AS 'SELECT 2'
CREATE PROCEDURE sneaky() LANGUAGE sql AS 'DELETE FROM victims'
CREATE TRIGGER sneaky BEFORE INSERT ON victims FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()
CREATE RULE sneaky AS ON SELECT TO notes DO INSTEAD SELECT 1
CREATE EXTENSION dblink
CREATE EXTENSION IF NOT EXISTS pg_trgm
CREATE ROLE sneaky SUPERUSER LOGIN
CREATE USER sneaky PASSWORD 'x'
CREATE DATABASE sneaky
CREATE TABLESPACE sneaky LOCATION '/tmp'
CREATE SERVER sneaky FOREIGN DATA WRAPPER file_fdw
CREATE PUBLICATION sneaky FOR ALL TABLES
CREATE SUBSCRIPTION sneaky CONNECTION 'host=localhost' PUBLICATION p
CREATE EVENT TRIGGER sneaky ON ddl_command_start EXECUTE FUNCTION suppress_redundant_updates_trigger()
CREATE CAST (text AS int) WITH INOUT
CREATE OPERATOR === (leftarg = int, rightarg = int, function = int4eq)
CREATE AGGREGATE sneaky (int) (sfunc = int4pl, stype = int)
CREATE LANGUAGE plperlu
CREATE POLICY sneaky ON victims USING (true)
CREATE STATISTICS sneaky ON id, name FROM victims
CREATE COLLATION sneaky (locale = 'C')
CREATE CONVERSION sneaky FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8
CREATE TEXT SEARCH CONFIGURATION sneaky (COPY = english)
DROP TABLE victims
DROP TABLE IF EXISTS victims CASCADE
DROP VIEW victims_view
DROP FUNCTION stable_reader
DROP SCHEMA public CASCADE
DROP DATABASE postgres
DROP ROLE bystander
DROP SEQUENCE counter
DROP INDEX victims_pkey
DROP OWNED BY CURRENT_USER
ALTER TABLE victims ADD COLUMN extra int
ALTER TABLE victims RENAME TO gone
ALTER TABLE victims DISABLE TRIGGER ALL
ALTER TABLE victims OWNER TO bystander
ALTER SEQUENCE counter RESTART
ALTER ROLE bystander SUPERUSER
ALTER USER CURRENT_USER PASSWORD 'owned'
ALTER SYSTEM SET log_statement = 'all'
ALTER SYSTEM RESET ALL
ALTER DATABASE postgres SET work_mem = '1GB'
ALTER ROLE ALL SET search_path = 'evil'
ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC
ALTER FUNCTION stable_reader() VOLATILE
ALTER LARGE OBJECT 4242 OWNER TO bystander
ALTER VIEW victims_view RENAME TO gone
GRANT ALL ON victims TO PUBLIC
GRANT bystander TO CURRENT_USER
REVOKE ALL ON victims FROM PUBLIC
REASSIGN OWNED BY CURRENT_USER TO bystander
COMMENT ON TABLE victims IS 'owned'
SECURITY LABEL ON TABLE victims IS 'x'
IMPORT FOREIGN SCHEMA public FROM SERVER s INTO public
## the session
SET default_transaction_read_only = off
SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE
SET TRANSACTION READ WRITE
SET transaction_read_only = off
SET LOCAL statement_timeout = 0
SET ROLE bystander
SET SESSION AUTHORIZATION bystander
SET search_path = evil
SET standard_conforming_strings = off
SET TIME ZONE 'UTC'
SET CONSTRAINTS ALL DEFERRED
RESET ALL
RESET SESSION AUTHORIZATION
DISCARD ALL
DISCARD TEMP
BEGIN
BEGIN READ WRITE
START TRANSACTION READ WRITE
COMMIT
COMMIT AND CHAIN
END
ROLLBACK
ROLLBACK AND CHAIN
ABORT
SAVEPOINT a
RELEASE SAVEPOINT a
PREPARE TRANSACTION 'sneaky'
COMMIT PREPARED 'sneaky'
LISTEN sneaky
NOTIFY sneaky
NOTIFY watched, 'hello'
UNLISTEN *
CLOSE ALL
DECLARE c CURSOR WITH HOLD FOR SELECT * FROM victims
DECLARE c CURSOR FOR SELECT 1
FETCH ALL FROM c
MOVE ALL FROM c
LOAD 'auto_explain'
CHECKPOINT
VACUUM
VACUUM FULL victims
VACUUM (ANALYZE) victims
ANALYZE victims
CLUSTER victims USING victims_pkey
REINDEX TABLE victims
REINDEX DATABASE postgres
SHOW ALL
SHOW data_directory
## programs and files
COPY victims TO '/tmp/querent_attack_copy'
COPY victims TO PROGRAM 'touch /tmp/querent_attack_program'
COPY victims FROM PROGRAM 'echo 50,a,b' WITH (FORMAT csv)
COPY victims FROM '/etc/passwd'
COPY victims FROM STDIN
COPY victims TO STDOUT
COPY (SELECT * FROM victims) TO '/tmp/querent_attack_copy'
COPY (SELECT 1) TO PROGRAM 'touch /tmp/querent_attack_program'
COPY (DELETE FROM victims RETURNING *) TO STDOUT
copy victims to program 'id'
DO $$ BEGIN DELETE FROM victims; END $$
DO LANGUAGE plpgsql 'BEGIN DELETE FROM victims; END'
DO $x$ BEGIN PERFORM pg_terminate_backend(1); END $x$
CALL remove_all()
CALL public.remove_all()
PREPARE p AS DELETE FROM victims
PREPARE p AS SELECT 1
EXECUTE p
EXECUTE p(1)
DEALLOCATE ALL
EXPLAIN ANALYZE DELETE FROM victims
EXPLAIN (ANALYZE) DELETE FROM victims
EXPLAIN (ANALYZE true, COSTS off) UPDATE victims SET secret = 'x'
EXPLAIN ANALYZE INSERT INTO victims VALUES (55, 'x', 'y')
EXPLAIN ANALYZE SELECT pg_advisory_lock(55)
EXPLAIN ANALYZE VERBOSE SELECT set_config('work_mem', '1MB', false)
EXPLAIN (BUFFERS, ANALYZE) SELECT lo_create(5555)
EXPLAIN ("analyze") SELECT pg_advisory_lock(55)
EXPLAIN ("analyze" on, costs off) DELETE FROM victims
EXPLAIN ANALYZE CREATE TABLE stolen AS SELECT * FROM victims
EXPLAIN ANALYZE EXECUTE p
EXPLAIN DELETE FROM victims
EXPLAIN CREATE TABLE stolen AS SELECT 1
## several at once, and hidden
SELECT 1; DELETE FROM victims
SELECT 1; DROP TABLE victims; --
SELECT 1;DELETE FROM victims;SELECT 2
;DELETE FROM victims
; ; DELETE FROM victims
SELECT 1 /* ; */ ; DELETE FROM victims
SELECT 1 -- ;\n; DELETE FROM victims
SELECT ';'; DELETE FROM victims
SELECT $$;$$; DELETE FROM victims
SELECT E'\\'; DELETE FROM victims --'
SELECT E'\\''; DELETE FROM victims --'
SELECT '\'; DELETE FROM victims --'
SELECT $a$ $b$ $a$; DELETE FROM victims --$b$
SELECT $1$ ; DELETE FROM victims --$1$
SELECT 1 /* /* */ ; DELETE FROM victims /* */ */
SELECT 1 /* */ ; DELETE FROM victims /* */
SELECT 1; COMMIT; DELETE FROM victims
COMMIT; DELETE FROM victims
ROLLBACK; DELETE FROM victims
SELECT 1; SET transaction_read_only = off; DELETE FROM victims
SELECT 1\0; DELETE FROM victims
BEGIN; DELETE FROM victims; COMMIT
SELECT U&'\0027'; DELETE FROM victims
SELECT 'a'\n'b'; DELETE FROM victims
SELECT E'a'\n'\\'; DELETE FROM victims --'
SELECT B'0'; DELETE FROM victims
SELECT 1;\\! touch /tmp/querent_attack_shell
TABLE victims; DELETE FROM victims
VALUES (1); DELETE FROM victims
DE/**/LETE FROM victims
DELETE/**/FROM victims
DELETE\nFROM\nvictims
## functions that take or give locks, wait or end
SELECT pg_sleep(2)
SELECT pg_catalog.pg_sleep(2)
SELECT "pg_sleep"(2)
SELECT pg_sleep /* x */ (2)
SELECT PG_SLEEP (2)
SELECT pg_sleep_for('2 seconds')
SELECT pg_sleep_until(now() + interval '2 seconds')
SELECT 1 FROM pg_sleep(2)
SELECT 1 WHERE pg_sleep(2) IS NOT NULL
SELECT 1 ORDER BY pg_sleep(2)
SELECT 1 LIMIT (SELECT 1 FROM pg_sleep(2))
SELECT CASE WHEN true THEN pg_sleep(2) END
SELECT count(*) FILTER (WHERE pg_sleep(2) IS NOT NULL) FROM victims
SELECT * FROM victims v, LATERAL pg_sleep(2)
SELECT * FROM ROWS FROM (pg_sleep(2), generate_series(1, 2)) AS x
VALUES (pg_sleep(2)), (pg_sleep(2))
SELECT array(SELECT pg_sleep(2))
SELECT U&"pg\005fsleep"(2)
SELECT U&"pg!005fsleep" UESCAPE '!' (2)
WITH a AS (SELECT pg_sleep(2)) SELECT * FROM a
SELECT 1 UNION SELECT 2 FROM pg_sleep(2)
SELECT 1 GROUP BY pg_sleep(2)
SELECT 1 FROM victims HAVING pg_sleep(2) IS NOT NULL
SELECT sum(1) OVER (ORDER BY pg_sleep(2)) FROM victims
EXPLAIN SELECT 1 FROM victims WHERE id = (SELECT pg_advisory_lock(1)::text::int)
SELECT pg_advisory_lock(4711)
SELECT pg_advisory_lock_shared(4711)
SELECT pg_try_advisory_lock(4711)
SELECT pg_advisory_xact_lock(4711)
SELECT pg_try_advisory_xact_lock_shared(1, 2)
SELECT pg_advisory_unlock_all()
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()
SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
SELECT pg_cancel_backend(pid) FROM pg_stat_activity
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
SELECT pg_log_backend_memory_contexts(pg_backend_pid())
SELECT pg_notify('watched', 'hello')
## functions that change settings, sequences and the server
SELECT set_config('transaction_read_only', 'off', false)
SELECT set_config('transaction_read_only', 'off', true), (SELECT 1 FROM victims LIMIT 1)
SELECT set_config('default_transaction_read_only', 'off', false)
SELECT set_config('standard_conforming_strings', 'off', false)
SELECT set_config('role', 'bystander', false)
SELECT pg_catalog.set_config('statement_timeout', '0', false)
SELECT nextval('counter')
SELECT nextval('counter'::regclass) FROM generate_series(1, 5)
SELECT setval('counter', 1000)
SELECT setval('counter', 1000, true)
SELECT setseed(0.5)
SELECT pg_reload_conf()
SELECT pg_rotate_logfile()
SELECT pg_switch_wal()
SELECT pg_create_restore_point('sneaky')
SELECT pg_backup_start('sneaky')
SELECT pg_backup_stop()
SELECT pg_promote()
SELECT pg_wal_replay_pause()
SELECT pg_wal_replay_resume()
SELECT pg_create_physical_replication_slot('sneaky', true)
SELECT pg_create_logical_replication_slot('sneaky', 'test_decoding')
SELECT pg_drop_replication_slot('kept_slot')
SELECT pg_replication_slot_advance('kept_slot', '0/1')
SELECT pg_copy_physical_replication_slot('kept_slot', 'sneaky')
SELECT * FROM pg_logical_slot_get_changes('kept_slot', NULL, NULL)
SELECT pg_logical_emit_message(false, 'sneaky', 'x')
SELECT pg_replication_origin_create('sneaky')
SELECT pg_replication_origin_drop('sneaky')
SELECT pg_stat_reset()
SELECT pg_stat_reset_shared('bgwriter')
SELECT pg_stat_reset_single_table_counters('victims'::regclass)
SELECT pg_stat_reset_slru(NULL)
SELECT pg_stat_clear_snapshot()
SELECT pg_import_system_collations('public')
SELECT pg_export_snapshot()
SELECT txid_current()
SELECT pg_current_xact_id()
SELECT pg_nextoid('pg_class', 'oid', 'pg_class_oid_index')
SELECT pg_extension_config_dump('victims', '')
SELECT brin_summarize_new_values('victims_pkey')
SELECT gin_clean_pending_list('victims_pkey')
SELECT binary_upgrade_set_next_pg_type_oid(99999)
SELECT pg_stop_making_pinned_objects()
## files and large objects
SELECT pg_read_file('postgresql.conf')
SELECT pg_read_file('/etc/passwd', 0, 100)
SELECT pg_catalog.pg_read_file('PG_VERSION')
SELECT pg_read_binary_file('PG_VERSION')
SELECT pg_ls_dir('.')
SELECT * FROM pg_ls_dir('/')
SELECT * FROM pg_ls_logdir()
SELECT * FROM pg_ls_waldir()
SELECT * FROM pg_ls_tmpdir()
SELECT * FROM pg_ls_archive_statusdir()
SELECT pg_stat_file('PG_VERSION')
SELECT pg_current_logfile()
SELECT * FROM pg_hba_file_rules()
SELECT * FROM pg_show_all_file_settings()
SELECT lo_import('/etc/passwd')
SELECT lo_import('/etc/passwd', 5556)
SELECT lo_export(4242, '/tmp/querent_attack_export')
SELECT lo_create(5557)
SELECT lo_creat(-1)
SELECT lo_from_bytea(5558, 'x')
SELECT lo_put(4242, 0, 'owned')
SELECT lo_unlink(4242)
SELECT lo_open(4242, 131072)
SELECT lowrite(lo_open(4242, 131072), 'owned')
SELECT lo_truncate(lo_open(4242, 131072), 0)
SELECT lo_truncate64(lo_open(4242, 131072), 0)
SELECT lo_get(4242)
SELECT lo_unlink(oid) FROM pg_largeobject_metadata
SELECT pg_file_write('querent_attack_file', 'x', false)
SELECT pg_file_unlink('PG_VERSION')
SELECT pg_file_rename('PG_VERSION', 'x')
## SQL in texts, and other servers
SELECT query_to_xml('SELECT pg_advisory_lock(4712)', true, true, '')
SELECT query_to_xml('DELETE FROM victims', true, true, '')
SELECT query_to_xmlschema('SELECT 1', true, true, '')
SELECT query_to_xml_and_xmlschema('SELECT pg_sleep(2)', true, true, '')
SELECT cursor_to_xml('c', 1, true, true, '')
SELECT * FROM ts_stat('SELECT to_tsvector(name) FROM victims WHERE pg_sleep(2) IS NOT NULL')
SELECT ts_rewrite('a'::tsquery, 'SELECT ''a''::tsquery, pg_sleep(2)::text::tsquery')
SELECT dblink_exec('dbname=postgres', 'CREATE TABLE stolen (id int)')
SELECT * FROM dblink('dbname=postgres', 'DELETE FROM victims RETURNING 1') AS t(x int)
SELECT dblink_connect('sneaky', 'dbname=postgres')
SELECT dblink_send_query('sneaky', 'DELETE FROM victims')
SELECT public.dblink_exec('dbname=postgres', 'DELETE FROM victims')
SELECT * FROM crosstab('SELECT pg_sleep(2)::text, 1, 2') AS t(a text, b int)
SELECT * FROM connectby('victims', 'id', 'id', '1', 0) AS t(a int, b int, c int)
## known only from the catalog
SELECT writes()
SELECT public.writes()
SELECT "writes"()
SELECT * FROM writes()
SELECT writes(), name FROM victims
SELECT claims_stable()
SELECT 1 WHERE claims_stable() IS NOT NULL
SELECT claims_immutable()
SELECT dynamic_stable()
SELECT deep_stable()
SELECT atomic_stable()
SELECT * FROM bad_view
SELECT * FROM bad_view_of_view
SELECT count(*) FROM "bad_view"
SELECT * FROM public . bad_view
SELECT v.row_writes FROM victims v
SELECT (v).row_writes FROM victims v
SELECT row_writes(v) FROM victims v
SELECT 1 <~> 2
SELECT 1 OPERATOR(public.<~>) 2
SELECT 1<~>2
SELECT sum_writes(id) FROM victims
SELECT sum_writes(id) OVER () FROM victims
SELECT 'x'::odd
SELECT CAST('x'::text AS odd_row)
SELECT * FROM guarded
SELECT dblink_exec_stable()
TABLE bad_view
SELECT random_not_ours()
SELECT public.random()
SELECT evil.upper('x')
SELECT * FROM victims WHERE writes() > 0
SELECT name FROM victims ORDER BY writes()
SELECT name FROM victims GROUP BY name HAVING count(writes()) > 0
EXPLAIN SELECT claims_immutable()
