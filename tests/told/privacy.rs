//! What may leave, held against every byte that is sent: no planted value does below its level.
//!
//! The database and its knowledge file hold texts and numbers that stand nowhere else. Questions
//! fail at every stage that has words for the model, and everything sent is searched.

use super::asked::{Asked, ask};
use super::program::Home;

/// From which level on something may leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum From {
    Names,
    Stats,
    Rows,
    Never,
}

/// What was planted, and from which level on it may leave (P3).
const PLANTED: &[(&str, From)] = &[
    // comments and knowledge are no data
    ("Tblcomment", From::Names),
    ("Colcomment", From::Names),
    ("Exmpllit", From::Names),
    ("Ruleword", From::Names),
    // ends of number and date ranges, lists of up to 20 values, literals of declarations
    ("918273", From::Stats),
    ("918,273", From::Stats),
    ("2031-07-19", From::Stats),
    ("Zephyrward", From::Stats),
    ("Dfltword", From::Stats),
    ("909107", From::Stats),
    ("Chkword", From::Stats),
    ("909108", From::Stats),
    ("Typeword", From::Stats),
    // cells: more than 20 texts, a number that is no end, words behind a date, quotes inside
    ("Quillfeather", From::Rows),
    ("Quotedpart", From::Rows),
    ("555111", From::Rows),
    ("555,111", From::Rows),
    ("Datewords", From::Rows),
    ("Doctorname", From::Rows),
    ("Pastliteral", From::Rows),
    // secret columns: values, defaults, checks, comments
    ("Hunterval", From::Never),
    ("HUNTERVAL", From::Never),
    ("Scrtdflt", From::Never),
    ("Scrtchk", From::Never),
    ("Scrtcomment", From::Never),
    ("771234", From::Never),
    // the deny list: values, names, comments, what knowledge says of it
    ("Deniedval", From::Never),
    ("insurance_no", From::Never),
    ("Dnycomment", From::Never),
    ("Dnymeaning", From::Never),
    ("Dnymetric", From::Never),
    ("Dnyexample", From::Never),
    ("Dnyrule", From::Never),
];

/// Values of thirty patients; those of the first are the ends of their ranges.
fn script() -> String {
    let mut script = "
    CREATE TABLE patients ( -- Tblcomment, by insurance_no
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL, -- Colcomment
      ward TEXT NOT NULL DEFAULT 'Dfltword' CHECK (ward <> 'Chkword'),
      kind [ENUM('Typeword')],
      fee INTEGER DEFAULT 909107 CHECK (fee <> 909108),
      seen_on TEXT,
      remark TEXT,
      insurance_no TEXT, -- Dnycomment
      password TEXT DEFAULT 'Scrtdflt' CHECK (password <> 'Scrtchk'), -- Scrtcomment
      pin INTEGER
    );
    CREATE INDEX by_insurance_no ON patients (insurance_no);
    CREATE TABLE visits (
      id INTEGER PRIMARY KEY,
      patient_id INTEGER NOT NULL REFERENCES patients(id),
      doctor TEXT,
      minutes INTEGER
    );
    CREATE TABLE letters (id INTEGER PRIMARY KEY, visit_id INTEGER, body TEXT);
    CREATE VIEW cards AS
      SELECT id, ward, insurance_no AS code, upper(password) || '' AS sign, pin AS digits
      FROM patients;\n"
        .to_owned();
    for n in 1..=30 {
        let name = if n == 1 {
            "Quillfeather'' Quotedpart ''01".into()
        } else {
            format!("Quillfeather{n:02}")
        };
        let fee = match n {
            1 => 918_273,
            2 | 3 => 555_111,
            n => 500_000 + n,
        };
        let seen = if n == 1 { "2031-07-19".into() } else { format!("2026-01-{n:02}") };
        let rows = format!(
            "INSERT INTO patients VALUES ({n}, '{name}', 'Zephyrward{}', 'a', {fee}, '{seen}', \
             '2024-01-{n:02} Datewords{n:02}', 'Deniedval{n:02}', 'Hunterval{n:02}', {});\n\
             INSERT INTO visits VALUES ({n}, {n}, 'Doctorname{n:02}', {n}), ({}, {n}, 'Doctorname{n:02}', 5);\n\
             INSERT INTO letters VALUES ({n}, {n}, 'Doctorname{n:02} wrote');\n",
            n % 3,
            771_234 + n % 2 * 1_000_000,
            n + 100,
        );
        script.push_str(&rows);
    }
    script
}

