//! Which columns of a result are shown, in which order, and which stay at the left.

/// Columns by their index in the result, in the order they stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Columns {
    shown: Vec<usize>,
    hidden: Vec<usize>,
    /// How many of the first ones stay at the left.
    frozen: usize,
}

impl Columns {
    /// Takes the number of columns of the result; new ones stand last.
    pub fn fit(&mut self, count: usize) {
        self.shown.retain(|col| *col < count);
        self.hidden.retain(|col| *col < count);
        self.frozen = self.frozen.min(self.shown.len());
        for col in self.shown.len() + self.hidden.len()..count {
            self.shown.push(col);
        }
    }

    /// Returns the shown columns.
    pub fn shown(&self) -> &[usize] {
        &self.shown
    }

    /// Returns the hidden columns, in the order of the result.
    pub fn hidden(&self) -> &[usize] {
        &self.hidden
    }

    /// Returns how many columns stay at the left.
    pub fn frozen(&self) -> usize {
        self.frozen
    }

    /// Returns where a column stands, from 0.
    pub fn place(&self, col: usize) -> Option<usize> {
        self.shown.iter().position(|one| *one == col)
    }

    /// Returns the column at a place.
    pub fn at(&self, place: usize) -> Option<usize> {
        self.shown.get(place).copied()
    }

    /// Hides a column; returns the one that stands there now. The last one stays.
    pub fn hide(&mut self, col: usize) -> Option<usize> {
        let place = self.place(col).filter(|_| self.shown.len() > 1)?;
        self.shown.remove(place);
        if place < self.frozen {
            self.frozen -= 1;
        }
        self.hidden.push(col);
        self.hidden.sort_unstable();
        self.at(place.min(self.shown.len() - 1))
    }

    /// Shows a hidden column, behind the nearest shown one that comes before it in the result.
    pub fn show(&mut self, col: usize) {
        let Some(at) = self.hidden.iter().position(|one| *one == col) else { return };
        self.hidden.remove(at);
        let before = self.shown.iter().filter(|one| **one < col).max();
        let place = before.and_then(|one| self.place(*one)).map_or(0, |place| place + 1);
        self.shown.insert(place, col);
        if place < self.frozen {
            self.frozen += 1;
        }
    }

    /// Shows all columns.
    pub fn show_all(&mut self) {
        for col in self.hidden.clone() {
            self.show(col);
        }
    }

    /// Moves a column by places; those that stay at the left are moved among themselves.
    pub fn shift(&mut self, col: usize, by: isize) {
        let Some(place) = self.place(col) else { return };
        let range = if place < self.frozen {
            0..=self.frozen - 1
        } else {
            self.frozen..=self.shown.len() - 1
        };
        let to = place.saturating_add_signed(by).clamp(*range.start(), *range.end());
        self.shown.remove(place);
        self.shown.insert(to, col);
    }

    /// Keeps all columns up to this one at the left; those already kept so go free.
    pub fn freeze(&mut self, col: usize) {
        let Some(place) = self.place(col) else { return };
        self.frozen = if self.frozen == place + 1 { 0 } else { place + 1 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn four() -> Columns {
        let mut columns = Columns::default();
        columns.fit(4);
        columns
    }

    #[test]
    fn a_hidden_column_comes_back_where_it_was() {
        let mut columns = four();
        assert_eq!(columns.hide(1), Some(2));
        assert_eq!(columns.hide(3), Some(2));
        assert_eq!((columns.shown(), columns.hidden()), (&[0, 2][..], &[1, 3][..]));
        columns.show_all();
        assert_eq!(columns.shown(), [0, 1, 2, 3]);
    }

    #[test]
    fn the_last_column_is_never_hidden() {
        let mut columns = Columns::default();
        columns.fit(1);
        assert_eq!(columns.hide(0), None);
        assert_eq!(columns.shown(), [0]);
    }

    #[test]
    fn columns_move_within_their_part() {
        let mut columns = four();
        columns.shift(0, 2);
        assert_eq!(columns.shown(), [1, 2, 0, 3]);
        columns.freeze(2);
        columns.shift(2, 5);
        assert_eq!((columns.shown(), columns.frozen()), (&[1, 2, 0, 3][..], 2));
        columns.shift(3, -9);
        assert_eq!(columns.shown(), [1, 2, 3, 0]);
        columns.freeze(2);
        assert_eq!(columns.frozen(), 0);
    }
}
