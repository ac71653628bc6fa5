//! Derives the parameters and the request body of an operation from the arguments of its handler, so
//! that the document cannot disagree with what the handler reads.

use askback_wire::actor::{ACTOR_HEADER, SURFACE_HEADER, SurfaceName};
use askback_wire::problem::ProblemCode;
use axum::http::HeaderMap;
use utoipa::openapi::Required;
use utoipa::openapi::path::{ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};
use utoipa::{IntoParams, ToSchema};

use super::route::Route;
use crate::authenticate::Caller;
use crate::extract::{
    Acting, Body, ForeignBody, Form, Id, LastEventId, NoBody, OptionalBody, Query, RequestActor,
};
use crate::routes::AppState;

/// An argument of a handler.
pub(crate) trait HandlerInput {
    /// Adds what the argument reads from the request, if that is part of the API.
    fn describe(route: Route) -> Route {
        route
    }
}

impl HandlerInput for AppState {}
impl HandlerInput for Caller {}
impl HandlerInput for HeaderMap {}
impl HandlerInput for NoBody {}

impl<T: ToSchema> HandlerInput for Body<T> {
    fn describe(route: Route) -> Route {
        route.body::<T>(Required::True)
    }
}

impl<T: ToSchema> HandlerInput for ForeignBody<T> {
    fn describe(route: Route) -> Route {
        route.body::<T>(Required::True)
    }
}

impl<T: ToSchema> HandlerInput for OptionalBody<T> {
    fn describe(route: Route) -> Route {
        route.body::<T>(Required::False)
    }
}

impl<T: ToSchema> HandlerInput for Form<T> {
    fn describe(route: Route) -> Route {
        route.form::<T>()
    }
}

impl<T: IntoParams> HandlerInput for Query<T> {
    fn describe(route: Route) -> Route {
        let route = route.problems(&[ProblemCode::InvalidQuery]);
        let parameters = T::into_params(|| Some(ParameterIn::Query));
        parameters.into_iter().fold(route, Route::parameter)
    }
}

impl<T> HandlerInput for Id<T> {
    fn describe(route: Route) -> Route {
        let id = ParameterBuilder::new()
            .name("id")
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .schema(Some(Object::with_type(Type::String)));
        let route = route.parameter(id.build());
        route.problems(&[ProblemCode::NotFound])
    }
}

impl HandlerInput for RequestActor {
    fn describe(route: Route) -> Route {
        // The server alone records these two.
        let reserved = ["link", "system"];
        let names = SurfaceName::VALUES.iter().copied();
        let names = names.filter(|name| !reserved.contains(name));
        let actor =
            "The name of the person who acts: UTF-8, percent-encoded unless it is plain ASCII.";
        let surface = "Where they act from. Unknown values count as `http`.";
        route.header(ACTOR_HEADER, actor, string()).header(
            SURFACE_HEADER,
            surface,
            string().examples(names),
        )
    }
}

impl<I> HandlerInput for Acting<I> {
    fn describe(route: Route) -> Route {
        Id::<I>::describe(RequestActor::describe(route))
    }
}

impl HandlerInput for LastEventId {
    fn describe(route: Route) -> Route {
        let description = "Start after this sequence number. Takes precedence over `after`.";
        let route = route.header("last-event-id", description, string());
        route.problems(&[ProblemCode::InvalidQuery])
    }
}

fn string() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

/// A function whose arguments are all [`HandlerInput`]s. `T` is the tuple by which
/// [`axum::handler::Handler`] tells functions of different arity apart.
pub(crate) trait DescribedHandler<T> {
    fn describe(route: Route) -> Route;
}

macro_rules! described_handler {
    ($($input:ident),*) => {
        impl<F, Fut, M, $($input: HandlerInput),*> DescribedHandler<(M, $($input,)*)> for F
        where
            F: Fn($($input),*) -> Fut,
        {
            fn describe(route: Route) -> Route {
                $(let route = $input::describe(route);)*
                route
            }
        }
    };
}

described_handler!();
described_handler!(A);
described_handler!(A, B);
described_handler!(A, B, C);
described_handler!(A, B, C, D);
described_handler!(A, B, C, D, E);
