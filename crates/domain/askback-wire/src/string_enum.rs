//! String enums that accept values of newer versions.

/// Declares an enum with a string for each variant, and `Unknown` for strings of newer versions, which are
/// written back as they were read.
macro_rules! string_enum {
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
            /// A value of a newer version. Do not treat it as any of the others.
            Unknown(String),
        }

        impl $name {
            /// All values that this version knows.
            pub const VALUES: &'static [&'static str] = &[$($word),+];

            /// The value on the wire.
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
                // No `enum`: generated clients would refuse the values of newer versions.
                let known = format!(
                    "One of `{}`. Newer versions may have others.",
                    $name::VALUES.join("`, `")
                );
                utoipa::openapi::schema::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .description(Some(known))
                    .examples($name::VALUES.iter().copied())
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

pub(crate) use string_enum;
