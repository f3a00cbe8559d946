//! Stored routines, and views over them, through which a statement that reads could change what
//! lasts. A read-only transaction stops their writes to tables, but not to files, to settings of
//! the server, or to locks.

use std::collections::BTreeSet;

use mysql_async::Error;

use super::pool::Lease;
use super::tokens::{Kind, Quotes};
use super::wall::REFUSED;

/// Schemas of the server itself.
pub(super) const SYSTEM: &str = "'mysql', 'sys', 'information_schema', 'performance_schema'";

/// Words in a routine's text that a read-only transaction does not stop.
const LASTING: &[&str] =
    &["outfile", "dumpfile", "global", "persist", "persist_only", "kill", "flush", "reset"];

/// How many times names found are looked for in other texts.
const ROUNDS: usize = 8;

/// Names routines and views that may do more than read, in lower case.
///
/// A routine whose text this user may not see counts unless it is declared to read only.
pub(super) async fn lasting(lease: &mut Lease) -> Result<BTreeSet<String>, Error> {
    let words = LASTING.iter().chain(REFUSED).copied().collect::<Vec<_>>().join("|");
    let suspects = lease
        .ask(&format!(
            "SELECT ROUTINE_NAME, ROUTINE_DEFINITION, \
             SQL_DATA_ACCESS = 'MODIFIES SQL DATA' OR ROUTINE_DEFINITION IS NULL \
             FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA NOT IN ({SYSTEM}) \
             AND (SQL_DATA_ACCESS = 'MODIFIES SQL DATA' \
             OR LOWER(ROUTINE_DEFINITION) REGEXP '{words}' \
             OR ROUTINE_DEFINITION IS NULL AND SQL_DATA_ACCESS = 'CONTAINS SQL')"
        ))
        .await?;
    let mut names = BTreeSet::new();
    for row in suspects {
        let sure = row.text(2) == "1";
        if sure || says_one_of(row.text(1), is_lasting, lease.quotes) {
            names.insert(row.text(0).to_lowercase());
        }
    }
    for _ in 0..ROUNDS {
        if names.is_empty() || !spread(lease, &mut names).await? {
            break;
        }
    }
    Ok(names)
}

/// Adds routines and views whose texts name one of these; tells whether there were any.
async fn spread(lease: &mut Lease, names: &mut BTreeSet<String>) -> Result<bool, Error> {
    let texts = lease
        .ask(&format!(
            "SELECT ROUTINE_NAME, ROUTINE_DEFINITION FROM information_schema.ROUTINES \
             WHERE ROUTINE_SCHEMA NOT IN ({SYSTEM}) UNION ALL \
             SELECT TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS \
             WHERE TABLE_SCHEMA NOT IN ({SYSTEM})"
        ))
        .await?;
    let before = names.len();
    for row in texts {
        if says_one_of(row.text(1), |word| names.contains(word), lease.quotes) {
            names.insert(row.text(0).to_lowercase());
        }
    }
    Ok(names.len() > before)
}

fn is_lasting(word: &str) -> bool {
    LASTING.contains(&word) || REFUSED.binary_search(&word).is_ok()
}

/// Tells whether a name or word of a text, in lower case, is wanted. What stands in a comment that
/// the server runs is looked at as text: any word in it counts.
fn says_one_of(text: &str, wanted: impl Fn(&str) -> bool, quotes: Quotes) -> bool {
    quotes.tokens(text).iter().any(|token| match token.kind {
        Kind::Word | Kind::Quoted => wanted(&token.name().to_lowercase()),
        Kind::Hidden => {
            token.text.to_lowercase().split(|c: char| !c.is_alphanumeric() && c != '_').any(&wanted)
        }
        Kind::Text | Kind::Comment | Kind::Sign => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_count_and_not_what_stands_in_texts() {
        let says = |text| says_one_of(text, is_lasting, Quotes::default());
        assert!(says("BEGIN SELECT 1 INTO OUTFILE '/tmp/x'; RETURN 1; END"));
        assert!(says("RETURN SLEEP(1)"));
        assert!(says("BEGIN /*! SET GLOBAL x = 1 */; END"));
        assert!(!says("RETURN CONCAT('sleep', sleep_hours) -- global"));
    }
}
