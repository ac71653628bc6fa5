//! One operation of the API in the making. What follows from its form is added here, once for all:
//! an id in the path can be unknown, a body can be malformed, a token can be missing.

use std::collections::BTreeMap;

use askback_wire::actor::{ACTOR_HEADER, SURFACE_HEADER, SurfaceName};
use askback_wire::list::ListResponse;
use askback_wire::problem::ProblemCode;
use serde_json::Value;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{
    HttpMethod, Operation as Description, OperationBuilder, Parameter, ParameterBuilder,
    ParameterIn,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{Object, ObjectBuilder, Schema, Type};
use utoipa::openapi::{Content, ContentBuilder, Ref, RefOr, Required, ResponseBuilder};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::{name_of, refusals};

const JSON: &str = "application/json";

/// The schemas that a document holds, by name.
#[derive(Default)]
pub(super) struct Schemas(Vec<(String, RefOr<Schema>)>);

impl Schemas {
    /// Takes in a type with all that it refers to, and says how to refer to it.
    pub(super) fn take<T: ToSchema>(&mut self) -> Ref {
        T::schemas(&mut self.0);
        self.0.push((name_of::<T>(), T::schema()));
        Ref::from_schema_name(name_of::<T>())
    }

    /// A page of such a type. A generic type has no name of its own.
    fn take_list<T: ToSchema>(&mut self) -> Ref
    where
        ListResponse<T>: ToSchema,
    {
        self.take::<T>();
        ListResponse::<T>::schemas(&mut self.0);
        let name = format!("{}List", name_of::<T>());
        self.0.push((name.clone(), ListResponse::<T>::schema()));
        Ref::from_schema_name(name)
    }

    pub(super) fn into_map(self) -> BTreeMap<String, RefOr<Schema>> {
        self.0.into_iter().collect()
    }
}

/// Who may call an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Whoever has the token.
    Token,
    /// Everyone who can reach the server.
    Open,
}

/// One operation in the making.
pub(super) struct Operation {
    path: &'static str,
    method: HttpMethod,
    description: OperationBuilder,
    schemas: Schemas,
    refusals: Vec<ProblemCode>,
    access: Access,
}

impl Operation {
    /// Reads something.
    pub(super) fn get(path: &'static str, id: &'static str) -> Operation {
        Operation::new(path, HttpMethod::Get, id)
    }

    /// Does something.
    pub(super) fn post(path: &'static str, id: &'static str) -> Operation {
        Operation::new(path, HttpMethod::Post, id).acts()
    }

    /// Puts something in place of what was there.
    pub(super) fn put(path: &'static str, id: &'static str) -> Operation {
        Operation::new(path, HttpMethod::Put, id)
    }

    /// Removes something.
    pub(super) fn delete(path: &'static str, id: &'static str) -> Operation {
        Operation::new(path, HttpMethod::Delete, id).acts()
    }

    fn new(path: &'static str, method: HttpMethod, id: &'static str) -> Operation {
        let operation = Operation {
            path,
            method,
            description: OperationBuilder::new().operation_id(Some(id)),
            schemas: Schemas::default(),
            refusals: vec![
                ProblemCode::ForbiddenHost,
                ProblemCode::ForbiddenOrigin,
                ProblemCode::MethodNotAllowed,
            ],
            access: Access::Token,
        };
        if path.contains("{id}") {
            let id = ParameterBuilder::new()
                .name("id")
                .parameter_in(ParameterIn::Path)
                .required(Required::True)
                .schema(Some(Object::with_type(Type::String)));
            return operation
                .parameter(id.build())
                .refuses(&[ProblemCode::NotFound]);
        }
        operation
    }

    /// What it does, in a sentence.
    pub(super) fn does(mut self, summary: &str) -> Operation {
        self.description = self.description.summary(Some(summary));
        self
    }

    /// What else there is to know.
    pub(super) fn explained(mut self, text: &str) -> Operation {
        self.description = self.description.description(Some(text));
        self
    }

    /// It needs no token.
    pub(super) fn open(mut self) -> Operation {
        self.access = Access::Open;
        self
    }

    /// Who acts goes into the record.
    pub(super) fn acts(self) -> Operation {
        let own = ["link", "system"];
        let words = SurfaceName::WORDS.iter().filter(|word| !own.contains(word));
        let surface = ObjectBuilder::new()
            .schema_type(Type::String)
            .examples(words.copied());
        self.header(
            ACTOR_HEADER,
            "The name of the person who acts: UTF-8, percent-encoded where it is not plain ASCII.",
            ObjectBuilder::new().schema_type(Type::String),
        )
        .header(
            SURFACE_HEADER,
            "Where they act from; anything that is not known counts as `http`.",
            surface,
        )
    }

