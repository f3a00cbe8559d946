//! Which characters must not reach a terminal, and the visible sign that stands for each.

use std::fmt::Write;

/// Combining marks on one base beyond which the rest is counted instead of stacked.
const MOST_MARKS: usize = 6;

/// Replaces every character that acts on a terminal, hides, or turns the reading direction.
pub(super) fn mark(text: impl Iterator<Item = char>) -> String {
    let mut marked = String::new();
    let mut former: Option<char> = None;
    let mut stacked = 0;
    let mut text = text.peekable();
    while let Some(c) = text.next() {
        if is_combining(c) {
            stacked += 1;
            if stacked > MOST_MARKS {
                continue;
            }
        } else {
            close_stack(&mut marked, stacked);
            stacked = 0;
        }
        if let Some(picture) = picture(c) {
            marked.push(picture);
        } else if is_hidden(c) && !belongs(former, c, text.peek().copied()) {
            push_sign(&mut marked, c);
        } else {
            marked.push(c);
        }
        former = Some(c);
    }
    close_stack(&mut marked, stacked);
    marked
}

fn close_stack(marked: &mut String, stacked: usize) {
    if stacked > MOST_MARKS {
        // writing to a text never fails
        let _ = write!(marked, "‹+{}›", stacked - MOST_MARKS);
    }
}

/// Writes the sign of a character without a picture: `‹U+202E›`.
pub(super) fn push_sign(marked: &mut String, c: char) {
    // writing to a text never fails
    let _ = write!(marked, "‹U+{:04X}›", u32::from(c));
}

/// Returns the picture of a C0 control, of DEL, or of a line separator.
fn picture(c: char) -> Option<char> {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)),
        '\u{7f}' => Some('␡'),
        '\u{2028}' | '\u{2029}' => Some('␤'),
        _ => None,
    }
}

/// Tells whether a character is a C1 control, a format character, or draws nothing of its own.
///
/// From the properties Cc, Cf, Default_Ignorable_Code_Point and Noncharacter of the Unicode
/// Character Database.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}'
        | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fdd0}'..='\u{fdef}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
        || u32::from(c) & 0xfffe == 0xfffe
}

/// Tells whether a hidden character has its proper use here: a joiner within an emoji or within a
/// word of a joining script, one variation selector behind an emoji or a CJK ideograph.
fn belongs(former: Option<char>, c: char, next: Option<char>) -> bool {
    let Some(former) = former else { return false };
    match c {
        '\u{200d}' => {
            let emoji = is_pictograph(former) || is_emoji_part(former);
            let pictures = emoji && next.is_some_and(is_pictograph);
            pictures || (is_joining(former) && next.is_some_and(is_joining))
        }
        '\u{200c}' => is_joining(former) && next.is_some_and(is_joining),
        '\u{fe0e}' | '\u{fe0f}' => is_pictograph(former) || matches!(former, '0'..='9' | '#' | '*'),
        '\u{e0100}'..='\u{e01ef}' => {
            matches!(former, '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
        }
        _ => false,
    }
}

fn is_pictograph(c: char) -> bool {
    matches!(c, '©' | '®' | '\u{203c}'..='\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

fn is_emoji_part(c: char) -> bool {
    matches!(c, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Letters and marks of Arabic, Syriac, and the scripts of India, where joiners spell words.
fn is_joining(c: char) -> bool {
    matches!(c, '\u{620}'..='\u{6d3}' | '\u{710}'..='\u{74f}' | '\u{900}'..='\u{dff}')
}

fn is_combining(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}'
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{e47}'..='\u{e4e}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}')
}
