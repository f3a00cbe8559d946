//! The TOON encoder against the published cases of the notation's specification, version 4.0.
//!
//! `toon/*.json` are the encoder's cases of github.com/toon-format/spec at tag v4.0.0, unchanged;
//! their licence (MIT) lies beside them.

use std::path::Path;

use querent::render::toon::encode::{Delimiter, Layout, encode_as};
use serde_json::Value as Json;

/// How many cases there are: a file that isn't read would otherwise pass unseen.
const CASES: usize = 173;

#[test]
fn every_published_case_is_encoded_as_the_specification_has_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/told/toon");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut run, mut wrong) = (0, Vec::new());
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "json")) {
        let text = std::fs::read_to_string(file).unwrap();
        let cases: Json = serde_json::from_str(&text).unwrap();
        assert_eq!(cases["version"], "4.0", "{}", file.display());
        for case in cases["tests"].as_array().unwrap() {
            run += 1;
            let told = encode_as(&case["input"], layout(&case["options"]));
            let right = case["expected"].as_str().unwrap();
            if told != right {
                wrong.push(format!(
                    "{}: {}\n{told}\n-- right:\n{right}",
                    file.display(),
                    case["name"]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {run} cases:\n{}", wrong.len(), wrong.join("\n\n"));
    assert_eq!(run, CASES);
}

/// Reads a case's options; one that we don't know is no option we support.
fn layout(options: &Json) -> Layout {
    let mut layout = Layout::default();
    for (name, value) in options.as_object().into_iter().flatten() {
        match (name.as_str(), value) {
            ("delimiter", Json::String(sign)) => {
                layout.delimiter = match sign.as_str() {
                    "," => Delimiter::Comma,
                    "\t" => Delimiter::Tab,
                    "|" => Delimiter::Pipe,
                    other => panic!("no delimiter is {other:?}"),
                };
            }
            ("indentSize", Json::Number(size)) => {
                layout.indent = usize::try_from(size.as_u64().unwrap()).unwrap();
            }
            other => panic!("no option is {other:?}"),
        }
    }
    layout
}
