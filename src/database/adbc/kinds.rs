//! What kind of data a column holds, by the name that an engine or Arrow gives its type.

use crate::domain::ColumnKind;

/// Beginnings of type names in lower case, and the kind they mean; the first that fits.
const BEGINNINGS: &[(&str, ColumnKind)] = &[
    ("bool", ColumnKind::Boolean),
    ("date", ColumnKind::Date),
    ("time", ColumnKind::Date),
    ("interval", ColumnKind::Text),
    ("int", ColumnKind::Integer),
    ("uint", ColumnKind::Integer),
    ("serial", ColumnKind::Integer),
    ("bigserial", ColumnKind::Integer),
    ("tinyint", ColumnKind::Integer),
    ("smallint", ColumnKind::Integer),
    ("mediumint", ColumnKind::Integer),
    ("bigint", ColumnKind::Integer),
    ("hugeint", ColumnKind::Integer),
    ("utinyint", ColumnKind::Integer),
    ("usmallint", ColumnKind::Integer),
    ("ubigint", ColumnKind::Integer),
    ("uhugeint", ColumnKind::Integer),
    ("uinteger", ColumnKind::Integer),
    ("bignum", ColumnKind::Integer),
    ("long", ColumnKind::Integer),
    ("short", ColumnKind::Integer),
    ("byteint", ColumnKind::Integer),
    ("year", ColumnKind::Integer),
    ("dec", ColumnKind::Real),
    ("num", ColumnKind::Real),
    ("fixed", ColumnKind::Real),
    ("float", ColumnKind::Real),
    ("halffloat", ColumnKind::Real),
    ("double", ColumnKind::Real),
    ("real", ColumnKind::Real),
    ("money", ColumnKind::Real),
    ("blob", ColumnKind::Blob),
    ("bytea", ColumnKind::Blob),
    ("binary", ColumnKind::Blob),
    ("varbinary", ColumnKind::Blob),
    ("fixed_size_binary", ColumnKind::Blob),
    ("char", ColumnKind::Text),
    ("bpchar", ColumnKind::Text),
    ("name", ColumnKind::Text),
    ("varchar", ColumnKind::Text),
    ("nvarchar", ColumnKind::Text),
    ("text", ColumnKind::Text),
    ("string", ColumnKind::Text),
    ("utf8", ColumnKind::Text),
    ("citext", ColumnKind::Text),
    ("clob", ColumnKind::Text),
    ("enum", ColumnKind::Text),
    ("uuid", ColumnKind::Text),
    ("json", ColumnKind::Text),
];

/// Returns the kind that a type's name means.
pub(super) fn of(data_type: &str) -> ColumnKind {
    let name = data_type.to_ascii_lowercase();
    if name.ends_with(']') {
        return ColumnKind::Unknown;
    }
    BEGINNINGS
        .iter()
        .find(|(begin, _)| name.starts_with(begin))
        .map_or(ColumnKind::Unknown, |r| r.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types_have_a_kind() {
        let cases = [
            ("INTEGER", ColumnKind::Integer),
            ("UBIGINT", ColumnKind::Integer),
            ("DECIMAL(18,3)", ColumnKind::Real),
            ("TIMESTAMP WITH TIME ZONE", ColumnKind::Date),
            ("INTERVAL", ColumnKind::Text),
            ("ENUM('a', 'b')", ColumnKind::Text),
            ("INTEGER[]", ColumnKind::Unknown),
            ("STRUCT(a INTEGER)", ColumnKind::Unknown),
            ("MAP(VARCHAR, INTEGER)", ColumnKind::Unknown),
            ("bytea", ColumnKind::Blob),
        ];
        for (name, kind) in cases {
            assert_eq!(of(name), kind, "{name}");
        }
    }
}
