//! Plays a run: the trace cursor moves by itself, in the run's own time or another.

use super::super::app::{App, Tone};
use super::super::moment::RunView;

/// The longest wait for the next event, in milliseconds of the run: a person's pause, or a slow
/// model, is not sat through again.
const LONGEST: u64 = 2_000;

/// The shortest wait, in milliseconds of the run at its own speed: events lie a few of them apart,
/// and the eye takes about as long to find what has changed on the screen and to read it.
const SHORTEST: u64 = 400;

/// Milliseconds between steps of what moves by itself.
const BEAT: u64 = 100;

/// Milliseconds of a frame: the least that is waited for.
const FRAME: u64 = 16;

/// Speeds in hundredths of the run's own; 0 is as fast as drawn.
const SPEEDS: [(u64, &str); 8] = [
    (25, "0.25x"),
    (50, "0.5x"),
    (100, "1x"),
    (200, "2x"),
    (400, "4x"),
    (800, "8x"),
    (1_600, "16x"),
    (0, "as fast as drawn"),
];

/// A speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Speed(usize);

impl Default for Speed {
    /// The run's own.
    fn default() -> Self {
        Speed(2)
    }
}

impl Speed {
    /// Says the speed: `2x`.
    pub fn words(self) -> &'static str {
        SPEEDS.get(self.0).map_or("1x", |(_, words)| words)
    }

    fn step(self, faster: bool) -> Self {
        let to = if faster { self.0 + 1 } else { self.0.saturating_sub(1) };
        Speed(to.min(SPEEDS.len() - 1))
    }

    /// Turns milliseconds of the run into milliseconds here.
    fn wait(self, ms: u64) -> u64 {
        match SPEEDS.get(self.0) {
            Some((0, _)) | None => 0,
            Some((hundredths, _)) => ms.clamp(SHORTEST, LONGEST) * 100 / hundredths,
        }
    }
}

/// Starts from the cursor, or holds still; from its start where the run stands at its end.
pub fn toggle(app: &mut App) {
    let (clock, speed) = (app.clock, app.trace.speed);
    let Some(run) = &mut app.run else { return };
    if run.playing.take().is_some() {
        return;
    }
    if run.cursor.is_none() {
        if run.running {
            app.say("The run is followed as it goes.", Tone::Note);
            return;
        }
        run.look_at(0);
    }
    run.playing = Some(clock + gap(run, speed));
}

/// Tells whether it can be played faster, or slower.
pub fn can(app: &App, faster: bool) -> bool {
    app.trace.speed.step(faster) != app.trace.speed
}

/// Changes the speed; what is waited for just now is waited for at the new one.
pub fn change(app: &mut App, faster: bool) {
    app.trace.speed = app.trace.speed.step(faster);
    let (clock, speed) = (app.clock, app.trace.speed);
    if let Some(run) = &mut app.run
        && let Some(due) = run.playing
    {
        run.playing = Some(due.min(clock + gap(run, speed)));
    }
}

/// Moves the cursor to where the run was by now.
pub fn tick(app: &mut App) {
    let (clock, speed) = (app.clock, app.trace.speed);
    let Some(run) = &mut app.run else { return };
    while let Some(due) = run.playing.filter(|due| *due <= clock) {
        let Some(next) = run.cursor.map(|n| n + 1).filter(|n| n + 1 < run.events.len()) else {
            // the newest event is now
            run.follow();
            return;
        };
        run.look_at(next);
        let wait = gap(run, speed);
        // without a wait, each frame shows one event
        run.playing =
            Some(if wait == 0 && speed.wait(LONGEST) == 0 { clock + 1 } else { due + wait });
    }
}

/// Returns the wait for the event after the cursor.
fn gap(run: &RunView, speed: Speed) -> u64 {
    let Some(at) = run.cursor else { return 0 };
    let time = |n: usize| run.events.get(n).map(|event| event.at_us);
    match (time(at), time(at + 1)) {
        (Some(here), Some(then)) => speed.wait(then.saturating_sub(here) / 1_000),
        _ => 0,
    }
}

/// Returns the milliseconds until something that moves by itself must be drawn again.
pub fn beat(app: &App) -> u64 {
    let due = app.run.as_ref().and_then(|run| run.playing);
    due.map_or(BEAT, |due| due.saturating_sub(app.clock).clamp(FRAME, BEAT))
}
