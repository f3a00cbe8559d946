//! Names the types of Arrow's columns as SQL does.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "Arrow's types are another's enum, of which few need a name here"
)]

use arrow_schema::{DataType, Field, FieldRef, Schema};

use super::opaque::Opaque;
use crate::domain::ResultColumn;

/// Names the columns of a result and their types.
pub(super) fn columns(schema: &Schema) -> Vec<ResultColumn> {
    let column = |field: &FieldRef| ResultColumn {
        name: field.name().clone(),
        data_type: type_name(field),
        origin: None,
        unit: None,
    };
    schema.fields().iter().map(column).collect()
}

/// Names the type of a field as SQL does.
pub(super) fn type_name(field: &Field) -> String {
    use DataType as T;
    if let Some(kind) = Opaque::of(field) {
        return kind.name().to_owned();
    }
    let name = match field.data_type() {
        kind if kind.is_integer() => "integer",
        kind if kind.is_floating() => "real",
        T::Decimal32(p, s) | T::Decimal64(p, s) | T::Decimal128(p, s) | T::Decimal256(p, s) => {
            return format!("decimal({p},{s})");
        }
        T::Dictionary(_, value) => {
            return type_name(&Field::new("", value.as_ref().clone(), true));
        }
        T::List(item) | T::LargeList(item) | T::FixedSizeList(item, _) => {
            return format!("{}[]", type_name(item));
        }
        T::Null => "",
        T::Boolean => "boolean",
        T::Utf8 | T::LargeUtf8 | T::Utf8View => "text",
        T::Date32 | T::Date64 => "date",
        T::Time32(_) | T::Time64(_) => "time",
        T::Timestamp(_, None) => "timestamp",
        T::Timestamp(_, Some(_)) => "timestamp with time zone",
        T::Interval(_) | T::Duration(_) => "interval",
        T::Binary | T::LargeBinary | T::BinaryView | T::FixedSizeBinary(_) => "blob",
        T::Struct(_) => "struct",
        T::Map(..) => "map",
        T::Union(..) => "union",
        _ => "other",
    };
    name.to_owned()
}
