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

    pub(crate) fn text(&mut self, name: &str) -> Option<Text> {
        if let Node::Text(text) = self.take(name)? {
            Some(text)
        } else {
            None
        }
    }

    pub(crate) fn raw_string(&mut self, name: &str) -> Option<String> {
        if let Node::RawString(text) = self.take(name)? {
            Some(text)
        } else {
            None
        }
    }

    pub(crate) fn bool(&mut self, name: &str) -> Option<bool> {
        if let Node::Bool(flag) = self.take(name)? {
            Some(flag)
        } else {
            None
        }
    }

    pub(crate) fn enum_value(&mut self, name: &str) -> Option<&'static str> {
        if let Node::Enum(word) = self.take(name)? {
            Some(word)
        } else {
            None
        }
    }

    pub(crate) fn node(&mut self, name: &str) -> Option<Node> {
        self.take(name)
    }

    pub(crate) fn number(&mut self, name: &str) -> Option<Number> {
        if let Node::Number(number) = self.take(name)? {
            Some(number)
        } else {
            None
        }
    }

    pub(crate) fn object(&mut self, name: &str) -> Option<Object> {
        if let Node::Object(object) = self.take(name)? {
            Some(object)
        } else {
            None
        }
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
