//! Statements that would change something, run against each of the two walls alone: what is left of
//! the other one is taken away, and the state of the server is compared before and after.

use std::time::{Duration, Instant};

use querent::database::Trouble;
use querent::domain::Dialect;
use querent::sql::ReadQuery;

use super::super::run;
use super::own::OwnServer;
use super::{Served, served_by};

const ATTACKS: &str = include_str!("../attacks/postgres.sql");
/// The group of attacks that only the catalog can know.
const CATALOG: &str = "known only from the catalog";

/// What only looks like an attack: to the server the second statement is a text or a comment.
const TEXTS: [&str; 3] = [
    r"SELECT E'\\'; DELETE FROM victims --'",
    "SELECT 1 /* /* */ ; DELETE FROM victims /* */ */",
    r"SELECT E'a'\n'\\'; DELETE FROM victims --'",
];

/// What the attacks are after.
const PREY: &str = r"
    CREATE TABLE victims (id int PRIMARY KEY, name text, secret text);
    INSERT INTO victims SELECT n, 'name ' || n, 'secret ' || n FROM generate_series(1, 20) n;
    CREATE TABLE notes (id int, note text);
    CREATE TABLE log (note text);
    CREATE SEQUENCE counter;
    CREATE VIEW victims_view AS SELECT id, name FROM victims;
    CREATE MATERIALIZED VIEW sums AS SELECT count(*) FROM victims;
    CREATE EXTENSION dblink; CREATE EXTENSION tablefunc; CREATE EXTENSION adminpack;
    SELECT lo_from_bytea(4242, 'a large object');
    CREATE PROCEDURE remove_all() LANGUAGE sql AS 'DELETE FROM victims';
    CREATE FUNCTION stable_reader() RETURNS bigint STABLE LANGUAGE sql AS 'SELECT count(*) FROM victims';
    CREATE FUNCTION writes() RETURNS int LANGUAGE sql AS $$ SELECT pg_advisory_lock(4713); SELECT 1 $$;
    CREATE FUNCTION claims_stable() RETURNS int STABLE LANGUAGE sql AS $$ SELECT pg_advisory_lock(4714); SELECT 1 $$;
    CREATE FUNCTION claims_immutable() RETURNS int IMMUTABLE LANGUAGE plpgsql
        AS $$ BEGIN PERFORM pg_advisory_lock(4715); RETURN 1; END $$;
    CREATE FUNCTION dynamic_stable() RETURNS int STABLE LANGUAGE plpgsql
        AS $$ BEGIN EXECUTE 'SELECT pg_' || 'advisory_lock(4716)'; RETURN 1; END $$;
    CREATE FUNCTION deep_stable() RETURNS int STABLE LANGUAGE sql AS 'SELECT claims_stable()';
    CREATE FUNCTION atomic_stable() RETURNS int STABLE LANGUAGE sql
        BEGIN ATOMIC SELECT pg_advisory_lock(4717); SELECT 1; END;
    CREATE FUNCTION dblink_exec_stable() RETURNS text STABLE LANGUAGE sql
        AS $$ SELECT dblink_exec('dbname=' || current_database() || ' port=' || current_setting('port'), 'DELETE FROM victims') $$;
    CREATE VIEW bad_view AS SELECT pg_advisory_lock(4718)::text AS locked;
    CREATE VIEW bad_view_of_view AS SELECT * FROM bad_view;
    CREATE FUNCTION row_writes(victims) RETURNS int LANGUAGE sql AS $$ SELECT pg_advisory_lock(4719); SELECT 1 $$;
    CREATE FUNCTION op_writes(int, int) RETURNS boolean LANGUAGE sql AS $$ SELECT pg_advisory_lock(4720); SELECT true $$;
    CREATE OPERATOR <~> (leftarg = int, rightarg = int, function = op_writes);
    CREATE FUNCTION add_writes(int, int) RETURNS int LANGUAGE sql AS $$ SELECT pg_advisory_lock(4721); SELECT 1 $$;
    CREATE AGGREGATE sum_writes (int) (sfunc = add_writes, stype = int, initcond = '0');
    CREATE FUNCTION check_writes(text) RETURNS boolean LANGUAGE sql AS $$ SELECT pg_advisory_lock(4722); SELECT true $$;
    CREATE DOMAIN odd AS text CHECK (check_writes(VALUE));
    CREATE TYPE odd_row AS (x text);
    CREATE FUNCTION to_odd(text) RETURNS odd_row LANGUAGE sql AS $$ SELECT pg_advisory_lock(4723); SELECT ROW('x')::odd_row $$;
    CREATE CAST (text AS odd_row) WITH FUNCTION to_odd(text);
    CREATE TABLE guarded (id int);
    INSERT INTO guarded VALUES (1);
    CREATE POLICY guard ON guarded USING (check_writes('x'));
    ALTER TABLE guarded ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE FUNCTION random_not_ours() RETURNS int LANGUAGE sql AS $$ SELECT pg_advisory_lock(4724); SELECT 1 $$;
    CREATE FUNCTION public.random() RETURNS float8 LANGUAGE sql AS $$ SELECT pg_advisory_lock(4725); SELECT 1.0::float8 $$;
    CREATE SCHEMA evil;
    CREATE FUNCTION evil.upper(text) RETURNS text LANGUAGE sql AS $$ SELECT pg_advisory_lock(4726); SELECT 'X' $$;
