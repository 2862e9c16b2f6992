//! Signing a CLI in and out, with one that only stands in and one that is real.

mod key;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::house::{Answer, Furnish, House, pinned_cli};

/// Plays what was seen of the real one, and ends of a login that need a vendor.
const SCRIPT: &str = r#"#!/bin/sh
cred="$HOME/.claude/.credentials.json"
case "$*" in
*--version*) echo "2.1.198 (Claude Code)" ;;
"auth status")
  [ -e "$HOME/odd" ] && { echo "Error: what?"; exit 3; }
  if [ -e "$cred" ]; then echo '{"loggedIn":true,"authMethod":"claude.ai","email":"me@example.com"}'
  else echo '{"loggedIn":false,"authMethod":"none"}'; exit 1; fi ;;
"auth logout") rm -f "$cred" ;;
"auth login")
  echo $$ >> "$HOME/logins"
  [ -e "$HOME/silent" ] && exec sleep 600
  printf 'Opening browser\nvisit: https://vendor.example/authorize?number=%s&long=' "$$"
  printf '%0400d\nPaste code here > ' 7
  while read -r code; do
    case "$code" in
      good\#*) mkdir -p "$HOME/.claude"; echo '{}' > "$cred"; echo done; exit 0 ;;
      refused\#*) echo "Login failed: Request failed with status code 400" >&2; exit 1 ;;
      offline\#*) echo "Couldn't log in: getaddrinfo ENOTFOUND vendor.example" >&2; exit 1 ;;
      *) echo "Invalid code. Please make sure the full code was copied." >&2 ;;
    esac
  done ;;
*) exec sleep 600 ;;
esac
"#;

fn configure(home: &Path, program: &Path, env: &str) {
    let config = home.join(".config/seamux");
    fs::create_dir_all(&config).unwrap();
    let program = program.to_str().unwrap();
    let text = format!("[providers.claude-code]\nprogram = {program:?}\n{env}");
    fs::write(config.join("config.toml"), text).unwrap();
}

fn stand_in(furnish: &mut Furnish<'_>) {
    let program = furnish.home.join("claude");
    fs::write(&program, SCRIPT).unwrap();
    fs::set_permissions(&program, PermissionsExt::from_mode(0o700)).unwrap();
    configure(furnish.home, &program, "");
}

fn path(rest: &str) -> String {
    format!("/api/v1/providers/claude-code/auth/{rest}")
}

