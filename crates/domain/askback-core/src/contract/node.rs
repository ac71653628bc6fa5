//! A tool input that was read along its shape.

use crate::number::Number;
use crate::text::Text;

/// A value of a tool input that fits its shape.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    Text(Text),
    RawString(String),
    Bool(bool),
    Enum(&'static str),
    Number(Number),
    /// Items with their places in the input, where empty ones may have stood between them.
    List(Vec<(usize, Node)>),
    Object(Object),
}

/// The fields of an object that fit their shapes. With a field missing that is required, a problem
/// has been noted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Object(pub(super) Vec<(&'static str, Node)>);

/// Methods that take a field if it is of a type.
macro_rules! take_of_type {
    ($($method:ident: $variant:ident($type:ty)),+ $(,)?) => { $(
        pub(crate) fn $method(&mut self, name: &str) -> Option<$type> {
            if let Node::$variant(value) = self.take(name)? {
                Some(value)
            } else {
                None
            }
        }
    )+ };
}

impl Object {
    fn take(&mut self, name: &str) -> Option<Node> {
        let at = self.0.iter().position(|(field, _)| *field == name)?;
        Some(self.0.swap_remove(at).1)
    }

    /// The names of the fields that were not taken yet.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(name, _)| *name)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn node(&mut self, name: &str) -> Option<Node> {
        self.take(name)
    }

    take_of_type! {
        text: Text(Text),
        raw_string: RawString(String),
        bool: Bool(bool),
        enum_value: Enum(&'static str),
        number: Number(Number),
        object: Object(Object),
    }

    pub(crate) fn objects(&mut self, name: &str) -> Vec<Object> {
        let placed = self.indexed_objects(name).into_iter();
        placed.map(|(_, object)| object).collect()
    }

    /// The objects of a list, each with its place in the input.
    pub(crate) fn indexed_objects(&mut self, name: &str) -> Vec<(usize, Object)> {
        let Some(Node::List(items)) = self.take(name) else {
            return Vec::new();
        };
        items
            .into_iter()
            .map(|(place, item)| {
                if let Node::Object(object) = item {
                    (place, object)
                } else {
                    (place, Object::default())
                }
            })
            .collect()
    }
}
