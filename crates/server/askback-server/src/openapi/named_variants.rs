//! Gives each variant of a type a name, so that generators of clients make a class of it.
//!
//! serde flattens an enum into the struct around it, which utoipa describes as `allOf` over a `oneOf` of variants without
//! names. Generators drop such types or number their classes. Here each variant becomes a schema of its own with all of its
//! fields, and the type a `oneOf` of references with a `discriminator`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::schema::{
    AllOf, Discriminator, Object, OneOf, OneOfBuilder, Schema, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr};

type Schemas = BTreeMap<String, RefOr<Schema>>;

/// The tag of what an older client does not know. Servers never send it.
const UNKNOWN: &str = "unknown";

/// What a schema describes, with all of its fields in one place.
enum Form {
    Object(Box<Object>),
    Variants(Variants),
}

/// Objects that differ in the value of one field.
struct Variants {
    /// The name of the field.
    tag: String,
    /// The objects by value of the field, in the order of the type.
    objects: Vec<(String, Object)>,
}

/// Names the variants of all types.
pub(super) fn name_variants(schemas: &mut Schemas) {
    // Forms are looked up as they were, because a named type no longer has the fields of its variants.
    let unnamed = schemas.clone();
    for (name, schema) in &unnamed {
        let description = match schema {
            RefOr::T(Schema::OneOf(it)) => it.description.clone(),
            RefOr::T(Schema::AllOf(it)) => it.description.clone(),
            RefOr::Ref(_) | RefOr::T(_) => continue,
        };
        let schema = match form(schema, &unnamed) {
            Some(Form::Object(mut object)) => {
                object.description = description;
                Schema::Object(*object)
            }
            Some(Form::Variants(variants)) => {
                let mut union = name_each(name, variants, schemas);
                union.description = description;
                Schema::OneOf(union)
            }
            None => continue,
        };
        schemas.insert(name.clone(), RefOr::T(schema));
    }
}

/// Adds a schema for each variant of the type `name`, and returns the type as one of them.
fn name_each(name: &str, variants: Variants, schemas: &mut Schemas) -> OneOf {
    let mut union = OneOfBuilder::new();
    let mut discriminator = Discriminator::new(&variants.tag);
    for (value, mut object) in variants.objects {
        let variant = format!("{}{name}", pascal_case(&value));
        let reference = Ref::from_schema_name(&variant);
        if let Some(RefOr::T(Schema::Object(tag))) = object.properties.get_mut(&variants.tag) {
            tag.enum_values = None;
            tag.extensions = Some(Extensions::from_iter([("const", value.clone())]));
        }
        schemas.insert(variant, RefOr::T(Schema::Object(object)));
        let target = reference.ref_location.clone();
        discriminator.mapping.insert(value, target);
        union = union.item(reference);
    }
    union.discriminator(Some(discriminator)).build()
}

/// `None` for what is neither an object nor one of several that a tag tells apart.
fn form(schema: &RefOr<Schema>, schemas: &Schemas) -> Option<Form> {
    match schema {
        RefOr::Ref(reference) => form(schemas.get(schema_name(&reference.ref_location)?)?, schemas),
        RefOr::T(Schema::Object(object)) if !object.properties.is_empty() => {
            Some(Form::Object(Box::new(object.clone())))
        }
        RefOr::T(Schema::OneOf(one_of)) => variants(one_of, schemas).map(Form::Variants),
        RefOr::T(Schema::AllOf(all_of)) => flatten(all_of, schemas),
        RefOr::T(_) => None,
    }
}

fn variants(one_of: &OneOf, schemas: &Schemas) -> Option<Variants> {
    let objects = one_of.items.iter().map(|item| match form(item, schemas)? {
        Form::Object(object) => Some(*object),
        Form::Variants(_) => None,
    });
    let objects: Vec<Object> = objects.collect::<Option<_>>()?;
    let tag = objects.first()?.properties.keys().find(|name| {
        let values = objects.iter().filter_map(|it| only_value(it, name));
        values.collect::<BTreeSet<_>>().len() == objects.len()
    })?;
    let tag = tag.clone();
    let objects = objects.into_iter().filter_map(|object| {
        let value = only_value(&object, &tag)?.to_owned();
        (value != UNKNOWN).then_some((value, object))
    });
    let objects = objects.collect();
    Some(Variants { tag, objects })
}

/// The only value that a field may have.
fn only_value<'o>(object: &'o Object, name: &str) -> Option<&'o str> {
    let RefOr::T(Schema::Object(field)) = object.properties.get(name)? else {
        return None;
    };
    match field.enum_values.as_deref()? {
        [Value::String(value)] => Some(value),
        _ => None,
    }
}

/// The parts of an `allOf` as one object, or as one for each variant of the part that has several.
fn flatten(all_of: &AllOf, schemas: &Schemas) -> Option<Form> {
    let mut whole = Object::with_type(SchemaType::new(Type::Object));
    let mut variants = None;
    for item in &all_of.items {
        match form(item, schemas)? {
            Form::Object(part) => add_fields(&mut whole, *part),
            Form::Variants(part) => variants = Some(part),
        }
    }
    let Some(mut variants) = variants else {
        return Some(Form::Object(Box::new(whole)));
    };
    for (_, object) in &mut variants.objects {
        add_fields(object, whole.clone());
    }
    Some(Form::Variants(variants))
}

fn add_fields(object: &mut Object, part: Object) {
    object.properties.extend(part.properties);
    object.required.extend(part.required);
    object.required.sort();
    object.required.dedup();
}

/// `date_range` as `DateRange`.
fn pascal_case(word: &str) -> String {
    let parts = word.split('_').map(|part| {
        let mut chars = part.chars();
        let first = chars.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(chars).collect::<String>()
    });
    parts.collect()
}

/// Removes the schemas to which `document` does not lead: those of enums that were only flattened into others.
pub(super) fn retain_referred(schemas: &mut Schemas, document: &impl Serialize) {
    let mut found = BTreeSet::new();
    let mut unread = references(document);
    while let Some(name) = unread.pop() {
        if let Some(schema) = schemas.get(&name)
            && found.insert(name)
        {
            unread.extend(references(schema));
        }
    }
    schemas.retain(|name, _| found.contains(name));
}

/// The names of the schemas to which a part of the document refers.
fn references(part: &impl Serialize) -> Vec<String> {
    let mut found = Vec::new();
    // Serialising these types cannot fail.
    let mut unread = vec![serde_json::to_value(part).unwrap_or_default()];
    while let Some(value) = unread.pop() {
        match value {
            Value::Object(fields) => {
                let reference = fields.get("$ref").and_then(Value::as_str);
                found.extend(reference.and_then(schema_name).map(str::to_owned));
                unread.extend(fields.into_iter().map(|(_, field)| field));
            }
            Value::Array(items) => unread.extend(items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    found
}

/// The name in `#/components/schemas/Name`.
fn schema_name(location: &str) -> Option<&str> {
    location.strip_prefix("#/components/schemas/")
}

#[cfg(test)]
#[path = "named_variants_tests.rs"]
mod tests;
