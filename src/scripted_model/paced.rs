//! A response body that is sent frame by frame, with pauses, and that can break off.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Bytes;
use tokio::time::{Sleep, sleep};
use tokio_stream::Stream;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Frame {
    Data(String),
    Pause(Duration),
    /// Close the connection, so that the reader sees a stream without an end.
    Cut,
}

/// Does no work of its own: a reader that goes away drops it, and with it the rest of the answer.
pub(super) struct Paced {
    frames: VecDeque<Frame>,
    pause: Option<Pin<Box<Sleep>>>,
    stopped: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl Paced {
    pub(super) fn new(frames: Vec<Frame>, stop: CancellationToken) -> Self {
        Self { frames: frames.into(), pause: None, stopped: Box::pin(stop.cancelled_owned()) }
    }
}

impl Stream for Paced {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if !self.frames.is_empty() && self.stopped.as_mut().poll(cx).is_ready() {
            self.frames.clear();
            return Poll::Ready(Some(Err(io::Error::other("the scripted model stops"))));
        }
        loop {
            if let Some(pause) = &mut self.pause {
                ready!(pause.as_mut().poll(cx));
                self.pause = None;
            }
            match self.frames.pop_front() {
                Some(Frame::Data(data)) => return Poll::Ready(Some(Ok(Bytes::from(data)))),
                Some(Frame::Pause(duration)) => self.pause = Some(Box::pin(sleep(duration))),
                Some(Frame::Cut) => {
                    self.frames.clear();
                    return Poll::Ready(Some(Err(io::Error::other("cut, as the scenario says"))));
                }
                None => return Poll::Ready(None),
            }
        }
    }
}
