//! Messages to state and effects. Pure: no waiting, no clock, no terminal.

use ratatui::layout::Rect;

use super::action::Action;
use super::app::{App, Door, Preview, Tone};
use super::drafts;
use super::effect::Effect;
use super::keymap::Place;
use super::layout::{Layout, Pane};
use super::leaving;
use super::moment::RunView;
use super::mouse;
use super::msg::{Msg, Opened};
use super::overlays::{
    self, Overlay, chart_path, compare, export, help::Help, history::Runs, notices::Said,
    palette::Palette, palette_rows::Section, queue::Waiting, schema, stops::StopsList,
};
use super::panes::{self, question, result, result_chart, result_told, sql, sql_editor, trace};
use super::pause;
use super::said::From;
use super::splits;
use super::typing;
use super::widgets::list::Cursor;

impl App {
    /// Takes one message; returns what shall be done outside.
    pub fn apply(&mut self, msg: Msg) -> Vec<Effect> {
        self.waits.end(&msg);
        let (said, from) = (self.said, From::of(&msg));
        let mut effects = self.take(msg);
        effects.extend(self.settle());
        self.mind_notice(said, from);
        self.waits.begin(&effects, self.clock);
        self.remember(&mut effects);
        effects
    }

    fn take(&mut self, msg: Msg) -> Vec<Effect> {
        match msg {
            Msg::Clock(now) => self.tick(now),
            Msg::Key(press) => return typing::key(self, press),
            Msg::Paste(text) => return question::paste(self, &text),
            Msg::Mouse(what, x, y) => return mouse::take(self, what, x, y),
            Msg::Size(width, height) => self.resize(width, height),
            Msg::Opened(opened) => return self.opened(*opened),
            Msg::NotOpened(what, hint) => self.not_opened(&what, &hint),
            Msg::Started(id) => {
                if let Some(run) = self.run.as_mut().filter(|run| run.id().0.is_empty()) {
                    run.live.run = id;
                }
            }
            Msg::Told(told) => {
                if let Some(run) = &mut self.run {
                    run.take(told);
                }
                pause::show(self);
            }
            Msg::Ended(id) => return self.ended(&id),
            Msg::ChartRows(id, sheet) => result_chart::take_rows(self, &id, sheet),
            Msg::ChartExists(path) => chart_path::exists(self, &path),
            Msg::Page(id, page) => return result::take_page(self, &id, page),
            Msg::Arranged(..)
            | Msg::Found(..)
            | Msg::Summarized(..)
            | Msg::Exported(..)
            | Msg::CopyText(..)
            | Msg::Copied(_) => return result_told::take(self, msg),
            Msg::Completions(offers) => {
                self.question.offers = offers;
                self.question.offer = Cursor::default();
            }
            Msg::SqlOffers(revision, offers) => sql_editor::offered(self, revision, offers),
            Msg::Explained(sql, plan) => overlays::explain::take(self, &sql, plan),
            Msg::Previewed(of, package) => {
                self.context.preview = Some(Preview { of, package: *package });
            }
            Msg::Measured(table, statistics) => {
                self.context.measured.insert(table, statistics);
            }
            Msg::Checked(report) => self.sql.report = Some(*report),
            Msg::Coloured(colours) => {
                self.sql.colouring = None;
                self.sql.colours = colours;
            }
            Msg::Runs(runs) => self.past_runs(runs),
            Msg::Ledger(counted) => overlays::ledger::take(self, counted),
            Msg::Replayed(events) => self.replayed(events),
            Msg::Fetched(events) => compare::fetched(self, events),
            Msg::NotFetched(why) => {
                compare::not_fetched(self);
                self.say(why, Tone::Trouble);
            }
            Msg::Refreshed(catalog) => {
                self.catalog = catalog;
                self.context.measured.clear();
                schema::renew(self);
                self.say("The database's structure was read again.", Tone::Done);
            }
            Msg::Drifted(now) => self.drifted(now),
            Msg::Judged(judged) => return trace::judged(self, &judged),
            Msg::Drafts(drafts) => drafts::read(self, drafts),
            Msg::Done(words) => self.say(words, Tone::Done),
            Msg::Trouble(words) => self.say(words, Tone::Trouble),
        }
        Vec::new()
    }

    fn tick(&mut self, now: u64) {
        self.clock = now;
        self.age_notice();
        panes::play::tick(self);
    }

