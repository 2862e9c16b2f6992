//! The keys that may be pressed.
//!
//! tmux types an unknown key name as text, so only names that mean the same in
//! every version are here. All else goes as bytes.

use tmux_interface::{SendKeys, TmuxCommand};

use super::error::{Refusal, TerminalError};

/// One key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Key {
    Enter,
    Escape,
    Tab,
    BTab,
    Up,
    Down,
    Left,
    Right,
    Space,
    Backspace,
    CtrlU,
    CtrlK,
    CtrlL,
    CtrlS,
    CtrlC,
    CtrlD,
    /// A printable character; control characters are refused.
    Char(char),
}

impl Key {
    /// Keys whose bytes depend on the mode of the terminal go by tmux's name.
    pub(super) fn command(self, pane: &str) -> Result<TmuxCommand<'static>, TerminalError> {
        let send = SendKeys::new().target_pane(pane.to_owned());
        let name = match self {
            Self::Enter => "Enter",
            Self::Escape => "Escape",
            Self::Tab => "Tab",
            Self::BTab => "BTab",
            Self::Up => "Up",
            Self::Down => "Down",
            Self::Left => "Left",
            Self::Right => "Right",
            Self::Space => "Space",
            Self::Backspace => "BSpace",
            Self::CtrlU => "C-u",
            Self::CtrlK => "C-k",
            Self::CtrlL => "C-l",
            Self::CtrlS => "C-s",
            Self::CtrlC => "C-c",
            Self::CtrlD => "C-d",
            Self::Char(character) if character.is_control() => {
                return Err(TerminalError::Refused(Refusal::ControlCharacter(character.into())));
            }
            Self::Char(character) => {
                let mut command = send.hex().build();
                for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                    command.push_param(format!("{byte:02x}"));
                }
                return Ok(command);
            }
        };
        Ok(send.key(name).build())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(key: Key) -> String {
        key.command("%7").unwrap().to_vec().join(" ")
    }

    #[test]
    fn named_keys_go_by_name_and_characters_as_bytes() {
        assert_eq!(argv(Key::Enter), "send-keys -t %7 Enter");
        assert_eq!(argv(Key::Char(';')), "send-keys -H -t %7 3b");
        assert_eq!(argv(Key::Char('é')), "send-keys -H -t %7 c3 a9");
    }

    #[test]
    fn a_control_character_is_not_a_key() {
        assert!(Key::Char('\u{1b}').command("%7").is_err());
        assert!(Key::Char('\u{9b}').command("%7").is_err());
    }
}
