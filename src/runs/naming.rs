//! A person's own title for a run. It lies over the CLI's and stays.

use crate::schema::Run;
use crate::store::RunRow;

use super::actor::Actor;
use super::error::RunError;
use super::input::Input;
use super::supervisor::Supervisor;

/// What fits into a list, a tab and a notification.
const LONGEST: usize = 200;

impl Supervisor {
    /// Gives a run, live or ended, this title.
    pub async fn rename(&self, id: &str, title: &str) -> Result<Run, RunError> {
        let title = checked(title)?;
        let live = self.ask(id, |done| Input::Rename { title: title.clone(), done }).await;
        match live {
            Err(RunError::Ended) => self.rename_ended(id, title).await?,
            other => other?,
        }
        self.hub().run(id).ok_or_else(|| RunError::NotFound(id.into()))
    }

    async fn rename_ended(&self, id: &str, title: String) -> Result<(), RunError> {
        let stored = self.0.tools.store.run(id.into()).await?;
        let (mut row, _) = stored.ok_or_else(|| RunError::NotFound(id.into()))?;
        (row.title, row.named) = (title.clone(), true);
        self.0.tools.store.save_run(row).await?;
        if let Some(run) = self.hub().run(id) {
            self.hub().update(id, |board| board.run(Run { title, ..run }));
        }
        Ok(())
    }
}

impl Actor {
    /// Whoever asked may look at once, and after a crash too.
    pub(super) async fn rename(&mut self, title: String) -> Result<(), RunError> {
        let named = RunRow { title, named: true, ..self.row.clone() };
        self.tools.store.save_run(named.clone()).await?;
        self.row = named;
        self.publish();
        Ok(())
    }
}

fn checked(title: &str) -> Result<String, RunError> {
    let words: Vec<&str> = title.split_whitespace().collect();
    let title: String = words.join(" ").chars().filter(|it| !it.is_control()).collect();
    let (code, detail) = match title.chars().count() {
        0 => ("empty", "a title has at least one character".to_owned()),
        length if length > LONGEST => {
            ("too_long", format!("the title has {length} characters and may have {LONGEST}"))
        }
        _ => return Ok(title),
    };
    Err(RunError::Invalid { field: "title", code, detail, hint: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_line_of_words() {
        assert_eq!(checked(" Fix \n the\u{7} build ").expect("a title"), "Fix the build");
        for (title, code) in [(" \n", "empty"), (&*"x".repeat(201), "too_long")] {
            assert_eq!(checked(title).expect_err("refused").code(), code);
        }
    }
}
