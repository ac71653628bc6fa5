//! Deserialises structs from JSON objects with known fields only, and remembers at which field it failed.
//!
//! Derived `Deserialize` implementations also accept a list for a struct, field by field: `[]` would be a
//! body without any field, and `["a", "b"]` one with two unnamed fields. They ignore unknown fields, so that a
//! misspelt name is a request without it, and of two entries with one name in an object of any form, the last one counts. This wraps a deserializer and every deserializer that it passes to nested
//! values.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use serde_json::Value;

use crate::request_key::KEY_FIELD;

/// What is known about the fields of one body.
#[derive(Debug, Default)]
pub(crate) struct FieldCheck {
    unknown: UnknownFields,
    /// The header `Idempotency-Key`: the field of the same name, if the body has such a field.
    key: Option<String>,
    failure: RefCell<FieldFailure>,
}

/// What to do with a field that a struct does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum UnknownFields {
    #[default]
    Refuse,
    /// Somebody else has defined the form of the body.
    Ignore,
}

/// Where reading a body failed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct FieldFailure {
    /// The names from the body down to the field.
    pub(crate) path: Vec<String>,
    pub(crate) reason: FieldReason,
}

/// Why reading failed at a field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum FieldReason {
    /// The value is not of the documented form.
    #[default]
    Invalid,
    /// There is no such field, but there are these.
    Unknown(&'static [&'static str]),
    /// The object has it twice. Which of the two is meant, nobody can tell.
    Repeated,
    /// The header names another key.
    OtherKey,
    /// There is a header with a key, but these fields have none.
    KeyNotTaken(&'static [&'static str]),
}

impl FieldCheck {
    pub(crate) fn new(unknown: UnknownFields, key: Option<String>) -> FieldCheck {
        FieldCheck {
            unknown,
            key,
            failure: RefCell::default(),
        }
    }

    /// After an error: where it happened.
    pub(crate) fn into_failure(self) -> FieldFailure {
        self.failure.into_inner()
    }

    fn enter(&self, field: &str) {
        self.failure.borrow_mut().path.push(field.to_owned());
    }

    /// Enters a field that an object may have once.
    fn enter_once<E: serde::de::Error>(
        &self,
        field: &str,
        seen: &mut HashSet<String>,
    ) -> Result<(), E> {
        self.enter(field);
        let is_new = seen.insert(field.to_owned());
        if is_new || self.unknown == UnknownFields::Ignore {
            return Ok(());
        }
        Err(self.fail(FieldReason::Repeated))
    }

    fn leave(&self) {
        self.failure.borrow_mut().path.pop();
    }

    fn fail<E: serde::de::Error>(&self, reason: FieldReason) -> E {
        self.failure.borrow_mut().reason = reason;
        E::custom("refused")
    }

    fn is_outermost(&self) -> bool {
        self.failure.borrow().path.is_empty()
    }
}

/// A deserializer, an access or a seed within which structs are objects with known fields.
pub(crate) struct ObjectsOnly<'c, T>(pub(crate) T, pub(crate) &'c FieldCheck);

/// The visitor that [`ObjectsOnly`] passes on.
struct NestedVisitor<'c, V> {
    visitor: V,
    /// The fields of the struct that it expects; none if it expects anything else.
    fields: Option<&'static [&'static str]>,
    check: &'c FieldCheck,
}

/// The fields of a struct, or the entries of a map or of an object of any form.
struct Fields<'c, A> {
    inner: A,
    seen: HashSet<String>,
    /// None for entries.
    known: Option<&'static [&'static str]>,
    check: &'c FieldCheck,
    /// The key of the header, until it was used.
    key: Option<&'c str>,
    /// Whether the field that was returned last is the key of the header.
    is_from_header: bool,
    /// Whether the field that was returned last is the key of the body.
    is_key: bool,
}

