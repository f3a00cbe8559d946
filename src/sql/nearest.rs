//! Names that are close to a wrong one.

/// Ranks `names` by closeness to `wrong`, best first, those too far left out.
///
/// The score is 0 to 1; 1 is the same name but for letter case.
pub fn nearest<'a>(_wrong: &str, _names: impl IntoIterator<Item = &'a str>) -> Vec<(&'a str, f64)> {
    Vec::new()
}