    fn opened(&mut self, opened: Opened) -> Vec<Effect> {
        let Opened { header, catalog, examples, models, terms } = opened;
        let other = header.database != self.header.database;
        let former = (!self.header.database.is_empty()).then(|| self.header.clone());
        if let Some(notice) = header.notices.first() {
            self.say(notice.clone(), Tone::Trouble);
        }
        self.drift.retain(|_| !other);
        self.drifted(header.drift.clone());
        self.door = Door::Open;
        if self.stops.policy == self.header.policy {
            // chosen by nobody: it follows the database
            self.stops.policy = header.policy;
        }
        self.header = header;
        self.catalog = catalog;
        self.examples = examples;
        self.models = models;
        self.serve(terms);
        if other {
            self.drop_queue();
            self.splits = self.kept.splits(&self.header.database);
            self.run = None;
            self.former.clear();
            self.context = super::app::Told::default();
            self.question.past.clear();
        }
        if let Some(words) = former.and_then(|former| self.changed_words(&former)) {
            self.say(words, Tone::Done);
        }
        let mut effects = vec![Effect::Runs];
        if other {
            effects.extend(drafts::change_database(self));
        }
        if let Some(sql) = self.waiting_sql.take() {
            self.sql.editor.set(&sql);
            self.focus = Pane::Result;
            let question = self.made("", Some(sql), None);
            effects.extend(self.ask(question));
        }
        effects
    }

    fn past_runs(&mut self, runs: Vec<crate::pipeline::StoredRun>) {
        // what was asked or typed in this sitting is newer
        let past = &mut self.question.past;
        for run in runs.iter().filter(|run| !run.question.is_empty()) {
            if !past.contains(&run.question) {
                past.push(run.question.clone());
            }
        }
        if let Some(Overlay::Runs(list)) = &mut self.overlay {
            list.runs = Some(runs.clone());
        }
        self.stored = runs;
    }

    fn replayed(&mut self, events: Vec<crate::domain::Event>) {
        let run = RunView::replayed(events);
        let text = run.live.question.text.clone();
        self.load_question(&text);
        text.trim().clone_into(&mut self.question.asked);
        let stored = self.stored.iter().find(|stored| stored.run == *run.id());
        self.rated = match stored.map(|stored| stored.rating.as_str()) {
            Some("+") => Some(true),
            Some("-") => Some(false),
            Some(_) | None => None,
        };
        self.verified = stored.is_some_and(|stored| !stored.verified_by.is_empty());
        self.sql.editing = false;
        self.trace.top = 0;
        self.put_in_front(run);
        self.focus = Pane::Trace;
    }

    /// Lists where keys are looked up, in order.
    pub fn places(&self) -> Vec<Place> {
        if let Some(overlay) = &self.overlay {
            let exports = matches!(overlay, Overlay::Export(_));
            let place = if exports { export::place(self) } else { overlay.place() };
            return vec![place, Place::Overlay];
        }
        self.pane_places()
    }

    /// Lists where keys are looked up while nothing stands in front.
    pub fn pane_places(&self) -> Vec<Place> {
        self.places_of(self.focus)
    }

    /// Lists where keys are looked up while a pane has the focus.
    pub fn places_of(&self, pane: Pane) -> Vec<Place> {
        let mut places = Vec::new();
        let types_sql = pane == Pane::Sql && self.showing_editor();
        let offers = match pane {
            Pane::Question => !self.question.offers.is_empty(),
            Pane::Sql => types_sql && !self.sql.offers.offers.is_empty(),
            Pane::Context | Pane::Result | Pane::Trace => false,
        };
        if offers {
            places.push(Place::Completion);
        }
        let typing = matches!(pane, Pane::Question | Pane::Result) || types_sql;
        if !typing && pause::paused(self).is_some() {
            places.push(Place::Paused);
        }
        match pane {
            Pane::Question => {
                self.modes(&mut places);
                if self.question.editor.is_empty() && !self.unsent.offered.is_empty() {
                    places.push(Place::Kept);
                }
                if !self.suggestions().is_empty() || self.question.editor.is_empty() {
                    places.push(Place::Suggest);
                }
                places.push(Place::Question);
            }
            Pane::Context => {
                if panes::context::lists_tables(self) {
                    places.push(Place::Tables);
                }
                places.extend([Place::Context, Place::List]);
            }
            Pane::Sql if types_sql => {
                self.modes(&mut places);
                places.push(Place::SqlEditor);
            }
            Pane::Sql => places.extend([Place::Sql, Place::List]),
            Pane::Result if result_chart::showing(self) => {
                places.extend([Place::Chart, Place::List]);
            }
            Pane::Result => places.extend([Place::Result, Place::List]),
            Pane::Trace => {
                if self.run.as_ref().is_some_and(|run| run.playing.is_some()) {
                    places.push(Place::Playing);
                }
                places.extend([Place::Trace, Place::List]);
            }
        }
        places.push(Place::Anywhere);
        places
    }

    /// Adds the place of an editor's mode, where the key map has modes.
    fn modes(&self, places: &mut Vec<Place>) {
        if self.keys.modal {
            places.insert(0, if self.writing { Place::Insert } else { Place::Normal });
        }
    }

