//! Room on the screen for a moment.

use tmux_interface::{DisplayMessage, ResizeWindow, SetOption};

use super::Terminal;
use super::error::TerminalError;
use super::guard::Guard;
use super::pane::passed;
use super::quote::Line;
use super::status::Pane;

/// The height before it was changed. A pane option, so that the next life of
/// seamux can put right what this one left behind.
const ROWS: &str = "@seamux_rows";

impl Terminal {
    /// Makes the screen this high, so that nothing of it is scrolled away, until
    /// [`Terminal::take_room_back`]. Its width stays.
    pub async fn give_room(&self, pane: &Pane, rows: u16) -> Result<(), TerminalError> {
        // A person's own window keeps its size.
        if pane.guest.is_some() || self.rows_before(pane).await?.is_some() {
            return Ok(());
        }
        let mut note = SetOption::new().pane().target_pane(&*pane.id).build();
        note.push_flag("-F");
        let note = Line::default().then_with(&note, &[ROWS.as_bytes(), b"#{window_height}"]);
        let resize = ResizeWindow::new().target_window(&*pane.window).height(rows.into()).build();
        self.ours(pane, note.then(&resize)).await
    }

    /// Gives the screen the height that it had.
    pub async fn take_room_back(&self, pane: &Pane) -> Result<(), TerminalError> {
        if pane.guest.is_some() {
            return Ok(());
        }
        let Some(rows) = self.rows_before(pane).await? else { return Ok(()) };
        let resize = ResizeWindow::new().target_window(&*pane.window).height(rows).build();
        let forget = SetOption::new().pane().unset().target_pane(&*pane.id).option(ROWS).build();
        self.ours(pane, Line::new(&resize).then(&forget)).await
    }

    async fn rows_before(&self, pane: &Pane) -> Result<Option<usize>, TerminalError> {
        let ask =
            DisplayMessage::new().print().target_pane(&*pane.id).message(format!("#{{{ROWS}}}"));
        let line = Guard::Ours.line(pane, Line::new(&ask.build()));
        let blocks = self.inner.control.look(line).await?;
        passed(pane, &blocks)?;
        let told = blocks.len().checked_sub(2).and_then(|index| blocks.get(index));
        Ok(told.and_then(|it| it.text().trim().parse().ok()))
    }

    async fn ours(&self, pane: &Pane, line: Line) -> Result<(), TerminalError> {
        let line = Guard::Ours.line(pane, line);
        passed(pane, &self.inner.control.ask(vec![line]).await?)
    }
}
