//! Claude Code behind the seam.
//!
//! [`spawn`] says how to start it, [`signals`] reads its hooks and its list of
//! live processes, [`input`] knows how a text has to be typed so that exactly
//! this text is recorded.

mod asking;
mod auth;
mod cells;
mod commands;
mod composer;
mod descriptor;
mod input;
mod keys;
mod sessions;
mod signals;
mod spawn;
mod subagents;
pub mod transcript;

use crate::schema::{Response, Warning};
use crate::seam::{
    Activity, AgentHome, AgentProvider, AuthFlow, Caret, CommandCatalog, Composer, Descriptor,
    DialogKeys, Key, LiveSignals, Outline, Prepared, Probe, Recipe, Record, RecordMapper,
    RegistryEntry, RegistryPlace, ReplyPlan, SeamError, SessionDiscovery, Signal, SpawnSpec,
    StartupCheck, SubagentReader, TranscriptQuery,
};

/// Claude Code.
pub struct ClaudeCode {
    descriptor: Descriptor,
}

impl ClaudeCode {
    pub fn new() -> Self {
        Self { descriptor: descriptor::descriptor() }
    }
}

impl Default for ClaudeCode {
    fn default() -> Self {
        Self::new()
    }
}

impl AgentProvider for ClaudeCode {
    fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    fn probe(&self) -> Probe {
        Probe { programs: &["claude"], args: &["--version"] }
    }

    fn version(&self, stdout: &str) -> Option<String> {
        descriptor::version(stdout)
    }

    fn prepare(&self, spec: &SpawnSpec) -> Result<Prepared, SeamError> {
        spawn::prepare(spec, &self.descriptor)
    }

    fn locate_transcript(&self, home: &AgentHome, native_id: &str) -> TranscriptQuery {
        spawn::locate_transcript(home, native_id)
    }

    fn mapper(&self) -> Box<dyn RecordMapper> {
        Box::new(transcript::ClaudeMapper::default())
    }

    fn outline(&self, record: Record<'_>) -> Option<Outline> {
        Some(transcript::outline(record.bytes))
    }

    fn reply(&self, text: &str) -> Result<ReplyPlan, SeamError> {
        input::reply(text)
    }

    fn holds_draft(&self, screen: &str, draft: &str) -> Option<bool> {
        composer::holds_draft(screen, draft)
    }

    fn composer(&self, screen: &str) -> Option<Composer> {
        composer::composer(screen)
    }

    fn set_aside(&self) -> Option<Recipe> {
        Some(input::set_aside())
    }

    fn interrupt(&self, activity: Activity) -> Result<Recipe, SeamError> {
        input::interrupt(activity)
    }

    fn caret(&self, screen: &str, draft: &str) -> Option<Caret> {
        composer::caret(screen, draft)
    }

    fn submit_again(&self, draft: &str, pressed: usize) -> Recipe {
        input::submit_again(draft, pressed)
    }

    fn delete_behind(&self) -> Option<Key> {
        Some(Key::ControlK)
    }

    fn clear(&self, draft: &str) -> Recipe {
        input::clear(draft)
    }

    fn withdraw(&self, text: &str) -> Recipe {
        input::withdraw(text)
    }

    fn names_more(&self, known: &str, recorded: &str) -> bool {
        known != recorded && descriptor::without_mark(known) == recorded
    }

    fn context_limit(&self, model: &str) -> Option<u64> {
        descriptor::context_limit(model)
    }

    fn home_env(&self, get: &dyn Fn(&str) -> Option<String>) -> Vec<(String, String)> {
        spawn::home_env(get)
    }

    fn api_key(&self, home: &AgentHome) -> Option<String> {
        spawn::api_key(home)
    }

    fn api_key_variable(&self) -> Option<&'static str> {
        Some(spawn::API_KEY)
    }

    fn scripted_env(&self, model_url: &str) -> Vec<(String, String)> {
        spawn::scripted_env(model_url)
    }

    fn live(&self) -> Option<&dyn LiveSignals> {
        Some(self)
    }

    fn dialog_keys(&self) -> Option<&dyn DialogKeys> {
        Some(self)
    }

    fn sessions(&self) -> Option<&dyn SessionDiscovery> {
        Some(self)
    }

    fn auth(&self) -> Option<&dyn AuthFlow> {
        Some(self)
    }

    fn commands(&self) -> Option<&dyn CommandCatalog> {
        Some(self)
    }

    fn subagents(&self) -> Option<&dyn SubagentReader> {
        Some(self)
    }
}

impl LiveSignals for ClaudeCode {
    fn signal(&self, payload: &[u8]) -> Option<Signal> {
        signals::signal(payload)
    }

    fn mark(&self, tool: &str, input: &serde_json::Value) -> u64 {
        asking::mark(tool, input)
    }

    fn decide(&self, payload: &[u8], response: &Response) -> Result<Vec<u8>, SeamError> {
        asking::decide(payload, response)
    }

    fn registry(&self, home: &AgentHome) -> Option<RegistryPlace> {
        Some(signals::registry(home))
    }

    fn registry_entry(&self, bytes: &[u8]) -> Option<RegistryEntry> {
        signals::registry_entry(bytes)
    }

    fn silent_start(&self, check: &StartupCheck) -> Warning {
        spawn::silent_start(check)
    }
}
