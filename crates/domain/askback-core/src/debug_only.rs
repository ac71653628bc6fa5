//! How a type with a secret or an answer in it is shown to developers.

/// Implements `Debug` with these fields alone: what the others hold must not get into a log.
#[macro_export]
macro_rules! debug_only {
    ($type:ident $(: $($field:ident),+)?) => {
        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut shown = f.debug_struct(stringify!($type));
                $($(shown.field(stringify!($field), &self.$field);)+)?
                shown.finish_non_exhaustive()
            }
        }
    };
}
