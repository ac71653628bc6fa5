//! Attributes for types that are written as JSON.

use proc_macro::TokenStream;
use quote::ToTokens as _;
use syn::{Attribute, Data, DeriveInput, Field, Type, parse_macro_input, parse_quote};

/// Optional fields are left out of the JSON if they are empty, and empty if they are missing in it, unless they say
/// otherwise. Stands before the derives, which then see the attributes that it writes.
#[proc_macro_attribute]
pub fn skip_none(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut item = parse_macro_input!(item as DeriveInput);
    let fields: Vec<&mut Field> = match &mut item.data {
        Data::Struct(data) => data.fields.iter_mut().collect(),
        Data::Enum(data) => {
            let variants = data.variants.iter_mut();
            variants
                .flat_map(|variant| variant.fields.iter_mut())
                .collect()
        }
        Data::Union(_) => Vec::new(),
    };
    let optional = fields.into_iter().filter(|field| is_option(&field.ty));
    for field in optional.filter(|field| !field.attrs.iter().any(says_when)) {
        field.attrs.push(parse_quote! {
            #[serde(default, skip_serializing_if = "Option::is_none")]
        });
    }
    item.into_token_stream().into()
}

fn is_option(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Option"))
}

/// Whether an attribute says when the field is left out.
fn says_when(attribute: &Attribute) -> bool {
    let text = attribute.to_token_stream().to_string();
    text.contains("skip_serializing_if")
}
