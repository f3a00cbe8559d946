//! Excel workbooks, read back by a small reader of the container and the sheet.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use querent::domain::Value;

use super::{AWKWARD, MANY, made};

/// A cell as the sheet says it.
#[derive(Debug, Clone, PartialEq)]
enum Seen {
    Number(f64, u32),
    Text(String),
}

/// Reads the parts of a ZIP file by the list at its end.
fn parts(path: &Path) -> BTreeMap<String, String> {
    let bytes = std::fs::read(path).unwrap();
    let two = |at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()) as usize;
    let four = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let end = bytes.len() - 22;
    assert_eq!(&bytes[end..end + 4], b"PK\x05\x06");
    let mut parts = BTreeMap::new();
    let mut at = four(end + 16);
    for _ in 0..two(end + 10) {
        assert_eq!(&bytes[at..at + 4], b"PK\x01\x02");
        let (sum, packed, plain) = (four(at + 16), four(at + 20), four(at + 24));
        let (length, start) = (two(at + 28), four(at + 42));
        let name = String::from_utf8(bytes[at + 46..at + 46 + length].to_vec()).unwrap();
        // what stands before the part says the same
        assert_eq!(&bytes[start..start + 4], b"PK\x03\x04");
        assert_eq!(bytes[start + 4..start + 30], bytes[at + 6..at + 32]);
        let from = start + 30 + length;
        let mut content = String::new();
        let packed = &bytes[from..from + packed];
        flate2::read::DeflateDecoder::new(packed).read_to_string(&mut content).unwrap();
        let mut crc = flate2::Crc::new();
        crc.update(content.as_bytes());
        assert_eq!((content.len(), crc.sum() as usize), (plain, sum));
        parts.insert(name, content);
        at += 46 + length;
    }
    assert_eq!(at, end);
    parts
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let from = text.find(start)? + start.len();
    Some(&text[from..from + text[from..].find(end)?])
}

fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("_x") {
        out.push_str(&rest[..at]);
        let code = rest.get(at + 2..at + 6).filter(|_| rest[at + 6..].starts_with('_'));
        let letter =
            code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
        if let Some(letter) = letter {
            out.push(letter);
            rest = &rest[at + 7..];
        } else {
            out.push_str("_x");
            rest = &rest[at + 2..];
        }
    }
    out + rest
}

/// Reads the rows of a sheet; a cell that isn't there is none.
fn sheet(path: &Path, width: usize) -> Vec<Vec<Option<Seen>>> {
    let parts = parts(path);
    let names: Vec<&str> = parts.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "[Content_Types].xml",
            "_rels/.rels",
            "xl/_rels/workbook.xml.rels",
            "xl/styles.xml",
            "xl/workbook.xml",
            "xl/worksheets/sheet1.xml",
        ]
    );
    let sheet = &parts["xl/worksheets/sheet1.xml"];
    let mut rows = Vec::new();
    for row in sheet.split("<row ").skip(1) {
        let mut cells = vec![None; width];
        for cell in row.split("<c ").skip(1) {
            let letters: String = between(cell, "r=\"", "\"")
                .unwrap()
                .chars()
                .take_while(char::is_ascii_alphabetic)
                .collect();
            let column = letters.bytes().fold(0, |n, b| n * 26 + usize::from(b - b'A') + 1) - 1;
            let tag = &cell[..cell.find('>').unwrap()];
            let style = between(tag, " s=\"", "\"").map_or(0, |s| s.parse().unwrap());
            cells[column] = Some(if tag.contains("t=\"inlineStr\"") {
                Seen::Text(unescaped(between(cell, "\"preserve\">", "</t>").unwrap()))
            } else {
                Seen::Number(between(cell, "<v>", "</v>").unwrap().parse().unwrap(), style)
            });
        }
        rows.push(cells);
    }
    rows
}

/// What a cell is in a workbook, by the rules that the form states; dates apart.
fn expected(value: &Value) -> Option<Seen> {
    match value {
        Value::Null => None,
        #[expect(clippy::cast_precision_loss, reason = "at most 2^53")]
        Value::Integer(n) if n.unsigned_abs() <= 1 << 53 => Some(Seen::Number(*n as f64, 0)),
        Value::Real(n) if n.is_finite() => Some(Seen::Number(*n, 0)),
        other => Some(Seen::Text(other.plain())),
    }
}

#[tokio::test]
async fn a_sheet_reads_back_as_the_rows_with_null_told_from_empty() {
    let made = made(AWKWARD, "SELECT * FROM t ORDER BY id").await;
    let (path, written) = made.written("all.xlsx").await;
    let rows = sheet(&path, 10);
    let names: Vec<Option<Seen>> = ["id", "n", "r", "s", "b", "d", "ts", "flag", "mix", "gone"]
        .map(|name| Some(Seen::Text(name.into())))
        .to_vec();
    assert_eq!(rows[0], names);
    let date = |days: f64| Some(Seen::Number(days, 2));
    let moment = |days: f64, hour: f64, minute: f64, second: f64| {
        Some(Seen::Number(days + (hour * 3600.0 + minute * 60.0 + second) / 86_400.0, 3))
    };
    for (at, (read, row)) in rows[1..].iter().zip(&made.rows).enumerate() {
        let mut right: Vec<Option<Seen>> = row.iter().map(expected).collect();
        match at {
            1 => (right[5], right[6]) = (date(45_351.0), moment(45_351.0, 13.0, 5.0, 7.0)),
            2 => right[6] = moment(45_351.0, 13.0, 5.0, 0.0),
            6 => (right[5], right[6]) = (date(45_657.0), moment(25_569.0, 0.0, 0.0, 0.0)),
            _ => {}
        }
        assert_eq!(*read, right, "row {}", at + 1);
    }
    assert_eq!(written.notes, ["Numbers that Excel can't hold are text in “n”, “r”, “mix”."]);
}

#[tokio::test]
async fn a_hundred_thousand_rows_read_back_from_a_sheet() {
    let made = made("", MANY).await;
    let (path, _) = made.written("many.xlsx").await;
    let rows = sheet(&path, 4);
    assert_eq!(rows.len(), 100_001);
    for (read, row) in rows[1..].iter().zip(&made.rows) {
        assert_eq!(*read, row.iter().map(expected).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn the_same_rows_give_the_same_bytes() {
    let made = made(AWKWARD, "SELECT * FROM t ORDER BY id").await;
    let (first, _) = made.written("one.xlsx").await;
    let (second, _) = made.written("two.xlsx").await;
    assert_eq!(std::fs::read(first).unwrap(), std::fs::read(second).unwrap());
}
