//! Apps: what the agent is told to be, which tools it sees and which rules it asks by.
//!
//! An app is one JSON file, described in `docs/apps.md`. Five come with the binary; a directory can
//! add others, and replace one of the five by using its id.

mod file;
mod localised;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use askback_engine::ports::{App, Apps};

use file::AppFile;
pub use localised::Locale;

/// The app of a conversation that names none.
pub const DEFAULT_APP: &str = "assistant";

/// Most bytes of one file.
const BYTES_MAX: u64 = 256 << 10;
/// Most files in a directory.
const FILES_MAX: usize = 1_000;

/// The apps that come with the binary.
const EMBEDDED: [(&str, &str); 5] = [
    (
        "assistant.json",
        include_str!("../../../apps/assistant.json"),
    ),
    (
        "meeting-planner.json",
        include_str!("../../../apps/meeting-planner.json"),
    ),
    (
        "product-spec-writer.json",
        include_str!("../../../apps/product-spec-writer.json"),
    ),
    (
        "search-clarifier.json",
        include_str!("../../../apps/search-clarifier.json"),
    ),
    (
        "translator.json",
        include_str!("../../../apps/translator.json"),
    ),
];

/// The apps there are, in one language.
#[derive(Debug, Clone)]
pub struct AppCatalog {
    apps: BTreeMap<String, Listed>,
}

#[derive(Debug, Clone)]
struct Listed {
    name: String,
    about: Option<String>,
    app: Arc<App>,
}

/// An app as a list shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AppSummary<'a> {
    /// Its id.
    pub id: &'a str,
    /// What to call it.
    pub name: &'a str,
    /// What it does, in a sentence.
    pub about: Option<&'a str>,
    /// The tools it lists.
    pub tools: &'a [String],
}

/// Why the apps cannot be loaded, for the operator.
#[derive(Debug, thiserror::Error)]
pub enum AppsError {
    /// The directory or one of its files cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The directory holds more files than one can mean.
    #[error("{} holds more than {FILES_MAX} app files", path.display())]
    TooMany {
        /// Which directory.
        path: PathBuf,
    },
    /// A file is not an app.
    #[error("{file}: {problem}")]
    Wrong {
        /// Which file.
        file: String,
        /// What is wrong, and what to write instead.
        problem: String,
    },
}

impl AppCatalog {
    /// The apps that come with the binary.
    pub fn embedded(locale: &Locale) -> Result<AppCatalog, AppsError> {
        let mut apps = BTreeMap::new();
        for (file, text) in EMBEDDED {
            let (id, listed) = read(file, text, locale)?;
            apps.insert(id, listed);
        }
        Ok(AppCatalog { apps })
    }

    /// The apps that come with the binary and those of a directory, of which each replaces an
    /// embedded one with its id.
    pub fn load(directory: &Path, locale: &Locale) -> Result<AppCatalog, AppsError> {
        let mut catalog = AppCatalog::embedded(locale)?;
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for path in json_files(directory)? {
            let file = path.display().to_string();
            let (id, listed) = read(&file, &content(&path)?, locale)?;
            if let Some(earlier) = seen.insert(id.clone(), file.clone()) {
                let problem = format!("its id \"{id}\" is that of {earlier}; give it another");
                return Err(AppsError::Wrong { file, problem });
            }
            catalog.apps.insert(id, listed);
        }
        Ok(catalog)
    }

    /// All apps, by id.
    pub fn list(&self) -> impl Iterator<Item = AppSummary<'_>> {
        self.apps.iter().map(|(id, listed)| AppSummary {
            id,
            name: &listed.name,
            about: listed.about.as_deref(),
            tools: &listed.app.tools,
        })
    }
}

impl Apps for AppCatalog {
    fn app(&self, id: Option<&str>) -> Option<Arc<App>> {
        let listed = self.apps.get(id.unwrap_or(DEFAULT_APP))?;
        Some(Arc::clone(&listed.app))
    }
}

fn read(file: &str, text: &str, locale: &Locale) -> Result<(String, Listed), AppsError> {
    let wrong = |problem| AppsError::Wrong {
        file: file.to_owned(),
        problem,
    };
    let app = AppFile::parse(text).map_err(wrong)?;
    let listed = Listed {
        name: app.name.in_language(locale).to_owned(),
        about: app.about(locale).map(str::to_owned),
        app: Arc::new(app.build(locale)),
    };
    Ok((listed.app.id.clone(), listed))
}

fn json_files(directory: &Path) -> Result<Vec<PathBuf>, AppsError> {
    let unreadable = |source| AppsError::Unreadable {
        path: directory.to_owned(),
        source,
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            paths.push(path);
        }
        if paths.len() > FILES_MAX {
            return Err(AppsError::TooMany {
                path: directory.to_owned(),
            });
        }
    }
    // The order in which a directory lists its files is no order.
    paths.sort();
    Ok(paths)
}

fn content(path: &Path) -> Result<String, AppsError> {
    let unreadable = |source| AppsError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let bytes = std::fs::metadata(path).map_err(unreadable)?.len();
    if bytes > BYTES_MAX {
        return Err(AppsError::Wrong {
            file: path.display().to_string(),
            problem: format!("it has {bytes} bytes; an app file has at most {BYTES_MAX}"),
        });
    }
    std::fs::read_to_string(path).map_err(unreadable)
}

#[cfg(test)]
#[path = "apps_tests.rs"]
mod tests;
