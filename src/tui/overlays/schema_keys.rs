//! The keys of one table as a small map: what it points to, what points to it.

use crate::domain::{Catalog, ForeignKey};

use super::super::theme::Role;
use super::super::widgets::lines::Line;
use crate::shown::Shown;

/// Columns of an arrow.
const ARROW: usize = 11;

/// Draws the keys that touch a table, those that it holds first; one line a key.
///
/// Declared and told keys are drawn through, inferred ones dotted; the arrow points to the one side.
pub fn map(catalog: &Catalog, table: &str, width: usize) -> Vec<Line> {
    let held = |key: &&ForeignKey| key.from_table.eq_ignore_ascii_case(table);
    let keys: Vec<&ForeignKey> = catalog.keys_of(table).collect();
    let (out, back): (Vec<&ForeignKey>, Vec<&ForeignKey>) = keys.into_iter().partition(held);
    let own = |key: &&ForeignKey| columns(&key.from_columns);
    let theirs = |key: &&ForeignKey| columns(&key.to_columns);
    let names = out.iter().map(own).chain(back.iter().map(theirs));
    let widest = names.map(|name| Shown::new(&name).width()).max().unwrap_or(0);
    let most = width.saturating_sub(ARROW + 2) / 2;
    let left = widest.min(most);
    let mut lines = Vec::new();
    for key in out {
        let far = format!("{}.{}", key.to_table, columns(&key.to_columns));
        lines.push(line(&own(&key), left, arrow(key, true), &far, width));
    }
    for key in back {
        let far = format!("{}.{}", key.from_table, columns(&key.from_columns));
        lines.push(line(&theirs(&key), left, arrow(key, false), &far, width));
    }
    lines
}

fn columns(names: &[String]) -> String {
    match names {
        [one] => one.clone(),
        many => format!("({})", many.join(", ")),
    }
}

/// Draws `── n:1 ──▶`, or back `◀── 1:n ──`; dotted when the key was inferred.
fn arrow(key: &ForeignKey, out: bool) -> Line {
    let stroke = if key.is_sure() { "──" } else { "┄┄" };
    let many = if key.one_to_one {
        "1:1"
    } else if out {
        "n:1"
    } else {
        "1:n"
    };
    let (head, tail) = if out { (" ", "▶ ") } else { (" ◀", " ") };
    vec![
        (Shown::from(format!("{head}{stroke} ")), Role::Dim),
        (Shown::from(many), Role::Accent),
        (Shown::from(format!(" {stroke}{tail}")), Role::Dim),
    ]
}

fn line(own: &str, left: usize, arrow: Line, far: &str, width: usize) -> Line {
    let mut line = vec![(Shown::cut(own, left).left(left), Role::Text)];
    let used = left + arrow.iter().map(|(text, _)| text.width()).sum::<usize>();
    line.extend(arrow);
    line.push((Shown::cut(far, width.saturating_sub(used)), Role::Text));
    line
}

/// Says the same in one line where there is no room: `→ rooms, members  ← payments`.
pub fn short(catalog: &Catalog, table: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    let mut back: Vec<&str> = Vec::new();
    for key in catalog.keys_of(table) {
        let (list, name) = if key.from_table.eq_ignore_ascii_case(table) {
            (&mut out, key.to_table.as_str())
        } else {
            (&mut back, key.from_table.as_str())
        };
        if !list.contains(&name) {
            list.push(name);
        }
    }
    let mut parts = Vec::new();
    for (sign, names) in [("→", out), ("←", back)] {
        if !names.is_empty() {
            parts.push(format!("{sign} {}", names.join(", ")));
        }
    }
    if parts.is_empty() { "no keys".to_owned() } else { parts.join("  ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::schema::KeyOrigin;

    fn key(from: (&str, &str), to: (&str, &str), declared: bool) -> ForeignKey {
        ForeignKey {
            from_table: from.0.to_owned(),
            from_columns: vec![from.1.to_owned()],
            to_table: to.0.to_owned(),
            to_columns: vec![to.1.to_owned()],
            origin: if declared {
                KeyOrigin::Declared
            } else {
                KeyOrigin::Inferred("same name".to_owned())
            },
            one_to_one: false,
        }
    }

    #[test]
    fn keys_are_drawn_with_their_direction_and_how_they_are_known() {
        let keys = vec![
            key(("bookings", "room_id"), ("rooms", "id"), true),
            key(("bookings", "member"), ("members", "id"), false),
            key(("payments", "booking_id"), ("bookings", "id"), true),
        ];
        let catalog = Catalog { keys, ..Catalog::default() };
        let text = |line: &Line| line.iter().map(|(text, _)| text.as_str()).collect::<String>();
        let map: Vec<String> = map(&catalog, "bookings", 60).iter().map(text).collect();
        assert_eq!(
            map,
            [
                "room_id ── n:1 ──▶ rooms.id",
                "member  ┄┄ n:1 ┄┄▶ members.id",
                "id      ◀── 1:n ── payments.booking_id",
            ]
        );
        assert_eq!(short(&catalog, "bookings"), "→ rooms, members  ← payments");
        assert_eq!(short(&catalog, "other"), "no keys");
    }
}
