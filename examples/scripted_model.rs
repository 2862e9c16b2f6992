//! Runs the scripted model by hand: `cargo run --example scripted_model -- PORT [SCENARIO_FILE]`.
//!
//! Without a file it plays the demo. Each request is printed as one line, with the rule that answered.
#![expect(clippy::print_stdout, reason = "the log is what this program is for")]

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Context;
use seamux::scripted_model::{Scenario, ScriptedModel, SeenRequest};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let port: u16 = args.next().context("usage: scripted_model PORT [SCENARIO_FILE]")?.parse()?;
    let scenario = match args.next() {
        Some(path) => Scenario::from_toml(&path, &std::fs::read_to_string(&path)?)?,
        None => Scenario::demo(),
    };
    let model =
        ScriptedModel::start(SocketAddr::from((Ipv4Addr::LOCALHOST, port)), scenario).await?;
    println!("{}", model.url());
    let mut total = model.total();
    let mut printed = 0;
    loop {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => break,
            Ok(()) = total.changed() => (),
        }
        let now = *total.borrow_and_update();
        let requests = model.requests();
        let fresh = requests.len().saturating_sub(now - printed);
        for it in &requests[fresh..] {
            let SeenRequest { prompt, rule, step, status, stream, cut, .. } = it;
            let results = it.results_of.join(" ");
            println!(
                "{status} `{rule}` step={step} results=[{results}] stream={stream} cut={cut} {prompt:.80?}"
            );
        }
        printed = now;
    }
    model.stop().await;
    Ok(())
}
