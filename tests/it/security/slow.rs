//! Clients that take their time, so that others get none.

use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use super::{connect, house, rest};

/// Sends a byte now and then until the server has enough of it.
fn drip(mut stream: TcpStream, byte: &[u8]) -> (Duration, String) {
    let started = Instant::now();
    let mut writer = stream.try_clone().unwrap();
    let byte = byte.to_owned();
    let dripping = thread::spawn(move || {
        while started.elapsed() < Duration::from_secs(50) && writer.write_all(&byte).is_ok() {
            thread::sleep(Duration::from_millis(400));
        }
    });
    stream.flush().unwrap();
    let said = rest(stream);
    let took = started.elapsed();
    dripping.join().unwrap();
    (took, said)
}

/// Head and body at the same time, since both have to be waited for.
#[test]
fn a_head_or_a_body_that_drips_is_cut_off_and_holds_nobody_up() {
    let house = house();
    let mut heads = Vec::new();
    for _ in 0..50 {
        let mut stream = connect(&house);
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n").unwrap();
        heads.push(thread::spawn(move || drip(stream, b"X: y\r\n")));
    }
    let mut body = connect(&house);
    let head = format!(
        "POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: {}\r\n\
         Content-Type: application/json\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n",
        house.bearer()
    );
    body.write_all(head.as_bytes()).unwrap();
    let body = thread::spawn(move || drip(body, b" "));

    for _ in 0..20 {
        let asked = Instant::now();
        assert_eq!(house.get("/api/v1/runs").status, 200);
        assert!(asked.elapsed() < Duration::from_secs(2), "others wait for the slow ones");
    }
    for head in heads {
        let (took, said) = head.join().unwrap();
        assert!(took < Duration::from_secs(40), "a slow head was served for {took:?}");
        assert!(!said.starts_with("HTTP/1.1 2"), "{said}");
    }
    let (took, said) = body.join().unwrap();
    assert!(took < Duration::from_secs(45), "a slow body was served for {took:?}");
    assert!(said.starts_with("HTTP/1.1 408") && said.contains("body_too_slow"), "{said}");
}
