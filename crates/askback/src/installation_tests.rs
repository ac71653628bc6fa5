//! Each kind of installation is recognised by its path and by the files beside it.

use std::fs;

use tempfile::TempDir;

use super::*;

struct Root(TempDir);

impl Root {
    fn new() -> Root {
        Root(tempfile::tempdir().expect("created"))
    }

    fn file(&self, path: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("created");
        fs::write(path, "").expect("written");
    }

    fn find(&self, program: &str) -> Installation {
        Installation::in_system(&self.0.path().join(program), self.0.path())
    }
}

#[test]
fn paths_tell_the_package_manager() {
    for (program, installation, update) in [
        (
            "/home/u/.npm/_npx/49f/node_modules/@askback/cli-linux-x64/bin/askback",
            Installation::Npx,
            "npx -y askback@latest",
        ),
        (
            "/usr/lib/node_modules/askback/node_modules/@askback/cli-linux-x64/bin/askback",
            Installation::NpmGlobal(NodeTool::Npm),
            "npm install -g askback@latest",
        ),
        (
            "/home/u/.local/share/pnpm/global/5/node_modules/.pnpm/x/node_modules/@askback/cli-linux-x64/bin/askback",
            Installation::NpmGlobal(NodeTool::Pnpm),
            "pnpm add -g askback@latest",
        ),
        (
            "/home/u/.bun/install/global/node_modules/@askback/cli-linux-x64/bin/askback",
            Installation::NpmGlobal(NodeTool::Bun),
            "bun add -g askback@latest",
        ),
        (
            "/home/u/my shop/node_modules/@askback/cli-linux-x64/bin/askback",
            Installation::NpmProject(PathBuf::from("/home/u/my shop")),
            "npm install --prefix '/home/u/my shop' askback@latest",
        ),
        (
            "/home/u/.cache/uv/archive-v0/s94R/bin/askback",
            Installation::Uvx,
            "uvx askback@latest",
        ),
        (
            "/home/u/.local/share/uv/tools/askback/bin/askback",
            Installation::UvTool,
            "uv tool upgrade askback",
        ),
        (
            "/home/u/.local/share/pipx/venvs/askback/bin/askback",
            Installation::Pipx,
            "pipx upgrade askback",
        ),
        (
            "/opt/homebrew/Cellar/askback/0.1.0/bin/askback",
            Installation::Homebrew(PathBuf::from("/opt/homebrew")),
            "brew upgrade askback",
        ),
        (
            "/nix/store/abc-askback-0.1.0/bin/askback",
            Installation::Nix,
            "nix profile upgrade askback",
        ),
    ] {
        let found = Installation::of(Path::new(program));
        assert_eq!(found, installation, "{program}");
        assert_eq!(found.update_line(), update);
    }
}

#[test]
fn files_beside_the_program_tell_the_package_manager() {
    let root = Root::new();
    root.file("venv/pyvenv.cfg");
    root.file("local/lib/python3.12/site-packages/askback-0.1.0.dist-info/RECORD");
    root.file("cargo/.crates.toml");
    root.file("source/crates/askback/Cargo.toml");
    let of = |path: &str| root.0.path().join(path);
    for (program, installation) in [
        ("venv/bin/askback", Installation::Python(of("venv"))),
        ("local/bin/askback", Installation::Python(of("local"))),
        ("cargo/bin/askback", Installation::Cargo),
        (
            "source/target/debug/askback",
            Installation::Checkout(of("source")),
        ),
        ("usr/bin/askback", Installation::File(of("usr/bin"))),
        ("elsewhere/askback", Installation::File(of("elsewhere"))),
    ] {
        assert_eq!(root.find(program), installation);
    }
    let python = of("venv").join("bin/python").display().to_string();
    assert_eq!(
        root.find("venv/bin/askback").update_line(),
        format!("{python} -m pip install --upgrade askback")
    );
}

#[test]
fn databases_of_the_system_tell_its_packages() {
    for (file, installation) in [
        ("var/lib/dpkg/info/askback.list", Installation::Deb),
        ("var/lib/rpm/rpmdb.sqlite", Installation::Rpm),
        ("etc/askback-image", Installation::ContainerImage),
    ] {
        let root = Root::new();
        root.file(file);
        assert_eq!(root.find("usr/bin/askback"), installation);
        // Another copy on the same machine.
        let own = Installation::File(root.0.path().join("home/u/bin"));
        assert_eq!(root.find("home/u/bin/askback"), own);
    }
}
