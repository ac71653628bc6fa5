//! Files that describe the packages to others: `server.json`, the formula of Homebrew, the installer, the bill of materials.

use serde_json::{Value, json};

use super::packages::pretty;
use super::tree::sha256;
use super::{Package, Release};

impl Release {
    pub(super) fn listings(&self, packages: &[Package]) -> anyhow::Result<Vec<Package>> {
        Ok(vec![
            Package::for_all("install.sh", self.template("packaging/install.sh")?),
            Package::for_all("askback.rb", self.formula(packages)?),
            Package::for_all("server.json", pretty(&self.server(packages)?)),
            Package::for_all("askback.cdx.json", pretty(&self.bill_of_materials()?)),
        ])
    }

    /// For the registry of MCP servers.
    pub(super) fn server(&self, packages: &[Package]) -> anyhow::Result<Value> {
        let version = &self.version;
        let entry = |kind: &str, identifier: String| {
            json!({
                "registryType": kind,
                "identifier": identifier,
                "version": version,
                "transport": {"type": "stdio"},
                "packageArguments": [{"type": "positional", "value": "mcp"}],
            })
        };
        let mut entries: Vec<Value> = ["npm", "pypi", "cargo"]
            .map(|kind| entry(kind, "askback".to_owned()))
            .into();
        // Names of images have no capitals.
        let owner = self.owner().to_lowercase();
        let mut image = entry("oci", format!("ghcr.io/{owner}/askback:{version}"));
        if let Some(fields) = image.as_object_mut() {
            fields.remove("version");
        }
        entries.push(image);
        for bundle in packages.iter().filter(|it| it.name.ends_with(".mcpb")) {
            let name = &bundle.name;
            let mut bundled = entry("mcpb", self.download(name));
            bundled["fileSha256"] = json!(sha256(&bundle.bytes)?);
            if let Some(fields) = bundled.as_object_mut() {
                fields.remove("packageArguments");
            }
            entries.push(bundled);
        }
        Ok(json!({
            "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
            "name": self.mcp_name(),
            "title": "askback",
            "description": self.description,
            "repository": {"url": self.repository, "source": "github"},
            "version": version,
            "packages": entries,
        }))
    }

    fn formula(&self, packages: &[Package]) -> anyhow::Result<String> {
        let mut sources = String::new();
        for (target, system, processor) in [
            ("aarch64-apple-darwin", "macos", "arm"),
            ("x86_64-apple-darwin", "macos", "intel"),
            ("aarch64-unknown-linux", "linux", "arm"),
            ("x86_64-unknown-linux", "linux", "intel"),
        ] {
            let is_wanted =
                |it: &&Package| it.name.contains(target) && it.name.ends_with(".tar.gz");
            let Some(archive) = packages.iter().find(is_wanted) else {
                continue;
            };
            let (url, sum) = (self.download(&archive.name), sha256(&archive.bytes)?);
            sources += &format!(
                "  on_{system} do\n    on_{processor} do\n      url \"{url}\"\n      sha256 \"{sum}\"\n    end\n  end\n\n"
            );
        }
        Ok(format!(
            "class Askback < Formula\n  desc \"Structured questions of AI agents to their users\"\n  homepage \"{}\"\n  \
             version \"{}\"\n  license any_of: [\"MIT\", \"Apache-2.0\"]\n\n{sources}  def install\n    bin.install \
             \"askback\"\n    man1.install Dir[\"man/*.1\"]\n    bash_completion.install \"completions/askback.bash\" \
             => \"askback\"\n    zsh_completion.install \"completions/_askback\"\n    fish_completion.install \
             \"completions/askback.fish\"\n  end\n\n  test do\n    assert_match version.to_s, shell_output(\"#{{bin}}/askback \
             --version\")\n  end\nend\n",
            self.repository, self.version
        ))
    }

    fn download(&self, file: &str) -> String {
        format!(
            "{}/releases/download/v{}/{file}",
            self.repository, self.version
        )
    }
}
