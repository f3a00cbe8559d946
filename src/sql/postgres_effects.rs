//! Functions of PostgreSQL and its extensions that change something, run a text as SQL, take or
//! give locks, wait, or reach outside the database.

/// Tells whether a function is one of them; the name is in lower case.
pub(super) fn has_effects(name: &str) -> bool {
    ALONE.binary_search(&name).is_ok() || FAMILIES.iter().any(|begin| name.starts_with(begin))
}

/// Beginnings of the names of whole families.
const FAMILIES: &[&str] = &[
    "binary_upgrade_",
    "brin_",
    "dblink",
    "lo_",
    "pg_advisory_",
    "pg_backup_",
    "pg_copy_",
    "pg_create_",
    "pg_drop_",
    "pg_file_",
    "pg_logical_",
    "pg_ls_",
    "pg_read_",
    "pg_replication_",
    "pg_sleep",
    "pg_start_backup",
    "pg_stat_reset",
    "pg_stop_",
    "pg_try_advisory_",
    "pg_wal_replay_",
    "postgres_fdw_",
    "query_to_xml",
];

/// The others. Sorted.
const ALONE: &[&str] = &[
    "connectby",
    "crosstab",
    "crosstab2",
    "crosstab3",
    "crosstab4",
    "crosstab_hash",
    "cursor_to_xml",
    "cursor_to_xmlschema",
    "gin_clean_pending_list",
    "heap_force_freeze",
    "heap_force_kill",
    "loread",
    "lowrite",
    "pg_cancel_backend",
    "pg_current_logfile",
    "pg_current_xact_id",
    "pg_export_snapshot",
    "pg_extension_config_dump",
    "pg_hba_file_rules",
    "pg_import_system_collations",
    "pg_log_backend_memory_contexts",
    "pg_nextoid",
    "pg_notify",
    "pg_prewarm",
    "pg_promote",
    "pg_reload_conf",
    "pg_rotate_logfile",
    "pg_rotate_logfile_old",
    "pg_show_all_file_settings",
    "pg_stat_clear_snapshot",
    "pg_stat_file",
    "pg_stat_force_next_flush",
    "pg_stat_statements_reset",
    "pg_switch_wal",
    "pg_switch_xlog",
    "pg_terminate_backend",
    "pg_truncate_visibility_map",
    "setseed",
    "ts_rewrite",
    "ts_stat",
    "txid_current",
    "xpath_table",
    "xslt_process",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_and_single_ones_are_known() {
        assert!(ALONE.is_sorted());
        for name in ["lo_unlink", "pg_sleep_for", "dblink_exec", "txid_current", "ts_stat"] {
            assert!(has_effects(name), "{name}");
        }
        for name in ["lower", "log", "pg_size_pretty", "to_tsvector", "query"] {
            assert!(!has_effects(name), "{name}");
        }
    }
}
