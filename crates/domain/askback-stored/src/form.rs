//! How a value of the core becomes its stored form, and the value again.
//!
//! A form is a type of its own, so that nothing of the core is stored by accident. Where it has the same fields, [`forms!`]
//! writes both ways: a field that is new in the core does not compile until the form has it, too.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

use crate::Unreadable;

/// A stored form of `T`.
pub trait Form<'a, T>: Sized {
    /// The form of a value.
    fn store(value: &'a T) -> Self;

    /// The value again.
    fn restore(self) -> Result<T, Unreadable>;
}

/// Types that are stored as they are.
macro_rules! stored_as_they_are {
    ($($type:ty),+ $(,)?) => { $(
        impl Form<'_, $type> for $type {
            fn store(value: &$type) -> $type {
                value.clone()
            }

            fn restore(self) -> Result<$type, Unreadable> {
                Ok(self)
            }
        }
    )+ };
}

stored_as_they_are! {
    askback_core::id::CallId,
    askback_core::id::ConversationId,
    askback_core::id::InquiryId,
    askback_core::id::MessageId,
    askback_core::text::Text,
    VecDeque<askback_core::id::MessageId>,
    bool,
    i64,
    jiff::Timestamp,
    String,
    u32,
    u64,
}

impl<'a, T: Clone> Form<'a, T> for Cow<'a, T> {
    fn store(value: &'a T) -> Cow<'a, T> {
        Cow::Borrowed(value)
    }

    fn restore(self) -> Result<T, Unreadable> {
        Ok(self.into_owned())
    }
}

impl<'a> Form<'a, String> for Cow<'a, str> {
    fn store(value: &'a String) -> Cow<'a, str> {
        Cow::Borrowed(value)
    }

    fn restore(self) -> Result<String, Unreadable> {
        Ok(self.into_owned())
    }
}

impl<'a, T: 'a, F: Form<'a, T>> Form<'a, Option<T>> for Option<F> {
    fn store(value: &'a Option<T>) -> Option<F> {
        value.as_ref().map(F::store)
    }

    fn restore(self) -> Result<Option<T>, Unreadable> {
        self.map(F::restore).transpose()
    }
}

impl<'a, T: 'a, F: Form<'a, T>> Form<'a, Vec<T>> for Vec<F> {
    fn store(value: &'a Vec<T>) -> Vec<F> {
        value.iter().map(F::store).collect()
    }

    fn restore(self) -> Result<Vec<T>, Unreadable> {
        self.into_iter().map(F::restore).collect()
    }
}

impl<'a, K, V, FormK, FormV> Form<'a, BTreeMap<K, V>> for BTreeMap<FormK, FormV>
where
    FormK: Form<'a, K> + Ord,
    FormV: Form<'a, V>,
    K: Ord + 'a,
    V: 'a,
{
    fn store(value: &'a BTreeMap<K, V>) -> BTreeMap<FormK, FormV> {
        let members = value.iter();
        members
            .map(|(key, value)| (FormK::store(key), FormV::store(value)))
            .collect()
    }

    fn restore(self) -> Result<BTreeMap<K, V>, Unreadable> {
        let members = self.into_iter();
        let members = members.map(|(key, value)| Ok((key.restore()?, value.restore()?)));
        members.collect()
    }
}

/// Forms with the fields of their values, and enums also with the variants.
macro_rules! forms {
    () => {};
    (struct $form:ident $(<$life:lifetime>)? = $value:ident { $($field:ident),* $(,)? } $($rest:tt)*) => {
        impl<'a> $crate::form::Form<'a, $value> for $form $(<$life>)? {
            fn store(value: &'a $value) -> Self {
                $form { $($field: $crate::form::Form::store(&value.$field)),* }
            }

            fn restore(self) -> Result<$value, $crate::Unreadable> {
                Ok($value { $($field: $crate::form::Form::restore(self.$field)?),* })
            }
        }
        $crate::form::forms! { $($rest)* }
    };
    (enum $form:ident $(<$life:lifetime>)? = $value:ident $variants:tt $($rest:tt)*) => {
        impl<'a> $crate::form::Form<'a, $value> for $form $(<$life>)? {
            fn store(value: &'a $value) -> Self {
                $crate::form::store_variant!(value, $value => $form $variants {})
            }

            fn restore(self) -> Result<$value, $crate::Unreadable> {
                Ok($crate::form::restore_variant!(self, $form => $value $variants {}))
            }
        }
        $crate::form::forms! { $($rest)* }
    };
}
pub(crate) use forms;

/// The form of an enum: variants with the same fields, and arms for the others.
macro_rules! store_variant {
    ($subject:expr, $value:ident => $form:ident {
        $($variant:ident { $($field:ident),* }),* $(,)?
    } { $($others:tt)* }) => {
        match $subject {
            $($value::$variant { $($field),* } => $form::$variant {
                $($field: $crate::form::Form::store($field)),*
            },)*
            $($others)*
        }
    };
}
pub(crate) use store_variant;

/// The other way round, in a function that returns a `Result`.
macro_rules! restore_variant {
    ($subject:expr, $form:ident => $value:ident {
        $($variant:ident { $($field:ident),* }),* $(,)?
    } { $($others:tt)* }) => {
        match $subject {
            $($form::$variant { $($field),* } => $value::$variant {
                $($field: $crate::form::Form::restore($field)?),*
            },)*
            $($others)*
        }
    };
}
pub(crate) use restore_variant;
