//! One cell as it stands on the screen: its text, its look, its side.

use crate::domain::Value;
use crate::shown::Shown;

use super::super::super::theme::Role;

/// Returns how a cell looks.
pub fn role_of(value: &Value) -> Role {
    match value {
        Value::Null => Role::Null,
        Value::Integer(_) | Value::Real(_) => Role::Number,
        Value::Text(text) if text.is_empty() => Role::Null,
        Value::Text(_) => Role::Text,
        Value::Blob(_) | Value::Malformed(_) => Role::Dim,
    }
}

/// Writes a real for reading: very large and very small ones with an exponent. Copies are exact.
fn real(n: f64, value: &Value) -> String {
    let size = n.abs();
    if n.is_finite() && n != 0.0 && !(1e-6..1e16).contains(&size) {
        format!("{n:e}")
    } else {
        value.plain()
    }
}

/// Makes a cell safe, cut to a width. NULL is `∅`, a text without letters `''`.
pub fn cell(value: &Value, width: usize) -> Shown {
    match value {
        Value::Null => Shown::new("∅"),
        Value::Integer(_) => Shown::cut(&value.plain(), width),
        Value::Real(n) => Shown::cut(&real(*n, value), width),
        Value::Text(text) if text.is_empty() => Shown::cut("''", width),
        Value::Text(text) => Shown::cut(text, width),
        Value::Malformed(bytes) => {
            let most = bytes.len().min(width * 4 + 16);
            Shown::bytes(bytes.get(..most).unwrap_or(bytes)).fit(width)
        }
        Value::Blob(bytes) => {
            let head: Vec<u8> = bytes.iter().copied().take(width / 2 + 2).collect();
            let size = format!(" {} B", bytes.len());
            let room = width.saturating_sub(size.len());
            let mut shown = Shown::from(Value::Blob(head).plain());
            if shown.width() > room || bytes.len() > width / 2 + 2 {
                shown = Shown::cut(&shown.head(room.saturating_sub(1)).to_string(), room);
                shown.push(&Shown::new("…"));
            }
            shown.push(&Shown::from(size));
            shown.fit(width)
        }
    }
}

/// Columns before the point of a number, and from the point on; none for what has no plain point.
pub fn point(value: &Value, shown: &Shown) -> Option<(usize, usize)> {
    if value.number().is_none() || shown.as_str().contains(['e', 'n', '…']) {
        return None;
    }
    let text = shown.as_str();
    let whole = text.find('.').unwrap_or(text.len());
    Some((whole, text.len() - whole))
}

/// Stands a cell in its column: numbers right with their points in one line, all else left.
///
/// `tail` is the room that the column keeps from the point on.
pub fn stand(value: &Value, shown: Shown, width: usize, right: bool, tail: usize) -> Shown {
    if value.number().is_none() {
        return if right && value.is_null() { shown.right(width) } else { shown.left(width) };
    }
    // half a number misleads
    if shown.width() > width || shown.as_str().ends_with('…') {
        return Shown::new("…").right(width);
    }
    let pad = point(value, &shown).map_or(0, |(_, own)| tail.saturating_sub(own));
    if shown.width() + pad > width {
        return shown.right(width);
    }
    let mut stood = shown.right(width - pad);
    stood.push(&Shown::from(" ".repeat(pad)));
    stood
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &Value) -> String {
        cell(value, 24).as_str().to_owned()
    }

    fn stood(value: &Value, width: usize, tail: usize) -> String {
        stand(value, cell(value, 40), width, true, tail).as_str().to_owned()
    }

    #[test]
    fn numbers_are_read_as_they_are_and_extremes_with_an_exponent() {
        assert_eq!(shown(&Value::Real(79_482.82)), "79482.82");
        assert_eq!(shown(&Value::Real(2.0)), "2.0");
        assert_eq!(shown(&Value::Real(-1e308)), "-1e308");
        assert_eq!(shown(&Value::Real(f64::NEG_INFINITY)), "-inf");
        assert_eq!(shown(&Value::Integer(i64::MIN)), "-9223372036854775808");
    }

    #[test]
    fn no_value_and_a_text_without_letters_are_told_apart() {
        assert_eq!(shown(&Value::Null), "∅");
        assert_eq!(shown(&Value::Text(String::new())), "''");
        assert_eq!(shown(&Value::Text(" ".into())), " ");
    }

    #[test]
    fn points_stand_in_one_line_and_nothing_is_rounded() {
        assert_eq!(stood(&Value::Real(12.5), 8, 4), "  12.5  ");
        assert_eq!(stood(&Value::Real(0.125), 8, 4), "   0.125");
        assert_eq!(stood(&Value::Integer(7), 8, 4), "   7    ");
        assert_eq!(stood(&Value::Null, 8, 4), "       ∅");
    }

    #[test]
    fn a_text_in_a_column_of_numbers_stands_left_and_no_number_is_cut() {
        assert_eq!(stood(&Value::Text("12".into()), 6, 0), "12    ");
        assert_eq!(stood(&Value::Integer(123_456), 4, 0), "   …");
    }
}
