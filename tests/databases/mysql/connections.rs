//! Connecting: what is shown of an address, what is said when it fails, what a reader may do.

use querent::database::{self, DatabaseError, OpenOptions};

use super::super::run;
use super::{Base, open};

#[tokio::test]
async fn engine_and_version_are_told_and_no_password_is_shown() {
    let Some(base) = Base::made("greeting", &[]).await else { return };
    let database = base.opened().await;
    let engine = database.engine();
    let version = engine.strip_prefix("mariadb ").or_else(|| engine.strip_prefix("mysql "));
    let version = version.and_then(|rest| rest.strip_suffix(" · read-only")).expect(&engine);
    assert!(version.chars().all(|c| c.is_ascii_digit() || c == '.'), "{engine}");
    let notices = database.notices();
    assert!(notices.iter().any(|n| n.contains("GRANT SELECT")), "{notices:?}");
}

#[tokio::test]
async fn an_account_that_only_reads_is_given_no_advice() {
    let setup = ["CREATE TABLE t (a INT)".to_owned()];
    let Some(base) = Base::made("reader", &setup).await else { return };
    let Ok(reader) = std::env::var("QUERENT_MYSQL_READER") else { return };
    let database = open(&base.address_at(&reader)).await;
    assert_eq!(database.notices(), Vec::<String>::new());
    run(&*database, "SELECT a FROM t").await.expect("rows");
    database.catalog(false).await.expect("a catalog");
}

#[tokio::test]
async fn what_can_t_be_opened_says_why_and_what_to_do() {
    let Some(base) = Base::made("refused", &[]).await else { return };
    let options = OpenOptions::default();
    let address = base.address();
    let (server, _) = address.rsplit_once('/').expect("a name");
    let login =
        address.split_once("//").and_then(|(_, rest)| rest.split_once('@')).expect("a user").0;
    for (address, words) in [
        (format!("{server}/no_such_database_here"), "has no database 'no_such_database_here'"),
        (address.replace(&format!("{login}@"), "nobody:s3cret@"), "refuses user 'nobody'"),
        (format!("{address}?ssl-mode=REQUIRED"), "offers no TLS"),
        ("mysql://a:s3cret@127.0.0.1:1/x".to_owned(), "can't be reached"),
    ] {
        let Err(error) = database::open(&address, &options).await else {
            panic!("{address} opened")
        };
        assert!(matches!(error, DatabaseError::Open { .. }), "{error:?}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(!error.hint().is_empty());
        assert!(!format!("{error} {error:?}").contains("s3cret"), "{error:?}");
    }
}
