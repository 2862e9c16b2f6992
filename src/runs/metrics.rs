//! What an operator watches: numbers of this life of the server, for Prometheus.
//!
//! What can be counted when somebody asks is counted then, so that no second
//! account has to be kept in step with the first.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

use crate::schema::{Receipt, Run, RunState};

use super::hub::Hub;

/// Upper ends, in seconds. The goal for a change to reach a reader is 1 ms at
/// p50 and 10 ms at p99.
const LAG_BUCKETS: [f64; 9] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1.0, 5.0];

/// A file can name types without end; a metric must not.
const MOST_TYPES: usize = 64;

const STATES: [RunState; 5] =
    [RunState::Idle, RunState::Working, RunState::NeedsInput, RunState::Question, RunState::Ended];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct State {
    state: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    kind: String,
    door: String,
    status: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Code {
    code: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Unknown {
    provider: String,
    kind: String,
}

pub struct Metrics {
    registry: Registry,
    runs: Family<State, Gauge>,
    dialogs: Gauge,
    held: Gauge,
    readers: Gauge,
    receipts: Family<Outcome, Counter>,
    problems: Family<Code, Counter>,
    unknown: Family<Unknown, Counter>,
    unknown_types: Mutex<HashSet<String>>,
    lag: Histogram,
}

impl Metrics {
    pub(super) fn new() -> Self {
        let metrics = Self {
            registry: Registry::with_prefix("seamux"),
            runs: Family::default(),
            dialogs: Gauge::default(),
            held: Gauge::default(),
            readers: Gauge::default(),
            receipts: Family::default(),
            problems: Family::default(),
            unknown: Family::default(),
            unknown_types: Mutex::default(),
            lag: Histogram::new(LAG_BUCKETS),
        };
        metrics.registered()
    }

    fn registered(mut self) -> Self {
        let registry = &mut self.registry;
        let version = vec![("version", env!("CARGO_PKG_VERSION"))];
        registry.register("build", "This program", Info::new(version));
        registry.register("runs", "Runs, by their state", self.runs.clone());
        registry.register("dialogs_open", "Dialogs that wait for a person", self.dialogs.clone());
        registry.register("replies_held", "Replies that wait for their time", self.held.clone());
        registry.register("event_readers", "Open event streams", self.readers.clone());
        registry.register(
            "receipts",
            "Replies, answers and interrupts, by what became of them",
            self.receipts.clone(),
        );
        registry.register("problems", "Requests that got an error, by code", self.problems.clone());
        registry.register(
            "unknown_records",
            "Records of a type that the provider does not know",
            self.unknown.clone(),
        );
        registry.register(
            "event_lag_seconds",
            "From a change to its hand-over to the connection of a reader",
            self.lag.clone(),
        );
        self
    }

    /// A receipt reached this status.
    pub(super) fn receipt(&self, receipt: &Receipt) {
        let outcome = Outcome {
            kind: word(&receipt.kind),
            door: word(&receipt.door),
            status: word(&receipt.status),
        };
        self.receipts.get_or_create(&outcome).inc();
    }

    pub(super) fn unknown_record(&self, provider: &str, kind: &str) {
        let is_counted = {
            let mut types = self.unknown_types.lock().unwrap_or_else(PoisonError::into_inner);
            types.contains(kind) || types.len() < MOST_TYPES && types.insert(kind.to_owned())
        };
        let kind = if is_counted { kind } else { "other" };
        let unknown = Unknown { provider: provider.to_owned(), kind: kind.to_owned() };
        self.unknown.get_or_create(&unknown).inc();
    }

    /// A request got this error.
    pub fn problem(&self, code: &str) {
        self.problems.get_or_create(&Code { code: code.to_owned() }).inc();
    }

    /// Changes went out to a reader this long after the first of them was made.
    pub fn event_lag(&self, lag: Duration) {
        self.lag.observe(lag.as_secs_f64());
    }

    /// Counts a reader for as long as the answer is kept.
    pub fn reader(&self) -> Reader {
        self.readers.inc();
        Reader(self.readers.clone())
    }

    /// All of them, as OpenMetrics text.
    pub(super) fn text(&self, hub: &Hub) -> String {
        let runs = hub.runs();
        let total = |count: fn(&Run) -> usize| runs.iter().map(count).sum::<usize>() as i64;
        for state in STATES {
            let count = runs.iter().filter(|run| run.state == state).count() as i64;
            self.runs.get_or_create(&State { state: word(&state) }).set(count);
        }
        self.dialogs.set(total(|run| run.pending_dialogs));
        self.held.set(total(|run| run.queued));
        let mut out = String::new();
        // Writing into a string can't fail.
        text::encode(&mut out, &self.registry).ok();
        out
    }
}

/// An open event stream.
pub struct Reader(Gauge);

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// The word that the API has for it.
fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_without_end_make_no_series_without_end() {
        let metrics = Metrics::new();
        for number in 0..1000 {
            metrics.unknown_record("p", &format!("type-{number}"));
            metrics.unknown_record("p", "type-0");
        }
        let text = metrics.text(&Hub::new());
        let series = text.lines().filter(|it| it.starts_with("seamux_unknown_records_total{"));
        assert_eq!(series.count(), MOST_TYPES + 1);
        assert!(text.contains("kind=\"type-0\"} 1001\n"), "{text}");
        assert!(text.contains("kind=\"other\"} 936\n"), "{text}");
    }

    #[test]
    fn every_state_has_its_number_even_if_it_is_none() {
        let text = Metrics::new().text(&Hub::new());
        for state in ["idle", "working", "needs_input", "question", "ended"] {
            assert!(text.contains(&format!("seamux_runs{{state=\"{state}\"}} 0\n")), "{text}");
        }
        assert!(text.ends_with("# EOF\n"));
    }
}
