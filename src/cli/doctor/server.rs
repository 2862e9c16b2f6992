//! The server that runs, if one does.

use super::super::client::{Server, ServerArgs, is_running};
use super::super::config::Config;
use super::Check;

const NAME: &str = "server";

pub(super) async fn check(config: &Config) -> Check {
    if !is_running(&config.state_dir) {
        return Check::ok(NAME, "none is running with this state folder");
    }
    let state_dir = config.state_dir.clone();
    let asked = tokio::task::spawn_blocking(move || {
        let args = ServerArgs::of_state(state_dir);
        let server = Server::find(&args)?;
        server.get("/runs").map(|runs| (server.url().to_owned(), runs))
    });
    match asked.await.map_err(anyhow::Error::from).flatten() {
        Ok((url, list)) => {
            let count = list["runs"].as_array().map_or(0, Vec::len);
            Check::ok(NAME, format!("it answers at {url} and knows {count} runs"))
        }
        Err(error) => Check::failed(
            NAME,
            format!("one is running, but does not answer: {error:#}"),
            "look into seamux.log in the state folder; stop it and start it again: agents run on",
        ),
    }
}
