//! The JSON Schema of a shape, in the form each provider takes.
//!
//! The plain form says everything the parser checks, apart from rules that tie several places
//! together. Providers' strict modes take less: there a limit that has no keyword stays in the
//! description, and the parser still holds to it.

use std::ops::RangeInclusive;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::InputAuthor;
use super::shape::{Field, Shape};

/// Whose subset of JSON Schema to stay within.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavor {
    /// Plain JSON Schema with every limit: tool use without a strict mode, MCP, documentation.
    Plain,
    /// `OpenAI`'s strict mode: every property required, optional ones nullable, no text lengths.
    OpenAiStrict,
    /// Anthropic's strict mode: no text lengths, and of list lengths only a minimum of one.
    AnthropicStrict,
    /// Gemini's function declarations: no `additionalProperties`.
    Gemini,
}

impl Flavor {
    /// All flavours with the names a command line uses for them.
    pub const ALL: &'static [(&'static str, Flavor)] = &[
        ("plain", Flavor::Plain),
        ("openai", Flavor::OpenAiStrict),
        ("anthropic", Flavor::AnthropicStrict),
        ("gemini", Flavor::Gemini),
    ];

    fn takes_lengths(self) -> bool {
        matches!(self, Flavor::Plain | Flavor::Gemini)
    }
}

/// A shape that serialises as its schema, keys in a fixed order.
pub(crate) struct ShapeSchema<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) author: InputAuthor,
    pub(crate) flavor: Flavor,
    pub(crate) description: Option<String>,
    pub(crate) nullable: bool,
    /// Whether it stands beside the text that is short for it.
    is_alternative: bool,
}

impl<'a> ShapeSchema<'a> {
    pub(crate) fn root(shape: &'a Shape, author: InputAuthor, flavor: Flavor) -> Self {
        ShapeSchema {
            shape,
            author,
            flavor,
            description: None,
            nullable: false,
            is_alternative: false,
        }
    }

    fn type_entry<M: SerializeMap>(&self, map: &mut M, name: &'static str) -> Result<(), M::Error> {
        if self.nullable {
            map.serialize_entry("type", &[name, "null"])
        } else {
            map.serialize_entry("type", name)
        }
    }

    fn text_entries<M: SerializeMap>(&self, map: &mut M, max: usize) -> Result<(), M::Error> {
        self.type_entry(map, "string")?;
        if self.flavor.takes_lengths() {
            map.serialize_entry("minLength", &1)?;
            map.serialize_entry("maxLength", &max)?;
        }
        Ok(())
    }

    fn list_entries<M: SerializeMap>(
        &self,
        map: &mut M,
        item: &Shape,
        bounds: RangeInclusive<usize>,
    ) -> Result<(), M::Error> {
        self.type_entry(map, "array")?;
        let (min, max) = bounds.into_inner();
        let only_one = self.flavor == Flavor::AnthropicStrict;
        if min > 0 {
            map.serialize_entry("minItems", &if only_one { 1 } else { min })?;
        }
        if !only_one {
            map.serialize_entry("maxItems", &max)?;
        }
        map.serialize_entry("items", &ShapeSchema::root(item, self.author, self.flavor))
    }

    fn object_entries<M: SerializeMap>(
        &self,
        map: &mut M,
        fields: &'static [Field],
    ) -> Result<(), M::Error> {
        self.type_entry(map, "object")?;
        map.serialize_entry(
            "properties",
            &Properties {
                fields,
                author: self.author,
                flavor: self.flavor,
            },
        )?;
        let all = self.flavor == Flavor::OpenAiStrict;
        let required: Vec<&str> = fields
            .iter()
            .filter(|f| all || f.required)
            .map(|f| f.name)
            .collect();
        map.serialize_entry("required", &required)?;
        if self.flavor != Flavor::Gemini {
            map.serialize_entry("additionalProperties", &false)?;
        }
        Ok(())
    }
}

impl Serialize for ShapeSchema<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(description) = &self.description
            && !matches!(self.shape, Shape::NumberOrDate)
        {
            map.serialize_entry("description", description)?;
        }
        match self.shape {
            Shape::Text { max, .. } | Shape::RawString { max } => {
                self.text_entries(&mut map, *max)?;
            }
            Shape::Bool => self.type_entry(&mut map, "boolean")?,
            Shape::Enum(words) => {
                self.type_entry(&mut map, "string")?;
                let names = words.iter().map(|word| Some(word.name));
                let null = self.nullable.then_some(None);
                map.serialize_entry("enum", &names.chain(null).collect::<Vec<_>>())?;
            }
            Shape::Number => self.type_entry(&mut map, "number")?,
            Shape::Integer { max } => {
                self.type_entry(&mut map, "integer")?;
                if self.flavor.takes_lengths() {
                    map.serialize_entry("minimum", &0)?;
                    map.serialize_entry("maximum", max)?;
                }
            }
            Shape::NumberOrDate => {
                let null = self.nullable.then_some("null");
                let types = ["number", "string"].into_iter().chain(null);
                let alternatives = types.map(|name| OfType {
                    description: self.description.as_deref().filter(|_| name != "null"),
                    name,
                });
                map.serialize_entry("anyOf", &alternatives.collect::<Vec<_>>())?;
            }
            Shape::List { item, min, max } => self.list_entries(&mut map, item, *min..=*max)?,
            // Models are asked for the whole object, and a bare text is repaired.
            Shape::Object {
                string_shorthand: Some(_),
                ..
            } if self.author == InputAuthor::Program && !self.is_alternative => {
                let object = ShapeSchema {
                    is_alternative: true,
                    ..ShapeSchema::root(self.shape, self.author, self.flavor)
                };
                map.serialize_entry("anyOf", &(OfType::of("string"), object))?;
            }
            Shape::Object { fields, .. } => self.object_entries(&mut map, fields)?,
        }
        map.end()
    }
}

/// One of several alternatives. Vertex AI takes nothing beside an `anyOf`, and MCP clients hand the
/// plain schema on to it, so each alternative carries the description.
#[derive(Serialize)]
struct OfType<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(rename = "type")]
    name: &'static str,
}

impl OfType<'_> {
    fn of(name: &'static str) -> Self {
        OfType {
            description: None,
            name,
        }
    }
}

struct Properties {
    fields: &'static [Field],
    author: InputAuthor,
    flavor: Flavor,
}

impl Serialize for Properties {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len()))?;
        for field in self.fields {
            let schema = ShapeSchema {
                description: Some(field.description()),
                nullable: self.flavor == Flavor::OpenAiStrict && !field.required,
                ..ShapeSchema::root(&field.shape, self.author, self.flavor)
            };
            map.serialize_entry(field.name, &schema)?;
        }
        map.end()
    }
}
