//! Hands what comes in from outside to the run that it is for.

use std::time::Duration;

use tokio::sync::mpsc;
use tracing::warn;

use crate::signals::{Body, Delivery, Spooled, sweep};
use crate::terminal::TerminalEvent;

use super::input::Input;
use super::supervisor::Supervisor;

/// An actor that takes no input for this long is stuck.
const INBOX_LIMIT: Duration = Duration::from_secs(2);

impl Supervisor {
    /// Hands signals and terminal news to the runs that they are for.
    pub(super) async fn route(
        self,
        mut deliveries: mpsc::Receiver<Delivery>,
        mut events: mpsc::Receiver<TerminalEvent>,
    ) {
        loop {
            tokio::select! {
                () = self.0.stop.cancelled() => return,
                Some(delivery) = deliveries.recv() => self.deliver(delivery).await,
                Some(event) = events.recv() => self.take_news(event).await,
                else => return,
            }
        }
    }

    async fn deliver(&self, delivery: Delivery) {
        let Delivery { run, body } = delivery;
        let input = match body {
            Body::Signal { payload, late } => Input::Signal { payload, late },
            Body::Asked { payload, asker } => Input::Asked { payload, asker },
            Body::AskerGone { id } => Input::AskerGone { id },
        };
        self.hand(&run, input).await;
    }

    async fn take_news(&self, event: TerminalEvent) {
        match event {
            TerminalEvent::Exited { pane, exit } => {
                self.hand(&pane.stamp, Input::Exited(pane.clone(), exit)).await;
            }
            TerminalEvent::ServerGone => {
                warn!("The tmux server is gone, and all runs with it");
                let runs: Vec<String> = self.lock().keys().cloned().collect();
                for run in runs {
                    self.hand(&run, Input::ServerGone).await;
                }
            }
            TerminalEvent::ControlLost => warn!("The connection to tmux was lost"),
            TerminalEvent::Reconnected => warn!("The connection to tmux is back"),
        }
    }

    async fn hand(&self, run: &str, input: Input) {
        let Some(inbox) = self.lock().get(run).cloned() else {
            return;
        };
        if inbox.send_timeout(input, INBOX_LIMIT).await.is_err() {
            warn!(run.id = run, "A run takes no input");
        }
    }

    /// Takes what waits in the spool now, and whatever comes there later.
    pub(super) async fn take_spool(self) {
        let spool = &self.0.door.spool;
        let bell = self.0.tools.watcher.folder(spool);
        loop {
            tokio::select! {
                () = self.0.stop.cancelled() => return,
                () = bell.rung() => {}
            }
            match sweep(spool) {
                Ok(signals) => {
                    for Spooled { delivery, file } in signals {
                        self.deliver(delivery).await;
                        file.done();
                    }
                }
                Err(error) => warn!(%error, "The spool could not be read"),
            }
        }
    }
}
