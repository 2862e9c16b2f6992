//! Values that read as absent, instead of failing, when they have another type.
//!
//! No two of them share an untagged enum: what a record is follows from its
//! type alone, and a field that changed its shape costs only itself.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::salvage::repair;

/// Elements of a list that are kept. A tool can give back millions of tiny ones,
/// which would take a hundred times their size.
const LONGEST: usize = 20_000;

/// Text, number, flag, or something else that is not looked into.
///
/// It is kept as it stands: most fields of most records are never asked for, and
/// some of those are long.
#[derive(Debug, Default)]
pub(super) struct Scalar<'a> {
    raw: &'a str,
    /// The text, if it does not stand there as it is.
    unescaped: OnceCell<Option<String>>,
}

impl Scalar<'_> {
    pub(super) fn text(&self) -> Option<&str> {
        let inner = self.raw.strip_prefix('"')?.strip_suffix('"')?;
        if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
            return Some(inner);
        }
        self.unescaped.get_or_init(|| unescape(self.raw)).as_deref()
    }

    /// Text that says something.
    pub(super) fn words(&self) -> Option<&str> {
        self.text().filter(|text| !text.trim().is_empty())
    }

    pub(super) fn number(&self) -> Option<u64> {
        self.raw.parse().ok()
    }

    pub(super) fn is_true(&self) -> bool {
        self.raw == "true"
    }

    /// Whether it is a flag, whatever it says.
    pub(super) fn is_flag(&self) -> bool {
        matches!(self.raw, "true" | "false")
    }

    /// Whether it is a text, whatever it says.
    pub(super) fn is_text(&self) -> bool {
        self.raw.starts_with('"')
    }
}

fn unescape(raw: &str) -> Option<String> {
    serde_json::from_str(raw).or_else(|_| serde_json::from_str(&repair(raw))).ok()
}

impl<'de: 'a, 'a> Deserialize<'de> for Scalar<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        Ok(Self { raw, unescaped: OnceCell::new() })
    }
}

/// A field that is a text in one record and an object or a list in the next.
#[derive(Debug, Default)]
pub(super) enum Shape<'a, T> {
    #[default]
    Other,
    Text(Cow<'a, str>),
    One(Box<T>),
    Many(Vec<Self>),
}

impl<T> Shape<'_, T> {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn one(&self) -> Option<&T> {
        match self {
            Self::One(object) => Some(object),
            _ => None,
        }
    }

    pub(super) fn many(&self) -> &[Self] {
        match self {
            Self::Many(list) => list,
            _ => &[],
        }
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Shape<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ShapeVisitor(PhantomData))
    }
}

struct ShapeVisitor<'a, T>(PhantomData<(&'a (), T)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for ShapeVisitor<'a, T> {
    type Value = Shape<'a, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Shape::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Shape::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Shape::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Shape::Other)
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Shape::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Shape::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Shape::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while list.len() < LONGEST
            && let Some(element) = seq.next_element()?
        {
            list.push(element);
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Shape::Many(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(|object| Shape::One(Box::new(object)))
    }
}

/// An object with arbitrary keys, in the order of the record.
#[derive(Debug)]
pub(super) struct Entries<'a, T>(Vec<(String, Shape<'a, T>)>);

impl<T> Default for Entries<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'a, T> Entries<'a, T> {
    pub(super) fn iter(&self) -> impl Iterator<Item = &(String, Shape<'a, T>)> {
        self.0.iter()
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Entries<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let map: Shape<'a, EntryList<'a, T>> = Shape::deserialize(deserializer)?;
        Ok(match map {
            Shape::One(list) => Self(list.0),
            _ => Self::default(),
        })
    }
}

struct EntryList<'a, T>(Vec<(String, Shape<'a, T>)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for EntryList<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntryVisitor(PhantomData))
    }
}

struct EntryVisitor<'a, T>(PhantomData<(&'a (), T)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for EntryVisitor<'a, T> {
    type Value = EntryList<'a, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(entry) = map.next_entry()? {
            list.push(entry);
        }
        Ok(EntryList(list))
    }
}
