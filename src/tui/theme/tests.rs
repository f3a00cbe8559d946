//! Themes: every role, contrast, few colours, inheritance, what is wrong as a sentence.

use super::super::colours::contrast;
use super::*;

/// What letters stand on.
const GROUNDS: &[Role] =
    &[Role::Ground, Role::Overlay, Role::Row, Role::Header, Role::Selected, Role::Cursor];

/// Lines and bars, which are no letters, and the least contrast that shapes need to be seen (WCAG
/// 1.4.11). The quiet lines around panes only part what is apart anyway.
const SHAPES: &[Role] = &[
    Role::BorderFocus,
    Role::Bar,
    Role::Series1,
    Role::Series2,
    Role::Series3,
    Role::Series4,
    Role::Series5,
    Role::Series6,
];

/// Returns the least contrast of letters in a theme: WCAG's AA, and AAA where contrast is promised.
fn least(theme: &str) -> f64 {
    if theme == "high-contrast" { 7.0 } else { 4.5 }
}

fn made(name: &str, depth: Depth) -> Theme {
    Themes::default().make(name, depth).expect(name)
}

#[test]
fn every_shipped_theme_reads_and_says_every_role() {
    for (name, text) in SHIPPED {
        assert!(ThemeFile::read(text).is_ok_and(|file| file.words.is_some()), "{name}");
        let theme = made(name, Depth::True);
        for role in Role::ALL {
            assert!(theme.styles.contains_key(role), "{name} doesn't say {role:?}");
        }
    }
}

#[test]
fn letters_stand_out_from_every_ground_they_stand_on() {
    for (name, _) in SHIPPED.iter().filter(|(n, _)| !["terminal", "monochrome"].contains(n)) {
        let theme = made(name, Depth::True);
        // the cursor has letters of its own
        for ground in GROUNDS.iter().filter(|role| **role != Role::Cursor) {
            let behind = theme.style(*ground).bg.expect("a ground");
            for role in Role::ALL.iter().filter(|role| **role != Role::Border) {
                let Some(letters) = theme.style(*role).fg else {
                    assert!(GROUNDS.contains(role), "{name}: {role:?} has no colour");
                    continue;
                };
                let got = contrast(letters, behind).expect("full colours");
                let least = if SHAPES.contains(role) { 3.0 } else { least(name) };
                assert!(got >= least, "{name}: {role:?} on {ground:?} has {got:.2}");
            }
        }
        let cursor = theme.style(Role::Cursor);
        let got = contrast(cursor.fg.expect("a colour"), cursor.bg.expect("a ground"));
        assert!(got.is_some_and(|c| c >= least(name)), "{name}: the cursor has {got:?}");
    }
}

#[test]
fn two_themes_are_light_and_one_has_only_the_16_colours() {
    let light = |name: &str| {
        let ground = made(name, Depth::True).style(Role::Ground).bg.expect("a ground");
        contrast(ground, Color::Rgb(0, 0, 0)).is_some_and(|c| c > 15.0)
    };
    assert!(light("querent-light") && light("paper"));
    for style in made("terminal", Depth::True).styles.values() {
        for colour in [style.fg, style.bg].into_iter().flatten() {
            assert!(!matches!(colour, Color::Rgb(..) | Color::Indexed(_)), "{colour:?}");
        }
    }
}

#[test]
fn without_colours_no_style_has_any() {
    for (name, depth) in
        SHIPPED.iter().map(|(name, _)| (*name, Depth::Mono)).chain([("monochrome", Depth::True)])
    {
        for style in made(name, depth).styles.values() {
            assert_eq!((style.fg, style.bg), (None, None), "{name}");
        }
    }
}

#[test]
fn a_theme_of_ones_own_inherits_and_recolours() {
    let mut themes = Themes::default();
    let text = "inherits = \"querent-dark\"\n[palette]\nink = \"#010203\"\n";
    assert_eq!(themes.add("mine", text), Ok(()));
    let mine = themes.make("mine", Depth::True).expect("a theme");
    assert_eq!(mine.style(Role::Text).fg, Some(Color::Rgb(1, 2, 3)));
    assert_eq!(mine.style(Role::Bad), made("querent-dark", Depth::True).style(Role::Bad));
}

#[test]
fn what_is_wrong_with_a_theme_is_a_sentence() {
    let mut themes = Themes::default();
    let check = |text: &str, expected: &str| {
        let mut themes = Themes::default();
        let added = themes.add("mine", text);
        let made = added.and_then(|()| themes.make("mine", Depth::True)).map(|_| ());
        assert_eq!(made, Err(expected.to_owned()));
    };
    check("inherits = \"nobody\"", "no theme is called 'nobody'");
    check("inherits = \"mine\"", "theme mine inherits from itself");
    check(
        "[roles]\ntex = { fg = \"red\" }",
        "theme mine.toml, line 2: no role is called 'tex'; did you mean 'text'?",
    );
    check(
        "[roles]\ntext = { fg = \"rad\" }",
        "theme mine: 'rad' is no colour, and no name of the palette",
    );
    check(
        "[roles]\ntext = { add = [\"loud\"] }",
        "theme mine: 'loud' is none of bold, dim, italic, underlined, reversed",
    );
    check("[rolls]", "theme mine.toml, line 1: a theme has no 'rolls'");
    check("x", "theme mine.toml, line 1: this is no TOML: key with no value, expected `=`");
    assert_eq!(themes.add("querent-dark", "words = \"mine\""), Ok(()));
    assert_eq!(themes.list().filter(|l| l.name == "querent-dark").count(), 1);
}