const KNOWLEDGE: &str = r#"
deny = ["patients.insurance_no"]

[[rules]]
text = "Ruleword: fees are in cents"

[[rules]]
text = "Dnyrule: never print insurance_no"

[columns."patients.insurance_no"]
meaning = "Dnymeaning"

[[metrics]]
name = "Dnymetric"
meaning = "insured patients"
formula = "COUNT(patients.insurance_no)"
tables = ["patients"]

[[examples]]
question = "How many patients are in ward Exmpllit?"
sql = "SELECT COUNT(*) FROM patients WHERE ward = 'Exmpllit'"
verified_by = "Ada"
verified_at = 2026-06-15

[[examples]]
question = "How many patients have the Dnyexample?"
sql = "SELECT COUNT(insurance_no) FROM patients"
verified_by = "Ada"
verified_at = 2026-06-15

[[examples]]
question = "How many patients have this word?"
sql = "SELECT COUNT(*) FROM patients WHERE password = 'Hunterval07'"
verified_by = "Ada"
verified_at = 2026-06-15
"#;

/// A question with the replies it gets, and how many requests it takes at least.
struct Case {
    question: &'static str,
    replies: &'static [&'static str],
    requests: usize,
    /// Planted words that the replies themselves hold.
    own: &'static [&'static str],
    more: &'static [&'static str],
}

const RIGHT: &str = "SELECT COUNT(*) AS n FROM patients";