";

/// Everything that an attack could have changed, as one text for each kind of thing.
const STATE: &str = r"
    SELECT 'victims', md5(string_agg(v::text, '|' ORDER BY v.id)) FROM victims v
    UNION ALL SELECT 'notes', count(*)::text FROM notes
    UNION ALL SELECT 'log', count(*)::text FROM log
    UNION ALL SELECT 'relations', md5(string_agg(concat(relname, relkind, relowner, relacl, relnatts, relhasrules,
        relhastriggers, reltuples > 0), '|' ORDER BY oid)) FROM pg_class WHERE oid >= 16384
    UNION ALL SELECT 'functions', md5(string_agg(concat(proname, provolatile, prosrc), '|' ORDER BY oid)) FROM pg_proc
    UNION ALL SELECT 'types', count(*)::text FROM pg_type
    UNION ALL SELECT 'schemas', string_agg(nspname, ',' ORDER BY nspname) FROM pg_namespace
    UNION ALL SELECT 'collations', count(*)::text FROM pg_collation
    UNION ALL SELECT 'extensions', string_agg(extname, ',' ORDER BY extname) FROM pg_extension
    UNION ALL SELECT 'databases', string_agg(datname, ',' ORDER BY datname) FROM pg_database
    UNION ALL SELECT 'roles', md5(string_agg(concat(rolname, rolsuper, rolpassword), '|' ORDER BY oid)) FROM pg_authid
    UNION ALL SELECT 'members', count(*)::text FROM pg_auth_members
    UNION ALL SELECT 'role settings', count(*)::text FROM pg_db_role_setting
    UNION ALL SELECT 'default rights', count(*)::text FROM pg_default_acl
    UNION ALL SELECT 'comments', count(*)::text FROM pg_description
    UNION ALL SELECT 'policies', count(*)::text FROM pg_policy
    UNION ALL SELECT 'settings', md5(string_agg(name || setting, '|' ORDER BY name)) FROM pg_settings
        WHERE name NOT LIKE 'transaction%' AND name NOT LIKE 'in_hot%'
    UNION ALL SELECT 'settings file', pg_read_file('postgresql.auto.conf')
    UNION ALL SELECT 'settings read', pg_conf_load_time()::text
    UNION ALL SELECT 'counter', concat(last_value, is_called) FROM counter
    UNION ALL SELECT 'large objects', md5(string_agg(concat(loid, pageno, data), '|' ORDER BY loid, pageno)) FROM pg_largeobject
    UNION ALL SELECT 'owners of large objects', string_agg(concat(oid, lomowner, lomacl), ',' ORDER BY oid) FROM pg_largeobject_metadata
    UNION ALL SELECT 'slots', string_agg(concat(slot_name, confirmed_flush_lsn), ',' ORDER BY slot_name) FROM pg_replication_slots
    UNION ALL SELECT 'origins', count(*)::text FROM pg_replication_origin
    UNION ALL SELECT 'advisory locks', count(*)::text FROM pg_locks WHERE locktype = 'advisory'
    UNION ALL SELECT 'prepared', count(*)::text FROM pg_prepared_xacts
    UNION ALL SELECT 'bystander', count(*)::text FROM pg_stat_activity WHERE application_name = 'bystander'
    UNION ALL SELECT 'figures reset', concat(max(stats_reset)) FROM pg_stat_database
    UNION ALL SELECT 'log segment', pg_walfile_name(pg_current_wal_lsn())
    UNION ALL SELECT 'files', string_agg(f, ',' ORDER BY f) FROM pg_ls_dir('.') f WHERE f NOT LIKE 'postmaster%'
    UNION ALL SELECT 'files outside', string_agg(f, ',' ORDER BY f) FROM pg_ls_dir('/tmp') f WHERE f LIKE 'querent_attack%'
    ORDER BY 1";

