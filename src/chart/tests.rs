//! The kind that suits each of many shapes, and what becomes of missing and strange values.
