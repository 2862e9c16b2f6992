//! Where a CLI looks for what a person wants to give it in a folder.

/// Says where the parts of a seed belong. The seeder writes them; a provider only
/// names the places, relative to the folder that the CLI works in.
#[derive(Clone, Copy, Debug, Default)]
pub struct SeedLayout {
    /// The file of instructions. One that repositories do not track: what a
    /// repository tracks is never written.
    pub context_file: Option<&'static str>,
    /// The folder of one skill; `{name}` stands for its name.
    pub skill: Option<&'static str>,
    /// The file of one prompt that is called by its name; `{name}` stands for it.
    pub prompt: Option<&'static str>,
    /// What the CLI itself leaves in a folder and nobody wants to see as a change,
    /// as patterns that git takes, each beginning with a slash.
    pub exclude: &'static [&'static str],
    /// What must not stand in a seeded text, as regular expressions: secrets.
    pub scrub: &'static [&'static str],
}
