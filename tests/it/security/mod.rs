//! Tries to get in: each test is somebody who should not.

mod bodies;
mod entry;
mod paths;
mod slow;
mod tokens;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

use crate::house::{Answer, House};

/// A server on a machine without any agent CLI.
fn house() -> House {
    House::serve(|_| {})
}

fn code(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.body["code"].as_str().unwrap_or_default())
}

const JSON: (&str, &str) = ("content-type", "application/json");

/// One operation of the API, as the document has it.
struct Operation {
    method: String,
    /// With names that nothing has in the place of parameters.
    path: String,
    is_open: bool,
    takes_body: bool,
}

impl Operation {
    fn changes(&self) -> bool {
        self.method != "GET"
    }
}

fn operations(house: &House) -> Vec<Operation> {
    let document = house.send("GET", "/api/openapi.json", None, &[]).body;
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            all.push(Operation {
                method: method.to_uppercase(),
                path: path.replace(['{', '}'], ""),
                is_open: operation["security"] == serde_json::json!([{}]),
                takes_body: operation["requestBody"] != Value::Null,
            });
        }
    }
    assert!(all.len() > 25, "the document is nearly empty");
    all
}

fn connect(house: &House) -> TcpStream {
    let stream = TcpStream::connect(house.url.strip_prefix("http://").unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

/// Everything until the server hangs up.
fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).ok(); // A reset is an end too.
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What the server says to these very bytes.
fn raw(house: &House, request: &str) -> String {
    let mut stream = connect(house);
    stream.write_all(request.as_bytes()).unwrap();
    rest(stream)
}
