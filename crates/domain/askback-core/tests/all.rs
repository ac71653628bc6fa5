//! The integration tests of the core, in one binary.

#[cfg(test)]
mod suite {
    mod agreement;
    mod generated;
    mod goldens;
    mod host_example;
    mod lessons;
    mod machine;
    mod machine_lessons;
    mod machine_table;
    mod model;
    mod model_texts;
    mod typed_answers;
}
