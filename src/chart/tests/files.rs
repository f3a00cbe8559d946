//! Saved charts: read as XML, with all that was drawn.

use super::*;

/// Reads a text as XML just strictly enough: tags nest, attributes are quoted, entities are known.
fn xml(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(from) = rest.find('<') {
        let said = rest[..from].trim();
        assert!(!said.contains('>'), "a bare > in {said}");
        for entity in said.split('&').skip(1) {
            let known = ["amp;", "lt;", "gt;", "quot;", "apos;"];
            assert!(known.iter().any(|k| entity.starts_with(k)), "&{entity}");
        }
        if let Some(last) = found.last_mut().filter(|_| !said.is_empty()) {
            last.1.push_str(said);
        }
        let to = from + rest[from..].find('>').expect("a tag ends");
        let tag = &rest[from + 1..to];
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in {tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
        } else {
            let name = tag.split([' ', '/']).next().expect("a name").to_owned();
            found.push((tag.to_owned(), String::new()));
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = &rest[to + 1..];
    }
    assert!(open.is_empty(), "{open:?} stay open");
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    found
}

fn saved(columns: &[&str], rows: Vec<Row>) -> Vec<(String, String)> {
    xml(&export::svg(&drawn(&sheet(columns, rows))).expect("a picture"))
}

fn tags<'a>(found: &'a [(String, String)], name: &str) -> Vec<&'a str> {
    let of = |tag: &&str| tag.split(' ').next() == Some(name);
    found.iter().map(|(tag, _)| tag.as_str()).filter(of).collect()
}

fn says(found: &[(String, String)], words: &str) -> bool {
    found.iter().any(|(_, text)| text == words)
}

#[test]
fn a_saved_line_holds_title_axes_ticks_and_every_point() {
    let mut all = rows(24, |n| vec![month(n), int(n * 1_000)]);
    all[10][1] = Value::Null;
    let found = saved(&["month text", "revenue int"], all);
    assert!(says(&found, "revenue by month") && says(&found, "month") && says(&found, "revenue"));
    assert!(says(&found, "2023-03") && says(&found, "20k"));
    assert!(says(&found, "1 NULL left as a gap"));
    assert_eq!(tags(&found, "circle").len(), 23);
    let lines: Vec<usize> = tags(&found, "polyline")
        .iter()
        .map(|tag| tag.matches(',').count())
        .filter(|n| *n > 2)
        .collect();
    assert_eq!(lines, [10, 13]);
}

#[test]
fn saved_bars_points_and_bins_are_as_many_as_there_are() {
    let bars = saved(&["r text", "n int"], rows(23, |n| vec![text(&format!("r{n}")), int(n + 1)]));
    // one rectangle is the paper
    assert_eq!(tags(&bars, "rect").len(), 24);
    assert!(says(&bars, "r22") && says(&bars, "23"));
    let cloud = saved(&["a int", "b int"], rows(90, |n| vec![int(jump(n)), int(jump(n * 3 + 1))]));
    assert_eq!(tags(&cloud, "circle").len(), 90);
    assert!(says(&cloud, "b against a"));
    let one = saved(&["n int"], vec![vec![int(i64::MIN)]]);
    assert!(says(&one, "-9,223,372,036,854,775,808") && says(&one, "n"));
}

#[test]
fn hostile_names_are_saved_as_harmless_text() {
    let name = "<script>\u{1b}[2J\u{0}&\"'</text>";
    let rows = rows(3, |n| vec![text(&format!("{name}{n}")), int(n)]);
    let found = saved(&["a<b text", "n&m int"], rows);
    assert!(tags(&found, "script").is_empty());
    assert!(says(&found, "n&amp;m by a&lt;b"));
}

#[test]
fn every_kind_that_suits_can_be_saved() {
    let shapes = [
        sheet(
            &["m text", "g text", "a int", "b real"],
            rows(40, |n| {
                vec![
                    month(n / 4),
                    text(&format!("g{}", n % 4)),
                    int(jump(n) - 300),
                    Value::Real(0.1),
                ]
            }),
        ),
        sheet(&["n int"], rows(300, |n| vec![int(jump(n))])),
        sheet(
            &["a real", "b real"],
            rows(30, |n| vec![Value::Real(1e300 * at(n)), Value::Real(-1e-300)]),
        ),
        sheet(&["k text", "n int"], rows(12, |n| vec![text(&"長".repeat(60)), int(-n)])),
    ];
    for sheet in &shapes {
        for proposal in choose(sheet).iter().filter(|p| p.fit > 0) {
            xml(&export::svg(&figure(sheet, proposal)).expect("a picture"));
        }
    }
}
