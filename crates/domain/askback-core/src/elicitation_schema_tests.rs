//! A form's schema is written as MCP and ACP define it, and read in every spelling that servers use.

use serde_json::{Value, json};

use super::*;

/// Every type of field, as the 2026-07-28 revision writes it.
fn every_type() -> Value {
    json!({
        "type": "object",
        "properties": {
            "a_text": {"type": "string", "title": "Name", "description": "Yours", "minLength": 2,
                       "maxLength": 50, "default": "Ada"},
            "b_mail": {"type": "string", "format": "email"},
            "c_site": {"type": "string", "format": "uri"},
            "d_day": {"type": "string", "format": "date"},
            "e_time": {"type": "string", "format": "date-time"},
            "f_number": {"type": "number", "minimum": -1.5, "maximum": 20},
            "g_integer": {"type": "integer", "minimum": 0, "default": 3},
            "h_flag": {"type": "boolean", "default": true},
            "i_one": {"type": "string", "oneOf": [{"const": "r", "title": "Red"},
                      {"const": "g", "title": "Green", "description": "Like grass"}]},
            "j_several": {"type": "array", "minItems": 1, "maxItems": 2,
                          "items": {"anyOf": [{"const": "r", "title": "Red"}]}},
        },
        "required": ["a_text", "i_one"],
    })
}

#[test]
fn schema_survives_reading_and_writing() {
    let schema = FormSchema::from_json(&every_type()).unwrap();
    assert_eq!(schema.to_json(), every_type());
    let required = schema.fields.iter().filter(|field| field.required);
    let required: Vec<&str> = required.map(|field| field.key.as_str()).collect();
    assert_eq!(required, ["a_text", "i_one"]);
}

#[test]
fn plain_and_older_lists_of_options_are_read() {
    let schema = json!({"type": "object", "properties": {
        "named": {"type": "string", "enum": ["r", "g"], "enumNames": ["Red", "Green"]},
        "plain": {"enum": ["r"]},
        "several": {"type": "array", "items": {"type": "string", "enum": ["r"]}},
    }});
    let schema = FormSchema::from_json(&schema).unwrap();
    let option = |value: &str, title: Option<&str>| FormOption {
        value: value.to_owned(),
        title: title.map(str::to_owned),
        description: None,
    };
    let kinds: Vec<FieldKind> = schema.fields.into_iter().map(|field| field.kind).collect();
    assert_eq!(
        kinds,
        [
            FieldKind::OneOf(vec![option("r", Some("Red")), option("g", Some("Green"))]),
            FieldKind::OneOf(vec![option("r", None)]),
            FieldKind::SeveralOf {
                options: vec![option("r", None)],
                min_items: None,
                max_items: None,
            },
        ]
    );
}

#[test]
fn what_no_form_can_have_is_named() {
    let nested = json!({"type": "object", "properties": {"where": {"type": "object"}}});
    assert_eq!(
        FormSchema::from_json(&nested),
        Err(FormSchemaError::UnknownType("where".to_owned()))
    );
    assert_eq!(
        FormSchema::from_json(&json!({"type": "string"})),
        Err(FormSchemaError::NotAnObject)
    );
}

#[test]
fn fields_can_be_put_in_the_order_of_their_server() {
    let mut schema = FormSchema::from_json(&every_type()).unwrap();
    let order = ["j_several".to_owned(), "a_text".to_owned()];
    schema.sort_by_key_order(&order);
    let keys: Vec<&str> = schema
        .fields
        .iter()
        .map(|field| field.key.as_str())
        .collect();
    assert_eq!(keys[..3], ["j_several", "a_text", "b_mail"]);
}
