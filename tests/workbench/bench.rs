//! A workbench on a screen of cells: opened on a small catalog, keys typed by name.

use std::sync::Arc;

use querent::config::Config;
use querent::domain::schema::RowCount;
use querent::domain::{
    Catalog, Column, Event, Privacy, ResultColumn, ResultId, RunId, Table, Value,
};
use querent::pipeline::{Header, Page, Told};
use querent::tui::app::App;
use querent::tui::effect::{Effect, Terms};
use querent::tui::keymap::{Keymap, Press};
use querent::tui::msg::{Msg, Opened};
use querent::tui::theme::Depth;
use querent::tui::view;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub struct Bench {
    pub app: App,
    /// Everything that was wanted outside, in order.
    pub wanted: Vec<Effect>,
}

pub fn table(name: &str, rows: u64, columns: &[&str]) -> Table {
    let columns = columns.iter().map(|name| Column { name: (*name).into(), ..Column::default() });
    Table {
        name: name.into(),
        columns: columns.collect(),
        rows: Some(RowCount { count: rows, exact: true }),
        ..Table::default()
    }
}

pub fn opened() -> Opened {
    let tables = vec![
        table("bookings", 23, &["id", "room_id", "member_id", "status", "price_cents"]),
        table("members", 12, &["id", "name", "joined_on"]),
        table("payments", 31, &["id", "booking_id", "amount_cents"]),
        table("rooms", 6, &["id", "name", "capacity"]),
    ];
    let catalog = Catalog { database: "demo:reservo".into(), tables, ..Catalog::default() };
    Opened {
        header: Header {
            database: "demo:reservo".into(),
            engine: "sqlite 3.54 · read-only".into(),
            model: "script:case-a".into(),
            scripted: true,
            privacy: Some(Privacy::Rows),
            knowledge: "reservo.knowledge.toml".into(),
            rules: 12,
            metrics: 8,
            ..Header::default()
        },
        catalog: Arc::new(catalog),
        examples: vec![
            "How many bookings are there?".into(),
            "How much did we bring in with confirmed bookings?".into(),
            "Which room was booked most often?".into(),
            "Which members never booked?".into(),
            "What is the average price per room?".into(),
        ],
        models: Vec::new(),
        terms: Terms::default(),
    }
}

/// The shipped keys, read once for all tests.
fn shipped_keys() -> Keymap {
    static KEYS: std::sync::OnceLock<Keymap> = std::sync::OnceLock::new();
    let read = || {
        let (keys, trouble) = Keymap::load(None);
        assert_eq!(trouble, None);
        keys
    };
    KEYS.get_or_init(read).clone()
}

impl Bench {
    /// A workbench whose database is being opened.
    pub fn closed(width: u16, height: u16) -> Self {
        Bench::configured(width, height, Arc::new(Config::default()))
    }

    /// The same with settings.
    pub fn configured(width: u16, height: u16, config: Arc<Config>) -> Self {
        let keys = shipped_keys();
        let app = App::new(config, Terms::default(), Depth::True, keys);
        let mut bench = Bench { app, wanted: Vec::new() };
        bench.send(Msg::Size(width, height));
        bench
    }

    /// A workbench opened on the demo, with nothing asked yet.
    pub fn open(width: u16, height: u16) -> Self {
        let mut bench = Bench::closed(width, height);
        bench.send(Msg::Opened(Box::new(opened())));
        bench
    }

    /// A workbench that shows a run, told event by event.
    pub fn told(width: u16, height: u16, events: &[Event]) -> Self {
        let mut bench = Bench::open(width, height);
        if let Some(first) = events.first() {
            let question =
                bench.app.made("How much did we bring in with confirmed bookings?", None, None);
            bench.app.question.editor.set(&question.text);
            let effects = bench.app.ask(question);
            bench.wanted.extend(effects);
            bench.send(Msg::Started(first.run.clone()));
        }
        for event in events {
            bench.send(Msg::Told(Told::Event(Box::new(event.clone()))));
        }
        bench
    }

    /// Takes a message; pages are answered as a session without results would.
    pub fn send(&mut self, msg: Msg) {
        let mut queue = vec![msg];
        while let Some(msg) = queue.pop() {
            for effect in self.app.apply(msg) {
                if let Effect::Page(id, _) = &effect {
                    queue.push(Msg::Page(id.clone(), None));
                }
                self.wanted.push(effect);
            }
        }
    }

    /// Types keys by name, spaces between them: `Tab Down Ctrl-P m o Enter`.
    pub fn keys(&mut self, names: &str) -> &mut Self {
        for name in names.split_whitespace() {
            let press = Press::named(name).unwrap_or_else(|| panic!("no key is called {name}"));
            self.send(Msg::Key(press));
        }
        self
    }

    /// Types letters.
    pub fn text(&mut self, text: &str) -> &mut Self {
        for letter in text.chars() {
            let name = if letter == ' ' { "Space".to_owned() } else { letter.to_string() };
            let press = Press::named(&name).expect("a letter is a key");
            self.send(Msg::Key(press));
        }
        self
    }

    /// Shows rows as a session would page them.
    pub fn page(&mut self, id: &ResultId, page: Page) {
        self.send(Msg::Page(id.clone(), Some(page)));
    }

    /// Draws the screen as text, one line a row, without spaces at line ends.
    pub fn screen(&self) -> String {
        let (width, height) = self.app.size;
        let mut cells = Buffer::empty(Rect::new(0, 0, width, height));
        view::draw(&self.app, &mut cells);
        let mut lines = Vec::new();
        for y in 0..height {
            let mut line = String::new();
            let mut skip = 0;
            for x in 0..width {
                if skip > 0 {
                    skip -= 1;
                    continue;
                }
                let symbol = cells[(x, y)].symbol();
                skip = ratatui::buffer::CellWidth::cell_width(symbol).saturating_sub(1);
                line.push_str(symbol);
            }
            lines.push(line.trim_end().to_owned());
        }
        lines.join("\n")
    }

    /// Fails with the whole screen when a text isn't on it.
    #[track_caller]
    pub fn sees(&self, text: &str) -> &Self {
        let screen = self.screen();
        assert!(screen.contains(text), "'{text}' isn't on the screen:\n{screen}");
        self
    }

    /// Fails with the whole screen when a text is on it.
    #[track_caller]
    pub fn misses(&self, text: &str) -> &Self {
        let screen = self.screen();
        assert!(!screen.contains(text), "'{text}' is on the screen:\n{screen}");
        self
    }
}

/// Names the result of a version of the told run.
pub fn result(attempt: u32, version: usize) -> ResultId {
    ResultId { run: RunId("0195-a".into()), attempt, version, view: 0 }
}

/// Makes a page of rows.
pub fn page(columns: &[(&str, &str)], rows: Vec<Vec<Value>>, finished: bool) -> Page {
    let column = |(name, kind): &(&str, &str)| ResultColumn {
        name: (*name).into(),
        data_type: (*kind).into(),
        origin: None,
        unit: None,
    };
    Page {
        columns: columns.iter().map(column).collect(),
        first: 0,
        total: rows.len() as u64,
        rows,
        finished,
    }
}
