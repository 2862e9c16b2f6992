//! Connections: how long one may take to say what it wants, how much of it, and
//! how all of them end.

use std::io;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{debug, warn};

/// For the whole head of a request, and between two requests.
const HEAD_TIME: Duration = Duration::from_secs(20);
const MOST_HEADERS: usize = 64;
const LARGEST_HEAD: usize = 32 * 1024;

/// When no connection can be taken, for example since there are too many files
/// open, it is not tried in a circle.
const BREATH: Duration = Duration::from_millis(250);

/// Serves until `stop`, and then until the last connection has ended.
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    let connections = TaskTracker::new();
    while let Some(taken) = stop.run_until_cancelled(listener.accept()).await {
        match taken {
            Ok((stream, _)) => {
                connections.spawn(talk(stream, router.clone(), stop.clone()));
            }
            Err(error) if is_of_one_client(&error) => debug!(%error, "A connection broke off"),
            Err(error) => {
                warn!(%error, "No connection can be taken for a moment");
                stop.run_until_cancelled(sleep(BREATH)).await;
            }
        }
    }
    drop(listener); // Nobody else gets a connection that nobody serves.
    connections.close();
    connections.wait().await;
}

async fn talk(stream: TcpStream, router: Router, stop: CancellationToken) {
    // An event is small. The kernel would hold it back until the one before it is
    // acknowledged, which takes a reader that has nothing to say up to 40 ms.
    if let Err(error) = stream.set_nodelay(true) {
        debug!(%error, "Small packets of a connection will be held back");
    }
    let mut rules = http1::Builder::new();
    rules.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    rules.max_headers(MOST_HEADERS).max_header_size(LARGEST_HEAD);
    let service = TowerToHyperService::new(router);
    let connection = rules.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        debug!(%error, "A connection ended badly");
    }
}

fn is_of_one_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
