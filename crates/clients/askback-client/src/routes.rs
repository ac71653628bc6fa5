//! Methods of the client as a table of routes.

/// A method for each route: how it is sent, its name, the id in its path, its parameters, what comes back, and its path.
macro_rules! routes {
    () => {};
    ($(#[$doc:meta])* $how:ident $name:ident $([$id:ident: $type:ty])? () -> $response:ty = $path:ident; $($rest:tt)*) => {
        impl Client {
            $(#[$doc])*
            pub async fn $name(&self, $($id: &$type)?) -> Result<$response, ClientError> {
                let path = routes!(@path $path $(, $id)?);
                routes!(@send $how self.http, &path, &())
            }
        }
        routes! { $($rest)* }
    };
    ($(#[$doc:meta])* $how:ident $name:ident $([$id:ident: $type:ty])? ($params:ty) -> $response:ty = $path:ident; $($rest:tt)*) => {
        impl Client {
            $(#[$doc])*
            pub async fn $name(&self, $($id: &$type,)? params: &$params) -> Result<$response, ClientError> {
                let path = routes!(@path $path $(, $id)?);
                routes!(@send $how self.http, &path, params)
            }
        }
        routes! { $($rest)* }
    };
    (@path $path:ident) => { path::$path };
    (@path $path:ident, $id:ident) => { path::with_id(path::$path, &$id.to_string()) };
    (@send delete $http:expr, $path:expr, $params:expr) => { $http.delete($path).await };
    // Repeating it does no harm.
    (@send post $http:expr, $path:expr, $params:expr) => { $http.post($path, $params, Retry::Always).await };
    (@send post_once $http:expr, $path:expr, $params:expr) => { $http.post($path, $params, Retry::IfNotSent).await };
    (@send post_keyed $http:expr, $path:expr, $params:expr) => {
        $http.post($path, $params, Retry::if_keyed($params.key.as_ref())).await
    };
    (@send $how:ident $http:expr, $path:expr, $params:expr) => { $http.$how($path, $params).await };
}
