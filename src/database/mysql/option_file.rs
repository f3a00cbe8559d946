//! `~/.my.cnf`: where the server's own clients keep who connects and with which password.

use std::collections::BTreeMap;
use std::path::Path;

/// Groups that hold for every client, ours too.
const GROUPS: [&str; 2] = ["client", "client-mariadb"];

/// What an option file says to clients. Its password is never shown.
#[derive(Clone, Default)]
pub(super) struct OptionFile {
    options: BTreeMap<String, String>,
    /// Why it was not used, as a sentence.
    pub(super) notice: Option<String>,
}

impl OptionFile {
    /// Reads `~/.my.cnf`, if there is one.
    pub(super) fn of_home() -> Self {
        match std::env::home_dir() {
            Some(home) => OptionFile::read(&home.join(".my.cnf")),
            None => OptionFile::default(),
        }
    }

    /// Reads a file; one that others may read is used without its password.
    pub(super) fn read(path: &Path) -> Self {
        let Ok(text) = std::fs::read_to_string(path) else { return OptionFile::default() };
        let mut file = OptionFile::parse(&text);
        if file.options.contains_key("password") && !is_private(path) {
            file.options.remove("password");
            let path = path.display();
            file.notice = Some(format!(
                "The password in {path} isn't used, because others can read the file; make it \
                 yours alone with `chmod 600 {path}`."
            ));
        }
        file
    }

    pub(super) fn parse(text: &str) -> Self {
        let mut options = BTreeMap::new();
        let mut ours = false;
        for line in text.lines().map(str::trim) {
            if let Some(group) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                ours = GROUPS.contains(&group.trim());
            } else if ours
                && !line.starts_with(['#', ';', '!'])
                && let Some((name, value)) = line.split_once('=')
            {
                let name = name.trim().to_ascii_lowercase().replace('_', "-");
                options.insert(name, value_of(value.trim()));
            }
        }
        OptionFile { options, notice: None }
    }

    /// Returns the value of an option.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.options.get(name).map(String::as_str)
    }
}

/// Takes off quotes, or a comment behind a bare value, and reads `\\`.
fn value_of(text: &str) -> String {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inner.replace("\\\\", "\\");
        }
    }
    text.split(" #").next().unwrap_or("").trim_end().replace("\\\\", "\\")
}

#[cfg(unix)]
fn is_private(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    const OTHERS: u32 = 0o077;
    std::fs::metadata(path).is_ok_and(|found| found.permissions().mode() & OTHERS == 0)
}

#[cfg(not(unix))]
fn is_private(_: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_password_that_others_can_read_is_not_used() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.cnf");
        std::fs::write(&path, "[mysqld]\npassword=no\n[client]\nuser=ann\npassword=yes\n").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        let open = OptionFile::read(&path);
        assert_eq!((open.get("user"), open.get("password")), (Some("ann"), None));
        assert!(open.notice.is_some_and(|notice| notice.contains("chmod 600")));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(OptionFile::read(&path).get("password"), Some("yes"));
    }
}
