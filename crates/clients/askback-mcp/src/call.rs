//! One call of a tool: its arguments, the wait for an outcome, and its result.

pub(crate) mod arguments;
pub(crate) mod ask_limit;
pub(crate) mod executor;
pub(crate) mod poll;
pub(crate) mod retry;
pub(crate) mod tool_result;
