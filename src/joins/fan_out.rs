//! What a join multiplies: which rows come more than once, and by which key.

use std::collections::BTreeSet;

use crate::domain::ForeignKey;

/// Tells whether joining along a key can give a row of `table` more than once: when the key
/// points to `table` and several rows may point to the same one.
///
/// For a key that points to its own table nobody can tell from the names; it counts as not
/// multiplying.
pub fn multiplies(key: &ForeignKey, table: &str) -> bool {
    key.to_table.eq_ignore_ascii_case(table)
        && !key.from_table.eq_ignore_ascii_case(table)
        && !key.one_to_one
}

/// Lists the keys of a join that multiply rows of `table`, nearest first; empty when each of its
/// rows comes at most once.
///
/// Every key is looked at in the direction away from `table`: from a booking to its room nothing
/// is multiplied, from a room to its bookings each room comes once for each booking.
pub fn fan_out<'a>(keys: &'a [ForeignKey], table: &str) -> Vec<&'a ForeignKey> {
    let mut found = Vec::new();
    let mut used: BTreeSet<usize> = BTreeSet::new();
    let mut reached = vec![table.to_owned()];
    let mut at = 0;
    while let Some(here) = reached.get(at).cloned() {
        at += 1;
        for (n, key) in keys.iter().enumerate() {
            let there = if key.from_table.eq_ignore_ascii_case(&here) {
                &key.to_table
            } else if key.to_table.eq_ignore_ascii_case(&here) {
                &key.from_table
            } else {
                continue;
            };
            if !used.insert(n) {
                continue;
            }
            if multiplies(key, &here) {
                found.push(key);
            }
            if !reached.iter().any(|table| table.eq_ignore_ascii_case(there)) {
                reached.push(there.clone());
            }
        }
    }
    found
}