    /// It takes a header, which may be left out.
    pub(super) fn header(self, name: &str, what: &str, schema: ObjectBuilder) -> Operation {
        let header = ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some(what))
            .schema(Some(schema));
        self.parameter(header.build())
    }

    /// It takes these parameters in the address.
    pub(super) fn query<T: IntoParams>(self) -> Operation {
        let parameters = T::into_params(|| Some(ParameterIn::Query));
        let operation = self.refuses(&[ProblemCode::InvalidQuery]);
        parameters.into_iter().fold(operation, Operation::parameter)
    }

    fn parameter(mut self, parameter: Parameter) -> Operation {
        self.description = self.description.parameter(parameter);
        self
    }

    /// It takes a body.
    pub(super) fn body<T: ToSchema>(self) -> Operation {
        self.any_body::<T>(Required::True, None)
    }

    /// It takes a body, such as this one.
    pub(super) fn body_like<T: ToSchema>(self, example: Value) -> Operation {
        self.any_body::<T>(Required::True, Some(example))
    }

    /// It takes a body that may be left out.
    pub(super) fn optional_body<T: ToSchema>(self) -> Operation {
        self.any_body::<T>(Required::False, None)
    }

    fn any_body<T: ToSchema>(mut self, required: Required, example: Option<Value>) -> Operation {
        let schema = self.schemas.take::<T>();
        let content = ContentBuilder::new().schema(Some(schema)).example(example);
        let body = RequestBodyBuilder::new()
            .content(JSON, content)
            .required(Some(required))
            .build();
        self.description = self.description.request_body(Some(body));
        self.refuses(&[
            ProblemCode::InvalidJson,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
            ProblemCode::RequestTimeout,
        ])
    }

    /// It gives a value as JSON.
    pub(super) fn gives<T: ToSchema>(mut self, status: u16, what: &str) -> Operation {
        let schema = self.schemas.take::<T>();
        let response = ResponseBuilder::new()
            .description(what)
            .content(JSON, Content::new(Some(schema)));
        self.response(status, response)
    }

    /// It makes something, gives it as JSON, and says where it is.
    pub(super) fn makes<T: ToSchema>(mut self, what: &str) -> Operation {
        let schema = self.schemas.take::<T>();
        let location = HeaderBuilder::new()
            .schema(Some(Object::with_type(Type::String)))
            .description(Some("Where to read it."))
            .build();
        let response = ResponseBuilder::new()
            .description(what)
            .header("location", location)
            .content(JSON, Content::new(Some(schema)));
        self.response(201, response)
    }

    /// It gives a page of a list.
    pub(super) fn gives_list<T: ToSchema>(mut self, what: &str) -> Operation
    where
        ListResponse<T>: ToSchema,
    {
        let schema = self.schemas.take_list::<T>();
        let response = ResponseBuilder::new()
            .description(what)
            .content(JSON, Content::new(Some(schema)));
        self.response(200, response)
    }

    /// It gives text of a kind of its own.
    pub(super) fn gives_text(self, media_type: &str, what: &str) -> Operation {
        let text = Content::new(Some(Object::with_type(Type::String)));
        let response = ResponseBuilder::new()
            .description(what)
            .content(media_type, text);
        self.response(200, response)
    }

    /// It gives some JSON object.
    pub(super) fn gives_object(self, what: &str) -> Operation {
        let object = Content::new(Some(Object::with_type(Type::Object)));
        let response = ResponseBuilder::new()
            .description(what)
            .content(JSON, object);
        self.response(200, response)
    }

    /// It succeeds without a word.
    pub(super) fn gives_nothing(self, what: &str) -> Operation {
        self.response(204, ResponseBuilder::new().description(what))
    }

    fn response(mut self, status: u16, response: ResponseBuilder) -> Operation {
        self.description = self.description.response(status.to_string(), response);
        self
    }

    /// It may be refused like this.
    pub(super) fn refuses(mut self, codes: &[ProblemCode]) -> Operation {
        self.refusals.extend(codes);
        self
    }

    /// It reads from the store.
    pub(super) fn reads(self) -> Operation {
        self.refuses(&[ProblemCode::StoreUnavailable, ProblemCode::Internal])
    }

    /// It writes to the store.
    pub(super) fn writes(self) -> Operation {
        self.reads().refuses(&[
            ProblemCode::Conflict,
            ProblemCode::CommitUnknown,
            ProblemCode::Closing,
        ])
    }

    /// The operation as the document has it. Its schemas go to those of the others.
    pub(super) fn finish(
        mut self,
        schemas: &mut Schemas,
    ) -> (&'static str, HttpMethod, Description) {
        schemas.0.append(&mut self.schemas.0);
        let mut description = self.description;
        match self.access {
            Access::Token => self.refusals.push(ProblemCode::Unauthorized),
            Access::Open => description = description.securities(Some([])),
        }
        for (status, response) in refusals::by_status(&self.refusals) {
            description = description.response(status.to_string(), response);
        }
        (self.path, self.method, description.build())
    }
}
