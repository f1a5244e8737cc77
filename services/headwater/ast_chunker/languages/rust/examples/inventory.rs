//! Inventory of a warehouse.
use std::collections::{BTreeMap as Map, HashSet};
use std::fmt::{self, Display};
use crate::pricing::*;
pub use self::error::StockError;
extern crate serde as serde_crate;

mod error;

/// How many lines a page holds.
pub const PAGE: usize = 50;
static mut COUNTER: u64 = 0;
pub type Result<T> = std::result::Result<T, StockError>;

/// Builds an item in place.
#[macro_export]
macro_rules! item {
    ($name:expr, $count:expr) => {
        Item::new($name, $count)
    };
}

/// One thing on a shelf.
#[derive(Debug, Clone)]
pub struct Item {
    /// Its name.
    pub name: String,
    count: usize,
}

pub struct Meters(pub f64);

union Bits {
    word: u32,
    bytes: [u8; 4],
}

#[derive(Debug)]
pub enum Level {
    Empty,
    Low { left: usize },
    Full(usize) ,
}

/// Whatever can be counted.
pub trait Counted: Display {
    type Unit;
    const LIMIT: usize = 10;
    fn count(&self) -> usize;
    /// Tells whether nothing is left.
    fn is_empty(&self) -> bool {
        self.count() == 0
    }
}

impl Item {
    // Makes an item.
    #[inline]
    pub fn new(name: &str, count: usize) -> Self {
        Self { name: name.to_string(), count }
    }

    pub fn level(&self) -> Level {
        match self.count {
            0 => Level::Empty,
            left if left < Self::LIMIT => Level::Low { left },
            n => Level::Full(n),
        }
    }
}

impl Counted for Item {
    type Unit = u8;
    fn count(&self) -> usize {
        self.count
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.name, self.count)
    }
}

pub struct Shelf<'a, T: Counted> {
    items: Map<String, &'a T>,
    seen: HashSet<String>,
}

impl<'a, T> Shelf<'a, T>
where
    T: Counted<Unit = u8>,
{
    pub fn total(&self) -> usize {
        fn add(a: usize, b: usize) -> usize {
            a + b
        }
        let mut sum = 0;
        'outer: for (key, item) in &self.items {
            if self.seen.contains(key) {
                continue 'outer;
            }
            sum = add(sum, item.count());
        }
        let doubled = |n: usize| n * 2;
        sum += 1;
        doubled(sum)
    }

    pub async fn put(&mut self, item: &'a T) -> Result<()> {
        if let Some(old) = self.items.insert(item.to_string(), item) {
            drop(old);
        }
        self.seen.clear();
        let made = item!("bolt", PAGE);
        assert_eq!(made.count, PAGE);
        let Item { name, count: n } = made;
        unsafe { COUNTER += 1; }
        println!("{name} {n}");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        let item = Item::new("nut", 3);
        let f: fn(&str, usize) -> Item = Item::new;
        assert!(matches!(item.level(), Level::Low { .. }));
        let _ = f("a", 1).count;
        let v = Vec::<Item>::with_capacity(PAGE as usize);
    }
}