fn login(house: &House) -> Value {
    let answer = house.post(&path("login"), &json!({}));
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

fn code(house: &House, code: &str) -> Answer {
    house.post(&path("code"), &json!({ "code": code }))
}

fn status(house: &House, query: &str) -> Value {
    let answer = house.get(&path(&format!("status{query}")));
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

#[track_caller]
fn refused(answer: &Answer, status: u16, code: &str) {
    assert_eq!((answer.status, &answer.body["code"]), (status, &code.into()), "{}", answer.body);
    assert!(answer.body["detail"].as_str().is_some_and(|it| it.ends_with('.')), "{}", answer.body);
}

fn home(house: &House) -> PathBuf {
    house.dir.path().join("home")
}

/// The processes that logins were, oldest first.
fn logins(house: &House) -> Vec<u32> {
    let text = fs::read_to_string(home(house).join("logins")).unwrap_or_default();
    text.lines().map(|it| it.parse().unwrap()).collect()
}

fn until_gone(pid: u32) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while Path::new(&format!("/proc/{pid}")).exists() {
        assert!(Instant::now() < deadline, "process {pid} lives on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_person_signs_in_with_a_code_and_out_again_and_everybody_is_told() {
    let house = House::serve(stand_in);
    assert_eq!(status(&house, "")["logged_in"], false);
    let started = login(&house);
    let url = started["url"].as_str().unwrap();
    assert!(url.starts_with("https://vendor.example/") && url.len() > 440, "{url}");
    assert!(started["expires_at"].is_string(), "{started}");
    // From another device: the same login, and not a second one.
    assert_eq!(login(&house)["url"], url);
    assert_eq!(logins(&house).len(), 1);

    let events = house.events("", None);
    refused(&code(&house, "no-mark"), 400, "invalid_code");
    refused(&code(&house, "two words"), 400, "invalid_code");
    let done = code(&house, " good#secret-code \n");
    assert_eq!((done.status, &done.body["logged_in"]), (200, &true.into()), "{}", done.body);
    assert_eq!(done.body["account"], "me@example.com");
    let seen = events.up_to("the login", |it| it.name == "provider.auth.changed");
    assert_eq!(seen.last().unwrap().data, json!({ "provider": "claude-code" }));
    assert_eq!(status(&house, "")["method"], "claude.ai");

    let out = house.post(&path("logout"), &json!({}));
    assert_eq!((out.status, &out.body["logged_in"]), (200, &false.into()), "{}", out.body);
    events.up_to("the logout", |it| it.name == "provider.auth.changed");
    assert!(!house.log().contains("secret-code"), "{}", house.log());
}

#[test]
fn a_login_that_fails_says_whose_fault_it_is_and_can_be_begun_again() {
    let house = House::serve(stand_in);
    refused(&code(&house, "good#x"), 409, "no_login");
    login(&house);
    refused(&code(&house, "refused#x"), 400, "invalid_code");
    refused(&code(&house, "good#x"), 409, "no_login");
    login(&house);
    let offline = code(&house, "offline#x");
    refused(&offline, 502, "login_failed");
    assert!(offline.body["detail"].as_str().unwrap().contains("ENOTFOUND"), "{}", offline.body);
    login(&house);
    assert_eq!(code(&house, "good#x").status, 200);
    assert_eq!(logins(&house).len(), 3);
}

#[test]
fn two_devices_that_begin_at_once_share_one_login() {
    let house = House::serve(stand_in);
    let urls: Vec<Value> = std::thread::scope(|scope| {
        let begun: Vec<_> = (0..6).map(|_| scope.spawn(|| login(&house)["url"].clone())).collect();
        begun.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert!(urls.iter().all(|it| *it == urls[0]), "{urls:?}");
    assert_eq!(logins(&house).len(), 1);
}

#[test]
fn a_login_elsewhere_is_noticed() {
    let house = House::serve(stand_in);
    let events = house.events("", None);
    // Nothing is asked before somebody wants to know, and the file is news all the same.
    let credentials = home(&house).join(".claude/.credentials.json");
    fs::create_dir_all(credentials.parent().unwrap()).unwrap();
    fs::write(&credentials, "{}").unwrap();
    events.up_to("the login", |it| it.name == "provider.auth.changed");
    assert_eq!(status(&house, "")["logged_in"], true);
    fs::remove_file(&credentials).unwrap();
    events.up_to("the logout", |it| it.name == "provider.auth.changed");
    assert_eq!(status(&house, "")["logged_in"], false);
}

#[test]
fn what_nobody_can_know_is_an_error_and_not_a_no() {
    let house = House::serve(stand_in);
    fs::write(home(&house).join("odd"), "").unwrap();
    refused(&house.get(&path("status?force=true")), 502, "auth_unknown");
    let elsewhere = house.get("/api/v1/providers/nobody/auth/status");
    refused(&elsewhere, 404, "provider_not_found");
    refused(&house.post(&path("code"), &json!({})), 422, "invalid_body");
    refused(&house.post(&path("login"), &json!({ "x": 1 })), 400, "unknown_field");
    refused(&house.get(&path("status?force=maybe")), 400, "invalid_query");
}

#[test]
fn a_login_that_says_nothing_ends_in_time_and_one_that_waits_ends_with_the_server() {
    let mut house = House::serve(stand_in);
    fs::write(home(&house).join("silent"), "").unwrap();
    refused(&house.post(&path("login"), &json!({})), 504, "login_timeout");
    until_gone(logins(&house)[0]);
    fs::remove_file(home(&house).join("silent")).unwrap();
    login(&house);
    house.post(&path("logout"), &json!({}));
    until_gone(logins(&house)[1]);
    login(&house);
    assert_eq!(house.terminate(), Some(0));
    until_gone(logins(&house)[2]);
}

/// With the real CLI as far as it goes without its vendor: every way out leads to a closed
/// port of this machine.
#[test]
fn the_real_cli_tells_where_to_sign_in_and_takes_codes() {
    let house = House::serve(|it| {
        let env = "[providers.claude-code.env]\nHTTPS_PROXY = \"http://127.0.0.1:9\"\n\
                   HTTP_PROXY = \"http://127.0.0.1:9\"\nDISABLE_AUTOUPDATER = \"1\"\n\
                   CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC = \"1\"\n";
        configure(it.home, &pinned_cli(), env);
    });
    assert_eq!(status(&house, "")["logged_in"], false);
    let url = login(&house)["url"].as_str().unwrap().to_owned();
    assert!(url.starts_with("https://claude.") && url.contains("/oauth/authorize?"), "{url}");
    assert_eq!(login(&house)["url"], url.as_str());
    refused(&code(&house, "half-a-code"), 400, "invalid_code");
    refused(&code(&house, "made#up"), 502, "login_failed");
    refused(&code(&house, "made#up"), 409, "no_login");

    let events = house.events("", None);
    let credentials = home(&house).join(".claude/.credentials.json");
    let made_up = json!({ "claudeAiOauth": { "accessToken": "x", "refreshToken": "y", "expiresAt": 1,
        "scopes": ["user:inference"], "subscriptionType": "max" } });
    fs::create_dir_all(credentials.parent().unwrap()).unwrap();
    fs::write(&credentials, made_up.to_string()).unwrap();
    events.up_to("the login", |it| it.name == "provider.auth.changed");
    let now = status(&house, "");
    assert_eq!((&now["logged_in"], &now["method"]), (&json!(true), &json!("claude.ai")), "{now}");
    let out = house.post(&path("logout"), &json!({}));
    assert_eq!((out.status, &out.body["logged_in"]), (200, &false.into()), "{}", out.body);
    assert!(!credentials.exists());
}

#[test]
fn the_demo_is_signed_in_with_its_own_token_and_shows_none() {
    let house = House::demo();
    let now = status(&house, "?force=true");
    assert_eq!((&now["logged_in"], &now["method"]), (&json!(true), &json!("oauth_token")), "{now}");
    assert!(!now.to_string().contains("scripted"), "{now}");
}
