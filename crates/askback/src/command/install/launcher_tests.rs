//! The command in an agent's settings goes on working after an upgrade or a cleared cache.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use tempfile::TempDir;

use super::*;

/// A home directory, removed with the test. The repository may be anywhere, also below `/tmp`.
struct Root(TempDir);

impl Root {
    fn new() -> Root {
        let exe = std::env::current_exe().expect("a path");
        let directory = exe.parent().expect("a directory");
        Root(tempfile::tempdir_in(directory).expect("created"))
    }

    fn program(&self, path: &str) -> PathBuf {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("created");
        fs::write(&path, "").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("ours");
        path
    }

    fn link(&self, path: &str, target: &Path) -> PathBuf {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("created");
        symlink(target, &path).expect("linked");
        path
    }

    fn find(&self, program: &Path, path: &str) -> Launcher {
        let [path, temporary] = [path, "tmp"].map(|path| self.0.path().join(path));
        let env = Environment::with([
            ("HOME", self.0.path()),
            ("PATH", &path),
            ("TMPDIR", &temporary),
        ]);
        Launcher::find(program, &env)
    }
}

fn lasting(path: &Path) -> Launcher {
    Launcher::of([path.display().to_string()])
}

#[test]
fn link_on_path_is_written_unresolved() {
    let root = Root::new();
    for (target, link) in [
        ("Cellar/askback/0.1.0/bin/askback", "brew/bin/askback"),
        (
            ".local/share/uv/tools/askback/bin/askback",
            "uv/bin/askback",
        ),
    ] {
        let program = root.program(target);
        let link = root.link(link, &program);
        let directory = link.parent().expect("a directory");
        let path = directory.to_str().expect("text");
        assert_eq!(root.find(&program, path), lasting(&link));
    }
}

/// The environment of an agent or of a service often lacks the directories of Homebrew.
#[test]
fn link_of_homebrew_is_found_although_it_is_not_on_path() {
    let root = Root::new();
    let program = root.program("opt/brew/Cellar/askback/0.1.0/bin/askback");
    let link = root.link("opt/brew/bin/askback", &program);
    assert_eq!(root.find(&program, "bin"), lasting(&link));
}

/// Another version of Node.js has other global packages, and another directory on PATH.
#[test]
fn global_package_of_one_node_version_is_started_through_npx() {
    let root = Root::new();
    let npx = Launcher::of(["npx", "-y", &format!("askback@{VERSION}")]);
    for version in [
        ".nvm/versions/node/v24.1.0",
        ".local/share/fnm/node-versions/v24.1.0/installation",
        ".local/share/mise/installs/node/24.1.0",
        ".asdf/installs/nodejs/24.1.0",
    ] {
        let modules = format!("{version}/lib/node_modules");
        let program = root.program(&format!("{modules}/@askback/cli-linux-x64/bin/askback"));
        let script = root.program(&format!("{modules}/askback/bin/askback.js"));
        root.link(&format!("{version}/bin/askback"), &script);
        assert_eq!(
            root.find(&program, &format!("{version}/bin")),
            npx,
            "{version}"
        );
    }
}

#[test]
fn link_of_the_user_is_found_although_it_is_not_on_path() {
    let root = Root::new();
    let program = root.program("tools/askback/bin/askback");
    fs::write(root.0.path().join("tools/askback/pyvenv.cfg"), "").expect("written");
    let link = root.link(".local/bin/askback", &program);
    assert_eq!(root.find(&program, "bin"), lasting(&link));
}

/// The script of a global npm package starts the program, which is in a package below the same `node_modules`.
#[test]
fn npm_script_is_written_instead_of_the_package_of_the_platform() {
    let root = Root::new();
    let program =
        root.program("lib/node_modules/askback/node_modules/@askback/cli-linux-x64/bin/askback");
    let script = root.program("lib/node_modules/askback/bin/askback.js");
    let link = root.link("bin/askback", &script);
    assert_eq!(root.find(&program, "bin"), lasting(&link));
}

#[test]
fn cached_programs_are_started_through_their_package_manager() {
    let root = Root::new();
    let program = root.program(".npm/_npx/49f/node_modules/@askback/cli/bin/askback");
    let script = root.program(".npm/_npx/49f/node_modules/askback/bin/askback.js");
    root.link(".npm/_npx/49f/node_modules/.bin/askback", &script);
    let found = root.find(&program, ".npm/_npx/49f/node_modules/.bin");
    let package = format!("askback@{VERSION}");
    assert_eq!(found, Launcher::of(["npx", "-y", &package]));
    assert_eq!(
        found.shell_line(&["hook", "claude-code", "--data", "/a b"]),
        format!("npx -y {package} hook claude-code --data '/a b'")
    );
    let program = root.program(".cache/uv/archive-v0/s94R/bin/askback");
    let found = root.find(&program, ".cache/uv/archive-v0/s94R/bin");
    assert_eq!(found, Launcher::of(["uvx", &package]));
}

/// Another askback on PATH is not this one.
#[test]
fn program_without_a_link_is_written_as_it_is() {
    let root = Root::new();
    let program = root.program("target/debug/askback");
    root.program("bin/askback");
    assert_eq!(root.find(&program, "bin"), lasting(&program));
}

#[test]
fn program_that_may_go_is_written_with_a_warning() {
    let root = Root::new();
    let program = root.program("project/.venv/bin/askback");
    fs::write(root.0.path().join("project/.venv/pyvenv.cfg"), "").expect("written");
    let store = Path::new("/nix/store/abc-askback-0.1.0/bin/askback");
    let temporary = root.program("tmp/askback");
    for program in [program.as_path(), store, &temporary] {
        let found = root.find(program, "project/.venv/bin");
        assert_eq!(found.words, [program.display().to_string()]);
        assert!(
            found
                .warning
                .is_some_and(|it| it.contains("askback doctor"))
        );
    }
}
