#!/bin/sh
# Switches to a release after somebody has agreed: deploy.sh VERSION DIRECTORY
# Run again after a crash, it continues with the same question. Only "yes" is exit code 0.
set -eu
version=$1 directory=$2
[ -d "$directory/releases/$version" ] || { echo "there is no release $version" >&2; exit 2; }

askback ask --durable --wait --confirm --key "deploy/$version" --source "deploy.sh" "Roll out $version?"

ln -sfn "releases/$version" "$directory/current.new"
mv -T "$directory/current.new" "$directory/current"
echo "$version is live"
