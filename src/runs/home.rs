//! What an agent inherits from the machine: a PATH to find things, and a
//! chosen few variables. Everything else is left behind.

use std::path::PathBuf;

/// Passed on as they are. A tool that an agent runs needs these; nothing here
/// tells a CLI that it runs inside another one, and nothing is a model's key.
const PASSED_ON: &[&str] = &[
    "HOME",
    "PATH",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "TZ",
    "TMPDIR",
    "SSH_AUTH_SOCK",
    "GPG_TTY",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "GOPATH",
    "JAVA_HOME",
    "NVM_DIR",
    "VOLTA_HOME",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "COLORTERM",
];

/// The environment of an agent, out of the one given.
pub fn base_env(given: impl IntoIterator<Item = (String, String)>) -> Vec<(String, String)> {
    let mut env: Vec<(String, String)> = given
        .into_iter()
        .filter(|(name, value)| PASSED_ON.contains(&name.as_str()) && !value.is_empty())
        .collect();
    for (name, fallback) in [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("LANG", "C.UTF-8")] {
        if !env.iter().any(|(it, _)| it == name) {
            env.push((name.into(), fallback.into()));
        }
    }
    env
}

/// The first of these programs on a PATH.
pub fn find_program(programs: &[&str], path: &str) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let runnable = |file: &PathBuf| {
        file.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
    };
    programs
        .iter()
        .flat_map(|program| std::env::split_paths(path).map(move |dir| dir.join(program)))
        .filter(|file| file.is_absolute())
        .find(runnable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(given: &[(&str, &str)]) -> Vec<(String, String)> {
        base_env(given.iter().map(|(name, value)| ((*name).into(), (*value).into())))
    }

    #[test]
    fn what_marks_a_nested_cli_and_what_is_a_key_is_left_behind() {
        let env = env(&[
            ("HOME", "/home/dev"),
            ("CLAUDE_CODE_ENTRYPOINT", "cli"),
            ("CLAUDECODE", "1"),
            ("ANTHROPIC_API_KEY", "secret"),
            ("TMUX", "/tmp/x"),
            ("DATABASE_URL", "postgres://secret"),
        ]);
        let names: Vec<_> = env.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["HOME", "PATH", "LANG"]);
    }

    #[test]
    fn an_empty_variable_is_as_good_as_none() {
        assert!(!env(&[("TMPDIR", "")]).iter().any(|(name, _)| name == "TMPDIR"));
    }

    #[test]
    fn a_program_is_found_on_the_given_path_only() {
        assert_eq!(find_program(&["sh"], "/usr/bin:/bin"), Some("/usr/bin/sh".into()));
        assert_eq!(find_program(&["sh"], "/nowhere"), None);
        assert_eq!(find_program(&["no-such-program"], "/usr/bin"), None);
    }
}
