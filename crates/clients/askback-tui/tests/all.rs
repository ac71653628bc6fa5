//! The tests of the prompt as an embedder has it: events in, frames out.

#[cfg(test)]
mod suite {
    mod answers;
    mod clicks;
    mod deadlines;
    mod fixtures;
    mod frames;
    mod guards;
    mod hostile;
    mod keys;
    mod leaving;
    mod pace;
    mod problems;
    mod sizes;
    mod typed_words;
    mod typing;
    mod wide;
    mod words;
    mod yes_no;
}