/// One statement of the list, and its group.
fn attacks() -> Vec<(&'static str, String)> {
    let mut group = "";
    let mut found = Vec::new();
    for line in ATTACKS.lines() {
        match line.strip_prefix("## ") {
            Some(title) => group = title,
            None => found.push((group, unescaped(line))),
        }
    }
    found
}

/// Reads `\n`, `\t`, `\0` and `\\`; another backslash stands for itself.
fn unescaped(line: &str) -> String {
    let mut text = String::new();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let known = [('n', '\n'), ('t', '\t'), ('0', '\0'), ('\\', '\\')];
        let next = chars.peek().and_then(|next| known.iter().find(|(name, _)| name == next));
        match next.filter(|_| c == '\\') {
            Some((_, stands_for)) => {
                text.push(*stands_for);
                chars.next();
            }
            None => text.push(c),
        }
    }
    text
}

async fn state(prey: &Served) -> Vec<(String, String)> {
    // settings are those of a new session
    let fresh = super::connected(&prey.address()).await;
    let rows = fresh.query(STATE, &[]).await.expect("the state");
    let text = |row: &tokio_postgres::Row, at| row.get::<_, Option<String>>(at).unwrap_or_default();
    rows.iter().map(|row| (text(row, 0), text(row, 1))).collect()
}

/// Fills a server of its own, with a bystander whose connection must survive.
async fn prey(server: &OwnServer) -> (Served, tokio_postgres::Client) {
    let prey = served_by(&server.address(), "attacked").await;
    prey.fill("CREATE ROLE bystander").await;
    prey.fill(PREY).await;
    // made in a transaction of its own
    prey.fill("SELECT pg_create_logical_replication_slot('kept_slot', 'test_decoding')").await;
    let bystander = super::connected(&prey.address()).await;
    bystander.batch_execute("SET application_name = 'bystander'").await.expect("named");
    (prey, bystander)
}

#[test]
fn the_list_is_long_and_has_no_statement_twice() {
    let mut all: Vec<String> = attacks().into_iter().map(|(_, sql)| sql).collect();
    let count = all.len();
    assert!(count >= 300, "{count}");
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[tokio::test]
async fn the_engine_side_wall_holds_alone_for_a_superuser() {
    let Some(server) = OwnServer::start().await else { return };
    let (prey, _bystander) = prey(&server).await;
    let before = state(&prey).await;
    let database = prey.open().await;
    let mut passed = Vec::new();
    for (_, sql) in attacks() {
        let begin = Instant::now();
        let prepared = database.prepare(&sql).await;
        let ran = run(&*database, &sql).await;
        if let Err(Trouble::Database(error)) = &ran {
            panic!("{sql}: {error}");
        }
        if prepared.is_ok() || ran.is_ok() {
            passed.push(sql.clone());
        }
        assert!(begin.elapsed() < Duration::from_millis(1500), "{sql} took its time");
        let locks = prey.number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").await;
        assert_eq!(locks, 0, "{sql}");
    }
    let count = attacks().len();
    println!(
        "{} of {count} statements refused by the engine's side; passed: {passed:#?}",
        count - passed.len()
    );
    assert_eq!(passed, TEXTS.map(unescaped), "{passed:#?}");
    assert_eq!(state(&prey).await, before);
}

#[tokio::test]
async fn the_parsing_wall_holds_alone() {
    let Some(server) = OwnServer::start().await else { return };
    let (prey, _bystander) = prey(&server).await;
    let before = state(&prey).await;
    let mut passed = Vec::new();
    let attacks: Vec<String> =
        attacks().into_iter().filter(|(group, _)| *group != CATALOG).map(|(_, sql)| sql).collect();
    for sql in &attacks {
        let Ok(query) = ReadQuery::parse(sql, Dialect::Postgres) else { continue };
        // a superuser runs it as it is, in a transaction that may write
        let attacker = super::connected(&prey.address()).await;
        let _ = attacker.simple_query(query.text()).await;
        passed.push(sql);
        let now = state(&prey).await;
        assert_eq!(now, before, "{passed:#?}");
    }
    let count = attacks.len();
    println!(
        "{} of {count} statements refused by the parse; passed: {passed:#?}",
        count - passed.len()
    );
    assert_eq!(state(&prey).await, before);
}
