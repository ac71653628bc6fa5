//! One route of the API: its path, method and handler, and its part of the `OpenAPI` document.
//!
//! What follows from the form of a route is added here: an id in the path can be unknown, a body can
//! be malformed, a token can be missing.

use std::collections::BTreeMap;
use std::sync::Arc;

use askback_wire::event::{
    ErrorEvent, InquiryEvent, MessageEvent, ResetEvent, StateChangeEvent, TokenEvent,
};
use askback_wire::list::ListResponse;
use askback_wire::problem::ProblemCode;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::Method;
use axum::middleware::{Next, from_fn};
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, MethodRouter, on};
use serde_json::Value;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{Object, ObjectBuilder, OneOfBuilder, Schema, Type};
use utoipa::openapi::{Content, ContentBuilder, Ref, RefOr, Required, ResponseBuilder};
use utoipa::{PartialSchema, ToSchema};

use super::handler_inputs::DescribedHandler;
use super::{problem_responses, schema_name};
use crate::extract::{FORM_MEDIA_TYPE, check_query_names};
use crate::request_key::KEY_FIELD;
use crate::routes::AppState;

const JSON: &str = "application/json";

/// Problems of every body.
const BODY_PROBLEMS: &[ProblemCode] = &[
    ProblemCode::TooLarge,
    ProblemCode::UnsupportedMediaType,
    ProblemCode::RequestTimeout,
];

type NamedSchemas = Vec<(String, RefOr<Schema>)>;

/// What makes the schemas of a document. They are made when the document is: a server starts without them.
#[derive(Default)]
pub(super) struct Schemas(Vec<fn(&mut NamedSchemas)>);

impl Schemas {
    /// Adds a type with all types it refers to.
    pub(super) fn add<T: ToSchema>(&mut self) -> Ref {
        self.0.push(|schemas| {
            T::schemas(schemas);
            schemas.push((schema_name::<T>(), T::schema()));
        });
        Ref::from_schema_name(schema_name::<T>())
    }

    /// Adds a page of `T`. Generic types have no name of their own in the document.
    fn add_list<T: ToSchema>(&mut self) -> Ref
    where
        ListResponse<T>: ToSchema,
    {
        self.add::<T>();
        self.0.push(|schemas| {
            ListResponse::<T>::schemas(schemas);
            schemas.push((list_name::<T>(), ListResponse::<T>::schema()));
        });
        Ref::from_schema_name(list_name::<T>())
    }

    pub(super) fn into_map(self) -> BTreeMap<String, RefOr<Schema>> {
        let mut schemas = NamedSchemas::new();
        for add in self.0 {
            add(&mut schemas);
        }
        schemas.into_iter().collect()
    }
}

fn list_name<T: ToSchema>() -> String {
    format!("{}List", schema_name::<T>())
}

