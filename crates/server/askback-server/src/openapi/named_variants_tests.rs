//! Variants get names and discriminators, also those that are flattened into a struct, and nothing else changes.

use askback_wire::problem::ProblemResponse;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::super::Schemas as Collected;
use super::{Schemas, name_variants, retain_referred};

/// A figure. Its name is sorted before that of the type that it is flattened into.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
enum Figure {
    /// A circle.
    Circle { radius: f64 },
    /// A line.
    StraightLine,
    /// What a newer version sends.
    Unknown,
}

/// A figure at a place.
#[derive(Serialize, ToSchema)]
struct Placed {
    at: u8,
    #[serde(flatten)]
    figure: Figure,
}

/// One or the other, without a tag.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum Either {
    Text(String),
    Number(u8),
}

fn schemas_of<T: ToSchema>() -> Schemas {
    let mut schemas = Collected::default();
    schemas.add::<T>();
    schemas.into_map()
}

fn json_of(schemas: &Schemas) -> Value {
    serde_json::to_value(schemas).unwrap()
}

fn reference(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

#[test]
fn flattened_variants_have_names_and_all_fields() {
    let mut schemas = schemas_of::<Placed>();
    name_variants(&mut schemas);
    retain_referred(&mut schemas, &json!({"$ref": reference("Placed")}));
    let (circle, line) = (reference("CirclePlaced"), reference("StraightLinePlaced"));
    let at = json!({"type": "integer", "format": "int32", "minimum": 0});
    assert_eq!(
        json_of(&schemas),
        json!({
            "Placed": {
                "description": "A figure at a place.",
                "oneOf": [{"$ref": circle}, {"$ref": line}],
                "discriminator": {
                    "propertyName": "type",
                    "mapping": {"circle": circle, "straight_line": line},
                },
            },
            "CirclePlaced": {
                "type": "object",
                "description": "A circle.",
                "required": ["at", "radius", "type"],
                "properties": {
                    "type": {"type": "string", "const": "circle"},
                    "radius": {"type": "number", "format": "double"},
                    "at": at,
                },
            },
            "StraightLinePlaced": {
                "type": "object",
                "description": "A line.",
                "required": ["at", "type"],
                "properties": {"type": {"type": "string", "const": "straight_line"}, "at": at},
            },
        })
    );
}

#[test]
fn types_without_a_tag_stay_as_they_are() {
    let mut schemas = schemas_of::<Either>();
    let before = json_of(&schemas);
    name_variants(&mut schemas);
    assert_eq!(json_of(&schemas), before);
}

#[test]
fn only_what_the_document_leads_to_is_kept() {
    let mut schemas = schemas_of::<ProblemResponse>();
    schemas.extend(schemas_of::<Figure>());
    let without_figure = schemas_of::<ProblemResponse>().into_keys();
    let document = json!([{"schema": {"$ref": reference("ProblemResponse")}}]);
    retain_referred(&mut schemas, &document);
    assert_eq!(
        schemas.into_keys().collect::<Vec<_>>(),
        without_figure.collect::<Vec<_>>()
    );
}
