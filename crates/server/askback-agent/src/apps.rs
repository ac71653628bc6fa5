//! Apps: system prompt, tools and rules for asking, each in a JSON file.
//!
//! `docs/apps.md` describes the file. Five apps are embedded in the binary. A directory can add more,
//! and replaces an embedded app by using its id.

mod file;
mod localised;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use askback_engine::ports::{App, Apps};

use file::AppFile;
pub use localised::AppLanguage;

/// Used by conversations that do not name an app.
pub const DEFAULT_APP: &str = "assistant";

/// Most bytes of an app file.
const BYTES_MAX: u64 = 256 << 10;
/// Most app files in a directory.
const FILES_MAX: usize = 1_000;

const EMBEDDED: [(&str, &str); 5] = [
    ("assistant.json", include_str!("../apps/assistant.json")),
    (
        "meeting-planner.json",
        include_str!("../apps/meeting-planner.json"),
    ),
    (
        "product-spec-writer.json",
        include_str!("../apps/product-spec-writer.json"),
    ),
    (
        "search-clarifier.json",
        include_str!("../apps/search-clarifier.json"),
    ),
    ("translator.json", include_str!("../apps/translator.json")),
];

/// All apps, with their texts in one language.
#[derive(Debug, Clone)]
pub struct AppCatalog {
    apps: BTreeMap<String, CatalogEntry>,
}

#[derive(Debug, Clone)]
struct CatalogEntry {
    name: String,
    description: Option<String>,
    app: Arc<App>,
}

/// What a list of apps shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AppSummary<'a> {
    /// Conversations are stored with it.
    pub id: &'a str,
    /// In the catalog's language.
    pub name: &'a str,
    /// One sentence, in the catalog's language.
    pub description: Option<&'a str>,
    /// As in the file; `*` is not expanded.
    pub tools: &'a [String],
}

/// Why the apps cannot be loaded, for the operator.
#[derive(Debug, thiserror::Error)]
pub enum AppsError {
    /// The directory, or a file in it.
    #[error("{} cannot be read: {source}", path.display())]
    Unreadable {
        /// As given by the user.
        path: PathBuf,
        /// From the operating system.
        source: std::io::Error,
    },
    /// Most likely the wrong directory.
    #[error("{} holds more than {FILES_MAX} app files", path.display())]
    TooMany {
        /// As given by the user.
        path: PathBuf,
    },
    /// A file is not a valid app.
    #[error("{file}: {problem}")]
    Invalid {
        /// Its path.
        file: String,
        /// Says what to write instead.
        problem: String,
    },
}

impl AppCatalog {
    /// The embedded apps only.
    pub fn embedded(language: &AppLanguage) -> Result<AppCatalog, AppsError> {
        let mut apps = BTreeMap::new();
        for (file, text) in EMBEDDED {
            let (id, entry) = parse_app(file, text, language)?;
            apps.insert(id, entry);
        }
        Ok(AppCatalog { apps })
    }

    /// The embedded apps and those of a directory. A file replaces the embedded app with its id.
    pub fn load(directory: &Path, language: &AppLanguage) -> Result<AppCatalog, AppsError> {
        let mut catalog = AppCatalog::embedded(language)?;
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for path in json_files(directory)? {
            let file = path.display().to_string();
            let (id, entry) = parse_app(&file, &read_file(&path)?, language)?;
            if let Some(earlier) = seen.insert(id.clone(), file.clone()) {
                let problem =
                    format!("its id \"{id}\" is already used by {earlier}; choose another");
                return Err(AppsError::Invalid { file, problem });
            }
            catalog.apps.insert(id, entry);
        }
        Ok(catalog)
    }

    /// Ordered by id.
    pub fn list(&self) -> impl Iterator<Item = AppSummary<'_>> {
        self.apps.iter().map(|(id, entry)| AppSummary {
            id,
            name: &entry.name,
            description: entry.description.as_deref(),
            tools: &entry.app.tools,
        })
    }
}

impl Apps for AppCatalog {
    fn app(&self, id: Option<&str>) -> Option<Arc<App>> {
        let entry = self.apps.get(id.unwrap_or(DEFAULT_APP))?;
        Some(Arc::clone(&entry.app))
    }
}

fn parse_app(
    file: &str,
    text: &str,
    language: &AppLanguage,
) -> Result<(String, CatalogEntry), AppsError> {
    let invalid = |problem| AppsError::Invalid {
        file: file.to_owned(),
        problem,
    };
    let app = AppFile::parse(text).map_err(invalid)?;
    for warning in app.warnings() {
        tracing::warn!(file, "{warning}");
    }
    let entry = CatalogEntry {
        name: app.name.in_language(language).to_owned(),
        description: app.description(language).map(str::to_owned),
        app: Arc::new(app.build(language)),
    };
    Ok((entry.app.id.clone(), entry))
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
    // The order of `read_dir` is arbitrary.
    paths.sort();
    Ok(paths)
}

fn read_file(path: &Path) -> Result<String, AppsError> {
    let unreadable = |source| AppsError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let bytes = std::fs::metadata(path).map_err(unreadable)?.len();
    if bytes > BYTES_MAX {
        return Err(AppsError::Invalid {
            file: path.display().to_string(),
            problem: format!("it has {bytes} bytes; an app file has at most {BYTES_MAX}"),
        });
    }
    std::fs::read_to_string(path).map_err(unreadable)
}

#[cfg(test)]
#[path = "apps_tests.rs"]
mod tests;