/// Forwards calls of a deserializer with the visitor wrapped.
macro_rules! forward {
    ($($method:ident($($name:ident: $kind:ty),*);)*) => {
        $(fn $method<V: Visitor<'de>>(self, $($name: $kind,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method($($name,)* NestedVisitor { visitor, fields: None, check: self.1 })
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for ObjectsOnly<'_, D> {
    type Error = D::Error;

    forward! {
        deserialize_any(); deserialize_bool(); deserialize_i8(); deserialize_i16();
        deserialize_i32(); deserialize_i64(); deserialize_i128(); deserialize_u8();
        deserialize_u16(); deserialize_u32(); deserialize_u64(); deserialize_u128();
        deserialize_f32(); deserialize_f64(); deserialize_char(); deserialize_str();
        deserialize_string(); deserialize_bytes(); deserialize_byte_buf(); deserialize_option();
        deserialize_unit(); deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str); deserialize_seq();
        deserialize_tuple(len: usize); deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_map();
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier(); deserialize_ignored_any();
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = NestedVisitor {
            visitor,
            fields: Some(fields),
            check: self.1,
        };
        self.0.deserialize_struct(name, fields, visitor)
    }
}

/// Forwards plain values to the visitor.
macro_rules! visit {
    ($($method:ident: $kind:ty;)*) => {
        $(fn $method<E: serde::de::Error>(self, value: $kind) -> Result<V::Value, E> {
            self.visitor.$method(value)
        })*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for NestedVisitor<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fields {
            Some(_) => f.write_str("an object"),
            None => self.visitor.expecting(f),
        }
    }

    visit! {
        visit_bool: bool; visit_i64: i64; visit_i128: i128; visit_u64: u64; visit_u128: u128;
        visit_f64: f64; visit_str: &str; visit_borrowed_str: &'de str; visit_string: String;
        visit_bytes: &[u8]; visit_borrowed_bytes: &'de [u8]; visit_byte_buf: Vec<u8>;
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_some(ObjectsOnly(inner, self.check))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.visitor
            .visit_newtype_struct(ObjectsOnly(inner, self.check))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        if self.fields.is_some() {
            return Err(serde::de::Error::invalid_type(
                serde::de::Unexpected::Seq,
                &self,
            ));
        }
        self.visitor.visit_seq(ObjectsOnly(items, self.check))
    }

    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        let known = self.fields;
        let has_key = known.is_some_and(|known| known.contains(&KEY_FIELD));
        let key = self.check.key.as_deref();
        let key = key.filter(|_| known.is_some() && self.check.is_outermost());
        if let (Some(known), Some(_)) = (known, key)
            && !has_key
            && self.check.unknown == UnknownFields::Refuse
        {
            return Err(self.check.fail(FieldReason::KeyNotTaken(known)));
        }
        self.visitor.visit_map(Fields {
            inner,
            seen: HashSet::new(),
            known,
            check: self.check,
            key: key.filter(|_| has_key),
            is_from_header: false,
            is_key: false,
        })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_enum(ObjectsOnly(variant, self.check))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for ObjectsOnly<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(ObjectsOnly(inner, self.1))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for ObjectsOnly<'_, A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, A::Error> {
        self.0.next_element_seed(ObjectsOnly(seed, self.1))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Fields<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let name = match self.inner.next_key::<String>()? {
            Some(name) => name,
            None if self.key.is_some() => {
                self.is_from_header = true;
                KEY_FIELD.to_owned()
            }
            None => return Ok(None),
        };
        self.check.enter_once::<A::Error>(&name, &mut self.seen)?;
        if let Some(known) = self.known
            && !known.contains(&name.as_str())
            && self.check.unknown == UnknownFields::Refuse
        {
            return Err(self.check.fail(FieldReason::Unknown(known)));
        }
        self.is_key = name == KEY_FIELD;
        let name = StrDeserializer::<A::Error>::new(&name);
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        let header = self.key.filter(|_| self.is_key);
        let value = match header {
            None => {
                let seed = ObjectsOnly(seed, self.check);
                self.inner.next_value_seed(seed)?
            }
            Some(header) => {
                self.key = None;
                let sent: Value = if self.is_from_header {
                    Value::Null
                } else {
                    self.inner.next_value()?
                };
                if !sent.is_null() && sent != header {
                    return Err(self.check.fail(FieldReason::OtherKey));
                }
                let key = Value::String(header.to_owned());
                seed.deserialize(key).map_err(A::Error::custom)?
            }
        };
        self.check.leave();
        Ok(value)
    }
}

impl<'de, 'c, A: EnumAccess<'de>> EnumAccess<'de> for ObjectsOnly<'c, A> {
    type Error = A::Error;
    type Variant = ObjectsOnly<'c, A::Variant>;

    fn variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Self::Variant), A::Error> {
        let (value, variant) = self.0.variant_seed(seed)?;
        Ok((value, ObjectsOnly(variant, self.1)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for ObjectsOnly<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        self.0.newtype_variant_seed(ObjectsOnly(seed, self.1))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = NestedVisitor {
            visitor,
            fields: None,
            check: self.1,
        };
        self.0.tuple_variant(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = NestedVisitor {
            visitor,
            fields: Some(fields),
            check: self.1,
        };
        self.0.struct_variant(fields, visitor)
    }
}

#[cfg(test)]
#[path = "objects_only_tests.rs"]
mod tests;