/// A case with nothing special.
const fn case(question: &'static str, replies: &'static [&'static str], requests: usize) -> Case {
    Case { question, replies, requests, own: &[], more: &[] }
}

const CASES: &[Case] = &[
    // the package alone, with figures, samples, keys, grounded and mistyped values
    case("What is the total fee of patients per ward, and who saw them at visits?", &[RIGHT], 1),
    case(
        "Which patients are called quilfeather02 or hunterva03, in ward zephyrwart1?",
        &[RIGHT],
        1,
    ),
    // a view shows withheld columns under other names
    case("What stands on the cards of each ward, with code, sign and digits?", &[RIGHT], 1),
    case("What stands on cards?", &["SELECT json_extract('{}', sign) FROM cards", RIGHT], 2),
    Case {
        more: &["--evidence", "tall means over two metres"],
        ..case("How many tall patients are there?", &[RIGHT], 1)
    },
    // names that don't bind, one of them close to a denied one; what is mended here is sent, too
    case("How many patients?", &["SELECT nosuch, insurance_n FROM patients", RIGHT], 2),
    case("How many patients?", &["SELECT insuranceno, x1, y2 FROM patients p", RIGHT], 2),
    // the engine's own message holds a cell
    case("What do patients hold?", &["SELECT json_extract('{}', name) FROM patients", RIGHT], 2),
    case("What do patients hold?", &["SELECT json_extract('{}', remark) FROM patients", RIGHT], 2),
    case(
        "What do patients hold?",
        &["SELECT json_extract('{}', password) FROM patients", RIGHT],
        2,
    ),
    Case {
        own: &["insurance_no"],
        ..case(
            "What do patients hold?",
            &["SELECT json_extract('{}', insurance_no) FROM patients", RIGHT],
            2,
        )
    },
    // a gate's hint holds the nearest stored values
    case(
        "Which patients are meant?",
        &["SELECT id FROM patients WHERE name = 'Quilfeather02'", RIGHT],
        2,
    ),
    case(
        "Which patients are meant?",
        &["SELECT id FROM patients WHERE ward = 'Zephyrwart1'", RIGHT],
        2,
    ),
    case(
        "Which patients are meant?",
        &["SELECT id FROM patients WHERE password = 'Hunterva02'", RIGHT],
        2,
    ),
    case(
        "Which patients are meant?",
        &["SELECT id FROM visits WHERE doctor = 'Doctornam02'", RIGHT],
        2,
    ),
    case("Which patients are meant?", &["SELECT id FROM patients WHERE remark > 5", RIGHT], 2),
    // what is counted twice, and by how much
    case(
        "What is the total fee of patients with visits?",
        &["SELECT SUM(p.fee) FROM patients p JOIN visits v ON v.patient_id = p.id", RIGHT],
        2,
    ),
    // a reply that is none
    case("How many patients?", &["I would have to think about that.", RIGHT], 2),
    // an empty result, and three failures in a row
    case("How many patients?", &["SELECT id FROM patients WHERE fee < 0", RIGHT], 1),
    case(
        "What do patients hold?",
        &[
            "SELECT json_extract('{}', name) FROM patients",
            "SELECT json_extract('{}', remark || '') FROM patients",
            "SELECT json_extract('{}', doctor) FROM visits",
        ],
        3,
    ),
    // a follow-up of SQL that was never told
    Case { more: &["--follow", "last"], ..case("And how many of these patients?", &[RIGHT], 1) },
];

struct Clinic {
    home: Home,
    db: String,
    knowledge: String,
}

/// A home with the planted database, and a verified past run whose query holds a stored value.
async fn clinic() -> Clinic {
    let home = Home::new();
    let db = home.database("clinic.db", &script());
    let file = home.file("clinic.toml");
    std::fs::write(&file, KNOWLEDGE).unwrap();
    let clinic = Clinic { home, db, knowledge: file.display().to_string() };
    let past = Case {
        more: &[],
        ..case(
            "How many patients have such a name?",
            &["SELECT COUNT(*) AS n FROM patients WHERE name <> 'Pastliteral'"],
            1,
        )
    };
    let asked = clinic.ask(&past, "rows", "text").await;
    assert_eq!(asked.ended.code, 0, "{:?}", asked.ended);
    let verified = clinic.home.run(&["runs", "verify", "last", "--by", "Ada"]);
    assert_eq!(verified.code, 0, "{verified:?}");
    clinic
}

impl Clinic {
    async fn ask(&self, case: &Case, level: &str, form: &str) -> Asked {
        let mut arguments = vec!["--db", &self.db, "--knowledge", &self.knowledge];
        arguments.extend(["--privacy", level, "--form", form]);
        arguments.extend(case.more);
        arguments.push(case.question);
        ask(&self.home, &arguments, case.replies).await
    }

    /// Asks every case at a level, in every form; returns what left too early, and all that left.
    async fn leaks(&self, level: &str, here: From) -> (Vec<String>, String) {
        let (mut leaks, mut all) = (Vec::new(), String::new());
        for form in ["text", "toon", "skeleton"] {
            for case in CASES {
                if case.more.contains(&"--follow") {
                    let own = "SELECT id FROM patients WHERE name = 'Quillfeather09'";
                    let ran = self.home.run(&["run", "--db", &self.db, own]);
                    assert_eq!(ran.code, 0, "{ran:?}");
                }
                let asked = self.ask(case, level, form).await;
                let what = format!("{level}, {form}: {} → {}", case.question, case.replies[0]);
                assert!(asked.sent.len() >= case.requests, "{what}: {:?}", asked.ended);
                let bytes = asked.bytes();
                for (planted, from) in PLANTED {
                    let own = case.own.contains(planted);
                    if *from > here && !own && bytes.contains(planted) {
                        leaks.push(format!("{planted} at {what}{}", around(&bytes, planted)));
                    }
                }
                all.push_str(&bytes);
            }
        }
        (leaks, all)
    }
}

/// Shows a planted word with what stands beside it.
fn around(text: &str, word: &str) -> String {
    let at = text.find(word).unwrap_or(0);
    let from = (0..=at.saturating_sub(120)).rev().find(|n| text.is_char_boundary(*n)).unwrap_or(0);
    format!("\n      …{}…", text[from..].chars().take(260).collect::<String>())
}

async fn check(level: &str, here: From) {
    let clinic = clinic().await;
    let (leaks, all) = clinic.leaks(level, here).await;
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.join("\n"));
    // the net has no holes: what may leave does
    let may = |from: From| PLANTED.iter().filter(move |(_, at)| *at == from).map(|(word, _)| *word);
    for from in [From::Names, From::Stats, From::Rows].into_iter().filter(|from| *from <= here) {
        let left: Vec<&str> = may(from).filter(|word| all.contains(word)).collect();
        assert!(left.len() >= 2, "nothing of {from:?} left at {level}: the test looks at nothing");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_but_names_leaves_at_names() {
    check("names", From::Names).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_cell_leaves_at_stats() {
    check("stats", From::Stats).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_and_no_denied_column_leaves_at_rows() {
    check("rows", From::Rows).await;
}
