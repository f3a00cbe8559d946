//! A file is there whole, or not at all; and what is said when it can't be.

use std::sync::Arc;

use querent::domain::{ResultId, RunId};
use querent::pipeline::{Consent, Export, ExportFormat, Exported};

use super::{AWKWARD, MANY, Made, made, run};

fn csv(made: &Made, name: &str) -> Export {
    Export { path: made.file(name), ..Export::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_export_leaves_nothing() {
    let made = made("", MANY).await;
    for format in ExportFormat::ALL {
        if format == ExportFormat::Parquet && !cfg!(feature = "parquet") {
            continue;
        }
        let name = format!("many.{}", format.extension());
        let mut exporting = made.session.export(&made.id, Export { format, ..csv(&made, &name) });
        // the first progress is told before the first row
        loop {
            match exporting.next().await {
                Some(Exported::Waiting { .. }) => {}
                Some(Exported::Wrote { rows, total }) => {
                    break assert_eq!((rows, total), (0, 100_000));
                }
                other => panic!("{format:?}: {other:?}"),
            }
        }
        drop(exporting);
        // at once, whatever the thread that writes is about
        assert_eq!(made.files(), [] as [String; 0], "{format:?}");
    }
}

#[tokio::test]
async fn what_stands_there_is_replaced_only_when_allowed_and_only_by_a_whole_file() {
    let made = made(AWKWARD, "SELECT id, s FROM t WHERE id < 3").await;
    let path = made.file("all.csv");
    std::fs::write(&path, "mine").unwrap();
    let trouble = made.refused(csv(&made, "all.csv")).await;
    assert!(trouble.what.ends_with("all.csv is there already"), "{trouble:?}");
    assert_eq!(trouble.consent, Some(Consent::Overwrite));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    let export = Export { overwrite: true, ..csv(&made, "all.csv") };
    let written = made.session.export(&made.id, export).ended().await.unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "id,s\n1,\n2,\"\"\n");
    assert_eq!((written.rows, written.bytes), (2, 13));
    assert_eq!(made.files(), ["all.csv"]);
}

#[tokio::test]
async fn a_sheet_that_is_too_small_is_a_sentence_and_leaves_what_was_there() {
    let sql = "SELECT 1 AS n, 'fine' AS s UNION ALL SELECT 2, printf('%.32768c', 'x')";
    let made = made("", sql).await;
    std::fs::write(made.file("long.xlsx"), "mine").unwrap();
    let export = Export { format: ExportFormat::Xlsx, overwrite: true, ..csv(&made, "long.xlsx") };
    let trouble = made.refused(export).await;
    let expected =
        "column “s”, row 2: 32768 characters are more than a cell of Excel holds (32,767)";
    assert_eq!(trouble.what, expected);
    assert_eq!(std::fs::read_to_string(made.file("long.xlsx")).unwrap(), "mine");
    assert_eq!(made.files(), ["long.xlsx"]);
}

#[tokio::test]
async fn more_rows_than_a_sheet_holds_are_a_sentence() {
    let sql = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 1048576)
               SELECT i FROM c";
    let made = made("", sql).await;
    let trouble = made.refused(Export { format: ExportFormat::Xlsx, ..csv(&made, "a.xlsx") }).await;
    let expected = "a sheet of Excel holds 1,048,575 rows below the names; this result has 1048576";
    assert_eq!((trouble.what.as_str(), made.files()), (expected, Vec::new()));
}

#[tokio::test]
async fn each_bad_place_is_named() {
    let made = made(AWKWARD, "SELECT id FROM t").await;
    std::fs::create_dir(made.file("folder")).unwrap();
    std::fs::write(made.file("plain"), "mine").unwrap();
    let mut locked = std::fs::metadata(made.file("plain")).unwrap().permissions();
    locked.set_readonly(true);
    std::fs::set_permissions(made.file("plain"), locked).unwrap();
    for (name, words) in [
        ("none/a.csv", "none doesn't exist"),
        ("plain/a.csv", "doesn't exist"),
        ("folder", "folder is a folder"),
        ("folder/", "names no file"),
        ("plain", "plain is there already and is write-protected"),
        ("shop.db", "shop.db belongs to the database, which is never written"),
        ("folder/../shop.db", "belongs to the database"),
        ("shop.db-wal", "shop.db-wal belongs to the database"),
    ] {
        let export = Export { overwrite: true, ..csv(&made, name) };
        let trouble = made.refused(export).await;
        assert!(trouble.what.contains(words), "{name}: {}", trouble.what);
    }
    let trouble = made.refused(Export::default()).await;
    assert_eq!(trouble.what, "no file is named");
    let trouble = made.refused(Export { columns: Some(vec![4]), ..csv(&made, "a.csv") }).await;
    assert_eq!(trouble.what, "the result has only 1 column");
    assert_eq!(made.files(), ["folder", "plain"]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_leads_to_the_file_it_stands_for_and_never_to_the_database() {
    let made = made(AWKWARD, "SELECT id FROM t WHERE id = 1").await;
    std::fs::write(made.file("real.csv"), "mine").unwrap();
    std::os::unix::fs::symlink(made.file("real.csv"), made.file("link.csv")).unwrap();
    std::os::unix::fs::symlink(made.file("shop.db"), made.file("base.csv")).unwrap();
    std::fs::hard_link(made.file("shop.db"), made.file("twin.csv")).unwrap();
    let export = Export { overwrite: true, ..csv(&made, "link.csv") };
    made.session.export(&made.id, export).ended().await.unwrap();
    assert_eq!(std::fs::read_to_string(made.file("real.csv")).unwrap(), "id\n1\n");
    assert!(std::fs::symlink_metadata(made.file("link.csv")).unwrap().is_symlink());
    for name in ["base.csv", "twin.csv"] {
        let trouble = made.refused(Export { overwrite: true, ..csv(&made, name) }).await;
        assert!(trouble.what.contains("belongs to the database"), "{name}: {}", trouble.what);
    }
}

#[tokio::test]
async fn a_part_of_a_result_is_written_only_when_wanted() {
    let mut made = made(AWKWARD, "SELECT id FROM t").await;
    made.id = run(&made.session, "SELECT id FROM t", Some(2)).await;
    let trouble = made.refused(csv(&made, "some.csv")).await;
    let expected =
        "only 2 rows were read, not the whole result: stopped after 2 rows, the limit given";
    assert_eq!((trouble.what.as_str(), trouble.consent), (expected, Some(Consent::Partial)));
    let export = Export { partial: true, ..csv(&made, "some.csv") };
    let written = made.session.export(&made.id, export).ended().await.unwrap();
    assert_eq!(written.rows, 2);
    assert_eq!(std::fs::read_to_string(made.file("some.csv")).unwrap(), "id\n1\n2\n");
}

#[tokio::test]
async fn a_result_that_is_gone_is_said() {
    let made = made(AWKWARD, "SELECT id FROM t").await;
    let gone = ResultId { run: RunId("gone".into()), attempt: 1, version: 0, view: 0 };
    let exporting = Arc::clone(&made.session).export(&gone, csv(&made, "a.csv"));
    let trouble = exporting.ended().await.unwrap_err();
    assert_eq!(trouble.what, "this result is no longer kept");
}
