//! The loopback listener for CLIs that post their signals.
//!
//! It answers at once, whatever becomes of the signal: the CLI holds text back
//! from the person's own screen until it hears from us.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path as Segment, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use subtle::ConstantTimeEq;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use super::wire::LARGEST_PAYLOAD;
use super::{Body, Delivery};

/// An open listener. Its port is kept in the state folder, because the CLIs
/// that run on while we are away know it.
pub struct HookHttp {
    listener: TcpListener,
    address: SocketAddr,
}

#[derive(Clone)]
struct Door {
    authorization: Arc<str>,
    deliveries: mpsc::Sender<Delivery>,
}

impl HookHttp {
    /// Binds the port of the last time, or any other if that one is taken.
    pub async fn bind(state_dir: &Path) -> io::Result<Self> {
        let file = state_dir.join("hook-port");
        let last = remembered(&file);
        let listener = match TcpListener::bind((Ipv4Addr::LOCALHOST, last)).await {
            Err(error) if last != 0 => {
                warn!(port = last, %error, "The hook port is taken; runs from before stream no text");
                TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?
            }
            bound => bound?,
        };
        let address = listener.local_addr()?;
        // Not written anew in vain: a full disk would leave an empty file.
        if address.port() != last
            && let Err(error) = std::fs::write(&file, address.port().to_string())
        {
            warn!(%error, "The hook port could not be kept; after a restart runs may stream no text");
        }
        Ok(Self { listener, address })
    }

    /// Where a run's CLI posts to.
    pub fn url(&self, run: &str) -> String {
        format!("http://{}/hook/{run}", self.address)
    }

    pub async fn serve(
        self,
        authorization: String,
        deliveries: mpsc::Sender<Delivery>,
        stop: CancellationToken,
    ) {
        let door = Door { authorization: authorization.into(), deliveries };
        let router = Router::new()
            .route("/hook/{run}", post(take))
            .layer(DefaultBodyLimit::max(LARGEST_PAYLOAD as usize))
            .with_state(door);
        let served = axum::serve(self.listener, router)
            .with_graceful_shutdown(async move { stop.cancelled().await });
        if let Err(error) = served.await {
            warn!(%error, "The hook listener stopped");
        }
    }
}

fn remembered(file: &PathBuf) -> u16 {
    std::fs::read_to_string(file).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

async fn take(
    State(door): State<Door>,
    Segment(run): Segment<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let given = headers.get(header::AUTHORIZATION).map(|it| it.as_bytes()).unwrap_or_default();
    if !bool::from(given.ct_eq(door.authorization.as_bytes())) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let body = Body::Signal { payload: body.to_vec(), late: false };
    let delivery = Delivery { run, body };
    // Never waits: a full channel costs a piece of a preview, and the
    // transcript brings the whole text anyway.
    if door.deliveries.try_send(delivery).is_err() {
        debug!("A posted signal was dropped because too many wait");
    }
    ([(header::CONTENT_TYPE, "application/json")], "{}").into_response()
}
