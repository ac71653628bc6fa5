//! Fakes of providers for tests: they speak the wire, record what arrives, and fail as told.

pub(crate) mod handler;
pub(crate) mod http;
pub(crate) mod slack;
pub(crate) mod smtp;
