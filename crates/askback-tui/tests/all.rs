//! The tests of the prompt as an embedder has it: events in, frames out.

#[cfg(test)]
mod suite {
    mod answers;
    mod deadlines;
    mod frames;
    mod hostile;
    mod leaving;
    mod pace;
    mod sizes;
    mod stage;
    mod typing;
}
