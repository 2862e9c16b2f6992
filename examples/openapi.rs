//! Prints the OpenAPI document: `make api` writes it to `docs/openapi.json`.
#![expect(clippy::print_stdout, reason = "it is what this program is for")]

fn main() {
    println!("{}", seamux::http::document());
}
