//! Puts the texts of a value together as it would be written, to look through all of them at once.

use super::Redactor;
use super::tree::{MAX_ARGUMENTS, MAX_DEPTH};
use serde::Serialize;
use serde::ser::{
    Error, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple, SerializeTupleStruct,
    SerializeTupleVariant, Serializer,
};
use std::fmt::Display;
use std::ops::Range;

/// Beyond so many bytes a value is looked at one text after another, and not copied.
const MOST: usize = 256 * 1024;

/// Texts that were put together, one a line.
#[derive(Default)]
pub(super) struct Joined {
    pub(super) text: String,
    /// Where each ends, and whether it is one of the value's own; the others are lists, put together as a line.
    pub(super) ends: Vec<(usize, bool)>,
}

impl Joined {
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.end(true);
    }

    /// Puts down the texts from an index on once more, as one line.
    fn join(&mut self, first: usize) {
        let last = self.ends.len();
        let mut start = first
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .map_or(0, |(end, _)| end + 1);
        for index in first..last {
            let Some((end, _)) = self.ends.get(index).copied() else {
                continue;
            };
            if index > first {
                self.text.push(' ');
            }
            self.text.extend_from_within(start..end);
            start = end + 1;
        }
        self.end(false);
    }

    fn end(&mut self, own: bool) {
        self.ends.push((self.text.len(), own));
        self.text.push('\n');
    }
}

/// That there may be something to hide, or that it cannot be known at once.
#[derive(Debug)]
pub(super) struct Unclean;

impl Display for Unclean {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("there may be something to hide")
    }
}

impl std::error::Error for Unclean {}

impl Error for Unclean {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

/// Where the text of a value lies, where it is one.
type Text = Option<Range<usize>>;

/// Puts the texts of a value together that must be looked at to know whether there is something to hide; an error where that
/// is known already, or cannot be known so.
pub(super) struct Gather<'g> {
    pub(super) redactor: &'g Redactor,
    pub(super) depth: usize,
    pub(super) into: &'g mut Joined,
}

impl<'g> Gather<'g> {
    fn inner(&mut self) -> Gather<'_> {
        Gather {
            redactor: self.redactor,
            depth: self.depth + 1,
            into: self.into,
        }
    }

    fn shallow(self) -> Result<Self, Unclean> {
        (self.depth < MAX_DEPTH).then_some(self).ok_or(Unclean)
    }

    fn list(self) -> Result<List<'g>, Unclean> {
        let first = self.into.ends.len();
        let gather = self.shallow()?;
        Ok(List {
            gather,
            first,
            count: 0,
            words: true,
        })
    }

    fn object(self) -> Result<Object<'g>, Unclean> {
        Ok(Object {
            gather: self.shallow()?,
            place: None,
            named: [None, None],
            valued: false,
        })
    }

    /// What a variant holds that is written as an object of one entry.
    fn variant(self, name: &'static str) -> Result<Self, Unclean> {
        let Object { mut gather, .. } = {
            let mut object = self.object()?;
            object.key(name)?;
            object
        };
        gather.depth += 1;
        Ok(gather)
    }
}

/// Gathers a list.
pub(super) struct List<'g> {
    gather: Gather<'g>,
    first: usize,
    count: usize,
    words: bool,
}

impl List<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Unclean> {
        self.count += 1;
        self.words &= item.serialize(self.gather.inner())?.is_some();
        Ok(())
    }

    fn done(self) -> Text {
        if self.words && (2..=MAX_ARGUMENTS).contains(&self.count) {
            self.gather.into.join(self.first);
        }
        None
    }
}

/// Gathers an object.
pub(super) struct Object<'g> {
    gather: Gather<'g>,
    /// Where the entry that comes is a name, which of both.
    place: Option<usize>,
    /// What an entry of the form `{"name": …, "value": …}` is called.
    named: [Text; 2],
    valued: bool,
}

impl Object<'_> {
    fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unclean> {
        let place = key.serialize(self.gather.inner())?;
        let key = place.and_then(|place| self.gather.into.text.get(place)).unwrap_or("");
        if self.gather.redactor.claims(key) {
            return Err(Unclean);
        }
        self.place = ["name", "key"].iter().position(|name| *name == key);
        self.valued |= key == "value";
        Ok(())
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unclean> {
        let text = value.serialize(self.gather.inner())?;
        if let Some(named) = self.place.take().and_then(|place| self.named.get_mut(place)) {
            *named = text;
        }
        Ok(())
    }

    fn done(self) -> Result<Text, Unclean> {
        let text = &self.gather.into.text;
        let mut names = self.named.into_iter().flatten().filter_map(|place| text.get(place));
        if self.valued && names.any(|name| self.gather.redactor.claims(name)) {
            return Err(Unclean);
        }
        Ok(None)
    }
}

/// What holds no text.
macro_rules! no_text {
    ($($method:ident($($kind:ty)?);)*) => {
        $(fn $method(self $(, _: $kind)?) -> Result<Text, Unclean> {
            Ok(None)
        })*
    };
}

impl<'g> Serializer for Gather<'g> {
    type Ok = Text;
    type Error = Unclean;
    type SerializeSeq = List<'g>;
    type SerializeTuple = List<'g>;
    type SerializeTupleStruct = List<'g>;
    type SerializeTupleVariant = List<'g>;
    type SerializeMap = Object<'g>;
    type SerializeStruct = Object<'g>;
    type SerializeStructVariant = Object<'g>;

    no_text! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
    }

    fn serialize_char(self, c: char) -> Result<Text, Unclean> {
        self.serialize_str(c.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<Text, Unclean> {
        let start = self.into.text.len();
        self.into.push(text);
        if self.into.text.len() > MOST {
            return Err(Unclean);
        }
        Ok(Some(start..start + text.len()))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Text, Unclean> {
        // They are written as numbers.
        Ok(None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Text, Unclean> {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Text, Unclean> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Text, Unclean> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Text, Unclean> {
        let mut object = self.object()?;
        object.key(variant)?;
        object.value(value)?;
        object.done()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List<'g>, Unclean> {
        self.list()
    }

    fn serialize_tuple(self, _: usize) -> Result<List<'g>, Unclean> {
        self.list()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List<'g>, Unclean> {
        self.list()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<List<'g>, Unclean> {
        self.variant(variant)?.list()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Object<'g>, Unclean> {
        self.object()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Object<'g>, Unclean> {
        self.object()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Object<'g>, Unclean> {
        self.variant(variant)?.object()
    }
}

/// The kinds of lists, which are gathered alike.
macro_rules! lists {
    ($($kind:ident $method:ident;)*) => {
        $(impl $kind for List<'_> {
            type Ok = Text;
            type Error = Unclean;

            fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Unclean> {
                self.item(item)
            }

            fn end(self) -> Result<Text, Unclean> {
                Ok(self.done())
            }
        })*
    };
}

lists! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

/// The kinds of objects with names of our own.
macro_rules! structs {
    ($($kind:ident)*) => {
        $(impl $kind for Object<'_> {
            type Ok = Text;
            type Error = Unclean;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Unclean> {
                self.key(key)?;
                self.value(value)
            }

            fn end(self) -> Result<Text, Unclean> {
                self.done()
            }
        })*
    };
}

structs! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Object<'_> {
    type Ok = Text;
    type Error = Unclean;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unclean> {
        self.key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unclean> {
        self.value(value)
    }

    fn end(self) -> Result<Text, Unclean> {
        self.done()
    }
}
