//! Counts as people read them: thousands apart, and a noun that agrees with its number.

/// Writes a whole number with its thousands apart: `1,246`.
pub fn grouped(n: impl TryInto<u64>) -> String {
    grouped_digits(&n.try_into().unwrap_or(u64::MAX).to_string())
}

/// Puts commas between the thousands of a plain number's whole part; other texts stay as they are.
pub fn grouped_digits(number: &str) -> String {
    let (sign, rest) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, fraction) = rest.split_at(rest.find('.').unwrap_or(rest.len()));
    if !whole.bytes().all(|b| b.is_ascii_digit()) {
        return number.to_owned();
    }
    let mut text = String::from(sign);
    for (n, digit) in whole.chars().enumerate() {
        if n > 0 && (whole.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + fraction
}

/// Writes a count with its noun, given in the singular: `1 row`, `1,200 rows`, `2 queries`.
pub fn count(n: impl TryInto<u64>, noun: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    if n == 1 { format!("1 {noun}") } else { format!("{} {}", grouped(n), plural(noun)) }
}

/// Makes the regular plural of a noun.
fn plural(noun: &str) -> String {
    let consonant = |stem: &str| !stem.ends_with(['a', 'e', 'i', 'o', 'u']);
    if let Some(stem) = noun.strip_suffix('y').filter(|stem| consonant(stem)) {
        return format!("{stem}ies");
    }
    let hisses = ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end));
    format!("{noun}{}", if hisses { "es" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(grouped(999_u64), "999");
        assert_eq!(grouped(1_246_u32), "1,246");
        assert_eq!(grouped(1_000_000_usize), "1,000,000");
        assert_eq!(grouped_digits("-1234.5678"), "-1,234.5678");
        assert_eq!(grouped_digits("-inf"), "-inf");
    }

    #[test]
    fn a_noun_agrees_with_its_number() {
        assert_eq!(count(1_u64, "row"), "1 row");
        assert_eq!(count(0_u64, "row"), "0 rows");
        assert_eq!(count(1_200_u64, "byte"), "1,200 bytes");
        assert_eq!(count(2_u64, "query"), "2 queries");
        assert_eq!(count(2_u64, "day"), "2 days");
        assert_eq!(count(3_u64, "match"), "3 matches");
    }
}