    /// Focuses a pane.
    pub fn go(&mut self, pane: Pane) {
        self.focus = pane;
        if matches!(pane, Pane::Context | Pane::Trace) {
            self.lower = pane;
        }
        if pane != Pane::Question {
            self.question.offers.clear();
        }
        if pane != Pane::Sql {
            sql_editor::close(self);
        }
    }

    /// Brings scrolling in line with the size, and asks for rows and colours that are missing.
    fn settle(&mut self) -> Vec<Effect> {
        let lay = Layout::of(self);
        let mut effects = Vec::new();
        let context = lay.inside(Pane::Context);
        let rows = panes::context::rows(self);
        self.context.cursor.settle(usize::from(context.height.max(1)), rows);
        effects.extend(panes::context::settle(self, context.height > 0));
        effects.extend(schema::settled(self));
        effects.extend(sql::settle(self, lay.inside(Pane::Sql)));
        effects.extend(result::settle(self, lay.inside(Pane::Result)));
        effects.extend(result_chart::settle(self));
        trace::settle(self, lay.inside(Pane::Trace));
        effects.extend(drafts::settle(self));
        overlays::settle(self);
        effects
    }

    /// Returns the place inside a pane.
    pub fn inside(&self, pane: Pane) -> Rect {
        Layout::of(self).inside(pane)
    }
}

/// Does an action: what is meant everywhere here, all else in the overlay or pane in front.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else is the focused pane's")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    match action {
        Action::Interrupt => return leaving::interrupt(app),
        Action::Quit => leaving::leave(app),
        Action::Suspend => return vec![Effect::Suspend],
        _ if app.overlay.is_some() => return overlays::act(app, action),
        Action::Cancel => return leaving::cancel(app),
        Action::Help => app.overlay = Some(Overlay::Help(Help::default())),
        Action::Palette => app.overlay = Some(Overlay::Palette(Palette::default())),
        Action::History => {
            app.overlay = Some(Overlay::Runs(Runs::default()));
            return vec![Effect::Runs];
        }
        Action::Ledger => return overlays::ledger::open(app),
        Action::Compare => return compare::open(app),
        Action::Tables => schema::open(app),
        Action::NextPane => app.go(app.focus.step(1)),
        Action::FormerPane => app.go(app.focus.step(Pane::ALL.len() - 1)),
        Action::GoQuestion => app.go(Pane::Question),
        Action::GoContext => app.go(Pane::Context),
        Action::GoSql => app.go(Pane::Sql),
        Action::GoResult => app.go(Pane::Result),
        Action::GoTrace => app.go(Pane::Trace),
        Action::Zoom => app.zoom = !app.zoom,
        Action::FollowUp => question::follow_up(app),
        Action::TakeBack => return drafts::take_back(app),
        Action::LetGo => drafts::let_go(app),
        Action::Wider | Action::Narrower | Action::Taller | Action::Shorter => {
            splits::resize(app, action);
        }
        Action::Evenly => app.splits = splits::Splits::default(),
        Action::Models => choose(app, Section::Models),
        Action::Databases => choose(app, Section::Databases),
        Action::Privacies => choose(app, Section::Privacies),
        Action::Themes => choose(app, Section::Themes),
        Action::Keymaps => choose(app, Section::Keymaps),
        Action::Queue => app.overlay = Some(Overlay::Queue(Waiting::default())),
        Action::Notices => app.overlay = Some(Overlay::Notices(Said::default())),
        Action::Redraw => return vec![Effect::Redraw],
        Action::Refresh => return vec![Effect::Refresh],
        Action::Ask | Action::Again if pause::paused(app).is_some() => {
            if let Some(effects) = pause::go_on(app) {
                return effects;
            }
            return start(app);
        }
        Action::StopHere => return pause::stop(app),
        Action::EditHere => return pause::edit(app),
        Action::Stops => app.overlay = Some(Overlay::Stops(StopsList::default())),
        Action::Ask => return start(app),
        _ => {
            return match typing::act_in_editor(app, action) {
                Some(effects) => effects,
                None => panes::act(app, action),
            };
        }
    }
    Vec::new()
}

/// Shows one part of the command list.
fn choose(app: &mut App, section: Section) {
    app.overlay = Some(Overlay::Palette(Palette::of(app, section)));
}

/// Runs the SQL in the editor that is in front, or again the SQL of the person's own that is looked
/// at; else asks the question.
fn start(app: &mut App) -> Vec<Effect> {
    if app.focus == Pane::Sql && app.showing_editor() {
        return sql_editor::run(app);
    }
    let looks = app.focus == Pane::Sql || app.focus != Pane::Question && !app.unsent_question();
    let own = app.run.as_ref().filter(|run| looks && run.live.question.sql.is_some());
    match own.map(|run| run.live.question.clone()) {
        Some(former) => {
            let question = app.made(&former.text, former.sql, former.parent);
            app.ask(question)
        }
        None => question::ask(app),
    }
}
