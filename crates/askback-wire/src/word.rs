//! Closed sets of words on the wire that a reader survives the growth of.

/// Declares a set of words: an enum with one variant for each, and `Unknown` for a word that this
/// version does not know. A word is written back as it was read.
macro_rules! words {
    (
        $(#[$doc:meta])*
        $name:ident {
            $( $(#[$variant_doc:meta])* $variant:ident => $word:literal, )+
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(from = "String", into = "String")]
        pub enum $name {
            $( $(#[$variant_doc])* $variant, )+
            /// A word of a newer version. It means none of the others.
            Unknown(String),
        }

        impl $name {
            /// The words that this version knows.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word as it is written.
            pub fn as_str(&self) -> &str {
                match self {
                    $( $name::$variant => $word, )+
                    $name::Unknown(word) => word,
                }
            }
        }

        impl From<String> for $name {
            fn from(word: String) -> $name {
                match word.as_str() {
                    $( $word => $name::$variant, )+
                    _ => $name::Unknown(word),
                }
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> $name {
                $name::from(word.to_owned())
            }
        }

        impl From<$name> for String {
            fn from(word: $name) -> String {
                word.as_str().to_owned()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::schema::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .enum_values(Some($name::WORDS.iter().copied()))
                    .into()
            }
        }

        impl utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                std::borrow::Cow::Borrowed(stringify!($name))
            }
        }
    };
}

pub(crate) use words;
