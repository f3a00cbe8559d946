//! The scripts that come with Querent. To add one: a file in `assets/demo/scripts`, a row here.

/// TOML texts, in the order they are listed.
pub(super) const SHIPPED: &[&str] = &[
    include_str!("../../assets/demo/scripts/case-a.toml"),
    include_str!("../../assets/demo/scripts/case-b.toml"),
    include_str!("../../assets/demo/scripts/case-c.toml"),
    include_str!("../../assets/demo/scripts/case-d.toml"),
    include_str!("../../assets/demo/scripts/case-e.toml"),
    include_str!("../../assets/demo/scripts/kpi.toml"),
];
