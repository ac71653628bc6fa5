//! Chat completions, as `OpenAI` began them and most other servers speak them.

mod message;
mod reasoning;
mod request;
mod stream;

pub(super) use message::read;
pub(super) use reasoning::mark;
pub(super) use request::body;
pub(super) use stream::Reader;
