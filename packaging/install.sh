#!/bin/sh
# Installs askback: downloads the archive for this machine, compares its checksum, and puts the program into
# ~/.local/bin, or into ASKBACK_INSTALL_DIR. ASKBACK_VERSION names another version, ASKBACK_DOWNLOADS another place.
set -eu

version="${ASKBACK_VERSION:-@VERSION@}"
downloads="${ASKBACK_DOWNLOADS:-@REPOSITORY@/releases/download/v$version}"
directory="${ASKBACK_INSTALL_DIR:-$HOME/.local/bin}"

fail() {
  echo "askback was not installed: $1" >&2
  exit 1
}

case "$(uname -sm)" in
  "Linux x86_64") targets="x86_64-unknown-linux-musl x86_64-unknown-linux-gnu" ;;
  "Linux aarch64") targets="aarch64-unknown-linux-musl aarch64-unknown-linux-gnu" ;;
  "Darwin x86_64") targets="x86_64-apple-darwin" ;;
  "Darwin arm64") targets="aarch64-apple-darwin" ;;
  *) fail "there is no package for $(uname -sm). On Windows, use WSL." ;;
esac

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
curl -fsSL -o SHA256SUMS "$downloads/SHA256SUMS" || fail "$downloads/SHA256SUMS cannot be read"
archive=""
for target in $targets; do
  name="askback-$version-$target"
  if grep -q " $name.tar.gz\$" SHA256SUMS; then archive="$name.tar.gz" && break; fi
done
[ -n "$archive" ] || fail "$downloads has no archive for $(uname -sm)"
curl -fsSL -o "$archive" "$downloads/$archive" || fail "$archive cannot be downloaded"
grep " $archive\$" SHA256SUMS > sum
if command -v sha256sum > /dev/null; then check="sha256sum"; else check="shasum -a 256"; fi
$check -c sum > /dev/null 2>&1 || fail "the checksum of $archive is wrong"
tar -xzf "$archive"
"./$name/askback" --version > /dev/null || fail "the program does not start on this machine"
mkdir -p "$directory"
# Not over the old one, which may be running.
cp "$name/askback" "$directory/.askback.new"
mv -f "$directory/.askback.new" "$directory/askback"
echo "Installed $("$directory/askback" --version) in $directory. Try: askback demo"
case ":$PATH:" in
  *":$directory:"*) ;;
  *) echo "$directory is not on your PATH: add it." ;;
esac