pub(crate) struct Route {
    pub(crate) path: &'static str,
    /// Its name in the document.
    pub(crate) operation_id: String,
    handler: MethodRouter<AppState>,
    method: HttpMethod,
    operation: OperationBuilder,
    schemas: Schemas,
    body: Option<(&'static str, ContentBuilder, Required)>,
    problems: Vec<ProblemCode>,
    is_public: bool,
    /// The parameters of its query.
    query: Vec<String>,
}

macro_rules! constructors {
    ($($name:ident: $method:ident, $filter:ident;)*) => {$(
        pub(crate) fn $name<H, T>(path: &'static str, operation_id: &str, handler: H) -> Route
        where
            H: Handler<T, AppState> + DescribedHandler<T>,
            T: 'static,
        {
            let handler = on(MethodFilter::$filter, handler);
            H::describe(Route::new(path, HttpMethod::$method, operation_id, handler))
        }
    )*};
}

impl Route {
    constructors! {
        get: Get, GET;
        post: Post, POST;
        put: Put, PUT;
        delete: Delete, DELETE;
    }

    fn new(
        path: &'static str,
        method: HttpMethod,
        operation_id: &str,
        handler: MethodRouter<AppState>,
    ) -> Route {
        Route {
            path,
            operation_id: operation_id.to_owned(),
            handler,
            method,
            operation: OperationBuilder::new()
                .operation_id(Some(operation_id))
                .tag(super::tag(path)),
            schemas: Schemas::default(),
            body: None,
            problems: vec![
                ProblemCode::ForbiddenHost,
                ProblemCode::ForbiddenOrigin,
                ProblemCode::MethodNotAllowed,
            ],
            is_public: false,
            query: Vec::new(),
        }
    }

    pub(crate) fn summary(mut self, text: &str) -> Route {
        self.operation = self.operation.summary(Some(text));
        self
    }

    pub(crate) fn description(mut self, text: &str) -> Route {
        self.operation = self.operation.description(Some(text));
        self
    }

    /// The handler, which refuses parameters that the document does not have. Probes of others may add theirs.
    pub(crate) fn into_handler(self) -> MethodRouter<AppState> {
        if self.is_public {
            return self.handler;
        }
        let known: Arc<[String]> = self.query.into();
        self.handler
            .route_layer(from_fn(move |request: Request, next: Next| {
                let known = Arc::clone(&known);
                async move {
                    match check_query_names(request.uri().query(), &known) {
                        Ok(()) => next.run(request).await,
                        Err(refused) => refused.into_response(),
                    }
                }
            }))
    }

    pub(crate) fn method(&self) -> Method {
        match self.method {
            HttpMethod::Get => Method::GET,
            HttpMethod::Post => Method::POST,
            HttpMethod::Put => Method::PUT,
            HttpMethod::Delete => Method::DELETE,
            HttpMethod::Options => Method::OPTIONS,
            HttpMethod::Head => Method::HEAD,
            HttpMethod::Patch => Method::PATCH,
            HttpMethod::Trace => Method::TRACE,
        }
    }

    #[cfg(test)]
    pub(crate) fn is_public(&self) -> bool {
        self.is_public
    }

    /// The route needs no token.
    pub(crate) fn public(mut self) -> Route {
        self.is_public = true;
        self
    }

    pub(super) fn parameter(mut self, parameter: Parameter) -> Route {
        if parameter.parameter_in == ParameterIn::Query {
            self.query.push(parameter.name.clone());
        }
        self.operation = self.operation.parameter(parameter);
        self
    }

    /// Adds an optional header.
    pub(super) fn header(self, name: &str, description: &str, schema: ObjectBuilder) -> Route {
        let header = ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some(description))
            .schema(Some(schema));
        self.parameter(header.build())
    }

    /// A JSON body. Its key can also be sent as a header.
    pub(super) fn body<T: ToSchema>(mut self, required: Required) -> Route {
        let content = ContentBuilder::new().schema(Some(self.schemas.add::<T>()));
        self.body = Some((JSON, content, required));
        let route = self
            .problems(&[ProblemCode::InvalidJson])
            .problems(BODY_PROBLEMS);
        if !has_property(&T::schema(), KEY_FIELD) {
            return route;
        }
        let description = "The same as the field `key`. If both are there, they must not differ.";
        let key = ObjectBuilder::new().schema_type(Type::String);
        route.header("idempotency-key", description, key)
    }

    /// The fields of an HTML form.
    pub(super) fn form<T: ToSchema>(mut self) -> Route {
        let content = ContentBuilder::new().schema(Some(self.schemas.add::<T>()));
        self.body = Some((FORM_MEDIA_TYPE, content, Required::True));
        self.problems(&[ProblemCode::InvalidInput])
            .problems(BODY_PROBLEMS)
    }

    /// An example of the request body.
    pub(crate) fn example(mut self, example: Value) -> Route {
        let body = self.body.take();
        self.body =
            body.map(|(kind, content, required)| (kind, content.example(Some(example)), required));
        self
    }

    pub(crate) fn returns<T: ToSchema>(mut self, status: u16, description: &str) -> Route {
        let schema = self.schemas.add::<T>();
        self.response(status, json_response(description, schema))
    }

    /// Returns one page of a list.
    pub(crate) fn returns_list<T: ToSchema>(mut self, description: &str) -> Route
    where
        ListResponse<T>: ToSchema,
    {
        let schema = self.schemas.add_list::<T>();
        self.response(200, json_response(description, schema))
    }

    /// Returns 201 with a `Location` header.
    pub(crate) fn creates<T: ToSchema>(mut self, description: &str) -> Route {
        let response = json_response(description, self.schemas.add::<T>());
        self.response(201, at_location(response, "The path of what was created."))
    }

    /// Returns content without a schema: text of this media type, or any JSON object.
    pub(crate) fn returns_untyped(self, media_type: &str, description: &str) -> Route {
        let is_json = media_type == JSON;
        let schema = Object::with_type(if is_json { Type::Object } else { Type::String });
        let response = ResponseBuilder::new().description(description);
        self.response(
            200,
            response.content(media_type, Content::new(Some(schema))),
        )
    }

    /// Returns a stream of these events.
    pub(crate) fn returns_events(mut self, description: &str) -> Route {
        let schemas = &mut self.schemas;
        let events = [
            schemas.add::<StateChangeEvent>(),
            schemas.add::<MessageEvent>(),
            schemas.add::<InquiryEvent>(),
            schemas.add::<TokenEvent>(),
            schemas.add::<ResetEvent>(),
            schemas.add::<ErrorEvent>(),
        ];
        let data = events
            .into_iter()
            .fold(OneOfBuilder::new(), OneOfBuilder::item);
        let response = ResponseBuilder::new().description(description);
        let content = Content::new(Some(data));
        self.response(200, response.content("text/event-stream", content))
    }

    /// Returns 204.
    pub(crate) fn returns_nothing(self, description: &str) -> Route {
        self.response(204, ResponseBuilder::new().description(description))
    }

    /// Returns 303 with a `Location` header.
    pub(crate) fn redirects(self, description: &str) -> Route {
        let response = ResponseBuilder::new().description(description);
        self.response(303, at_location(response, "The page to open."))
    }

    fn response(mut self, status: u16, response: ResponseBuilder) -> Route {
        self.operation = self.operation.response(status.to_string(), response);
        self
    }

    /// Problems with which the route may respond, besides those that follow from its form.
    pub(crate) fn problems(mut self, codes: &[ProblemCode]) -> Route {
        self.problems.extend(codes);
        self
    }

    pub(crate) fn reads_store(self) -> Route {
        self.problems(&[ProblemCode::StoreUnavailable, ProblemCode::Internal])
    }

    pub(crate) fn writes_store(self) -> Route {
        self.reads_store().problems(&[
            ProblemCode::Conflict,
            ProblemCode::CommitUnknown,
            ProblemCode::Closing,
        ])
    }

    /// Adds the schemas of the route to those of the document, and returns the rest.
    pub(super) fn into_operation(mut self, schemas: &mut Schemas) -> (HttpMethod, Operation) {
        schemas.0.append(&mut self.schemas.0);
        let mut operation = self.operation;
        if let Some((kind, content, required)) = self.body {
            let body = RequestBodyBuilder::new().content(kind, content);
            operation = operation.request_body(Some(body.required(Some(required)).build()));
        }
        if self.is_public {
            operation = operation.securities(Some([]));
        } else {
            self.problems.push(ProblemCode::Unauthorized);
            self.problems.push(ProblemCode::ForbiddenScope);
        }
        for (status, response) in problem_responses::by_status(&self.problems) {
            operation = operation.response(status.to_string(), response);
        }
        let mut operation = operation.build();
        // Tools look for a description, and most operations need no more than the summary.
        operation.description = operation.description.or_else(|| operation.summary.clone());
        (self.method, operation)
    }
}

fn has_property(schema: &RefOr<Schema>, name: &str) -> bool {
    matches!(schema, RefOr::T(Schema::Object(object)) if object.properties.contains_key(name))
}

fn at_location(response: ResponseBuilder, description: &str) -> ResponseBuilder {
    let location = HeaderBuilder::new()
        .schema(Some(Object::with_type(Type::String)))
        .description(Some(description));
    response.header("location", location.build())
}

fn json_response(description: &str, schema: Ref) -> ResponseBuilder {
    let response = ResponseBuilder::new().description(description);
    response.content(JSON, Content::new(Some(schema)))
}
