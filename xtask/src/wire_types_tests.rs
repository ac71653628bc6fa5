//! Small descriptions and the types that they must become.

use super::declarations;

fn types(schemas: &str) -> String {
    let openapi = format!(r#"{{"components": {{"schemas": {schemas}}}}}"#);
    let text = declarations(&openapi).expect("a description");
    let (_, types) = text.split_once("\n\n").expect("a head");
    types.to_owned()
}

#[test]
fn fields_are_required_optional_or_null_as_the_schema_says() {
    let made = types(
        r##"{"ThingResponse": {"type": "object", "description": "A thing.", "required": ["id"],
        "properties": {
            "id": {"type": "string", "description": "Its id.\nNever empty."},
            "size": {"type": ["integer", "null"]},
            "tags": {"type": "array", "items": {"$ref": "#/components/schemas/TagResponse"}},
            "by": {"oneOf": [{"$ref": "#/components/schemas/TagResponse", "description": "Who."}, {"type": "null"}]},
            "more": {"type": "object", "additionalProperties": {"type": "boolean"}},
            "any": {}
        }}}"##,
    );
    assert_eq!(
        made,
        "/** A thing. */\nexport type Thing = {\n  any?: unknown;\n  /** Who. */\n  by?: Tag | null;\n  \
         /**\n   * Its id.\n   * Never empty.\n   */\n  id: string;\n  more?: Record<string, boolean>;\n  \
         size?: number | null;\n  tags?: Array<Tag>;\n};\n"
    );
}

#[test]
fn forms_name_the_fields_that_they_do_not_have() {
    let made = types(
        r##"{"Kind": {"oneOf": [
            {"type": "object", "required": ["kind", "of"], "properties": {"kind": {"type": "string", "const": "a"}, "of": {"type": "number"}}},
            {"$ref": "#/components/schemas/Rules"}
        ]}, "Rules": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string", "const": "b"}, "min": {"type": "string"}}},
        "Span": {"oneOf": [{"type": "string"}, {"type": "number"}]},
        "Open": {"type": "string", "examples": ["one", "two"]},
        "Word": {"type": "string", "enum": ["one", "two"]}}"##,
    );
    assert_eq!(
        made,
        "export type Kind = ({\n  kind: \"a\";\n  of: number;\n} & { min?: undefined }) | \
         (Rules & { of?: undefined });\n\n\
         export type Open = \"one\" | \"two\";\n\n\
         export type Rules = {\n  kind: \"b\";\n  min?: string;\n};\n\n\
         export type Span = string | number;\n\n\
         export type Word = \"one\" | \"two\";\n"
    );
}

#[test]
fn a_comment_cannot_be_left() {
    let made = types(r#"{"X": {"type": "string", "description": "ends */ here"}}"#);
    assert_eq!(made.matches("*/").count(), 1);
}

#[test]
fn what_is_no_description_is_refused() {
    assert!(declarations("{}").is_err());
    assert!(declarations("[").is_err());
}
