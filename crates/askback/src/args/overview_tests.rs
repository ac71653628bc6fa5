//! The overview fits on a screen and names every command once.

use clap::CommandFactory as _;

use super::super::Args;
use super::*;

#[test]
fn every_command_is_in_one_group() {
    let command = Args::command();
    let visible = command.get_subcommands().filter(|it| !it.is_hide_set());
    let mut commands: Vec<&str> = visible.map(Command::get_name).collect();
    let named = GROUPS
        .iter()
        .flat_map(|group| [group.described, group.others].concat());
    let mut named: Vec<&str> = named.collect();
    commands.sort_unstable();
    named.sort_unstable();
    assert_eq!(named, commands);
}

#[test]
fn overview_fits_on_a_screen() {
    let text = text(&Args::command());
    let widest = text.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{text}");
    assert!(text.lines().count() <= 24, "{text}");
}
