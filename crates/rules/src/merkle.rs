//! The daily proof of what the house owes: a tree whose nodes carry hashes and sums.
//!
//! The root states a total. A member's proof leads from their own balance to that root, so the
//! house cannot leave a balance out of the total without failing the member who looks. Every
//! node hashes the sums of both its children: with their sum alone, a node could claim less than
//! one of them holds.

use sha2::{Digest, Sha256};

/// What each kind of node begins with, so that none can be taken for another.
const LEAF: u8 = 0;
const INNER: u8 = 1;
const EMPTY: u8 = 2;

/// The bytes of a stored node.
pub const NODE_SIZE: usize = 40;

/// Why there is no tree, node or proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MerkleError {
    /// A negative balance would hide what is owed to others.
    #[error("the sum is negative")]
    Negative,
    /// The total does not fit.
    #[error("the sum is out of range")]
    Range,
}

/// What the house owes one holder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Random and known to the holder only: without it, balances could be guessed from hashes.
    pub salt: [u8; 32],
    /// Whose balance this is.
    pub holder: [u8; 16],
    /// In ten-thousandths, never negative.
    pub balance: i64,
}

/// A hash and the sum of all balances below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// What is below, as a hash.
    pub hash: [u8; 32],
    /// What is below, as a sum in ten-thousandths.
    pub sum: i64,
}

/// Where a sibling stands, seen from the node that is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The sibling comes first.
    Left,
    /// The sibling comes second.
    Right,
}

/// One step of a proof: the sibling to combine with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where the sibling stands.
    pub side: Side,
    /// The sibling.
    pub node: Node,
}

/// Where the sibling of one step is found: what a server reads when it keeps the levels stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// 0 for the leaves.
    pub level: usize,
    /// The sibling's index in its level.
    pub index: usize,
    /// Where the sibling stands.
    pub side: Side,
}

/// A whole tree: the leaves' nodes first, the root last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    levels: Vec<Vec<Node>>,
}

impl Leaf {
    /// `SHA-256(0x00 ‖ salt ‖ holder ‖ balance)` with the balance as its sum.
    pub fn node(&self) -> Result<Node, MerkleError> {
        let hash = Sha256::new()
            .chain_update([LEAF])
            .chain_update(self.salt)
            .chain_update(self.holder)
            .chain_update(self.balance.to_be_bytes())
            .finalize();
        Node { hash: hash.into(), sum: self.balance }.checked()
    }
}

impl Node {
    /// `SHA-256(0x01 ‖ left hash ‖ left sum ‖ right hash ‖ right sum)` with the sum of both.
    pub fn parent(left: &Self, right: &Self) -> Result<Self, MerkleError> {
        let (left, right) = (left.checked()?, right.checked()?);
        let sum = left.sum.checked_add(right.sum).ok_or(MerkleError::Range)?;
        let hash = Sha256::new()
            .chain_update([INNER])
            .chain_update(left.to_bytes())
            .chain_update(right.to_bytes())
            .finalize();
        Ok(Self { hash: hash.into(), sum })
    }

    /// The root of a tree without leaves.
    pub fn empty() -> Self {
        Self { hash: Sha256::digest([EMPTY]).into(), sum: 0 }
    }

    /// The node as it is stored and hashed: its hash, then its sum.
    pub fn to_bytes(self) -> [u8; NODE_SIZE] {
        let mut bytes = [0; NODE_SIZE];
        let (hash, sum) = bytes.split_at_mut(32);
        hash.copy_from_slice(&self.hash);
        sum.copy_from_slice(&self.sum.to_be_bytes());
        bytes
    }

    /// Reads a stored node.
    pub fn from_bytes(bytes: &[u8; NODE_SIZE]) -> Result<Self, MerkleError> {
        let (mut hash, mut sum) = ([0; 32], [0; 8]);
        hash.copy_from_slice(&bytes[..32]);
        sum.copy_from_slice(&bytes[32..]);
        Self { hash, sum: i64::from_be_bytes(sum) }.checked()
    }

    fn checked(self) -> Result<Self, MerkleError> {
        if self.sum < 0 { Err(MerkleError::Negative) } else { Ok(self) }
    }
}

impl Tree {
    /// Builds all levels. The leaves are ordered by their hashes, which begin with random salts:
    /// so a member's place tells nothing about when they joined or what they have.
    pub fn build(leaves: Vec<Leaf>) -> Result<Self, MerkleError> {
        let mut level = leaves.iter().map(Leaf::node).collect::<Result<Vec<_>, _>>()?;
        level.sort_unstable_by_key(|node| node.hash);
        let mut levels = Vec::new();
        while level.len() > 1 {
            let above = level.chunks(2).map(above).collect::<Result<Vec<_>, _>>()?;
            levels.push(level);
            level = above;
        }
        if !level.is_empty() {
            levels.push(level);
        }
        Ok(Self { levels })
    }

    /// The root: what is published.
    pub fn root(&self) -> Node {
        self.levels.last().and_then(|level| level.first()).copied().unwrap_or_else(Node::empty)
    }

    /// All levels, the leaves' nodes first. A tree without leaves has none.
    pub fn levels(&self) -> &[Vec<Node>] {
        &self.levels
    }

    /// Where a leaf has come to stand, by the hash of its node.
    pub fn index_of(&self, hash: &[u8; 32]) -> Option<usize> {
        let leaves = self.levels.first()?;
        leaves.binary_search_by_key(hash, |node| node.hash).ok()
    }

    /// The siblings from a leaf to the root. An index beyond the leaves has none.
    pub fn prove(&self, index: usize) -> Vec<Step> {
        let leaves = self.levels.first().map_or(0, Vec::len);
        places(leaves, index)
            .into_iter()
            .filter_map(|Place { level, index, side }| {
                let node = *self.levels.get(level)?.get(index)?;
                Some(Step { side, node })
            })
            .collect()
    }
}

/// A pair becomes its parent; a node without a partner is carried up unchanged.
fn above(pair: &[Node]) -> Result<Node, MerkleError> {
    match pair {
        [left, right] => Node::parent(left, right),
        [alone] => Ok(*alone),
        _ => Ok(Node::empty()),
    }
}

/// Where the siblings of a leaf stand in a tree of so many leaves, from the leaves upwards. A
/// level in which the node is carried up has none.
pub fn places(leaves: usize, index: usize) -> Vec<Place> {
    let mut places = Vec::new();
    let (mut length, mut index, mut level) = (leaves, index, 0);
    while length > 1 && index < length {
        let side = if index.is_multiple_of(2) { Side::Right } else { Side::Left };
        // The other of two neighbours.
        let sibling = index ^ 1;
        if sibling < length {
            places.push(Place { level, index: sibling, side });
        }
        (length, index, level) = (length.div_ceil(2), index / 2, level + 1);
    }
    places
}

/// Follows a proof from a leaf upwards. The leaf is counted in a published root if the result
/// equals it, hash and sum.
pub fn fold(leaf: &Leaf, steps: &[Step]) -> Result<Node, MerkleError> {
    steps.iter().try_fold(leaf.node()?, |node, step| match step.side {
        Side::Left => Node::parent(&step.node, &node),
        Side::Right => Node::parent(&node, &step.node),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(number: u8, balance: i64) -> Leaf {
        Leaf { salt: [number; 32], holder: [number; 16], balance }
    }

    #[test]
    fn small_trees_have_the_published_shape() {
        assert_eq!(Tree::build(Vec::new()).map(|tree| tree.root()), Ok(Node::empty()));
        let one = Tree::build(vec![leaf(1, 5)]).expect("a tree");
        assert_eq!(Ok(one.root()), leaf(1, 5).node());
        assert_eq!(one.prove(0), []);
        let three = Tree::build((1..=3).map(|number| leaf(number, 10)).collect()).expect("a tree");
        let lengths: Vec<usize> = three.levels().iter().map(Vec::len).collect();
        assert_eq!(lengths, [3, 2, 1]);
        assert_eq!(three.levels()[1][1], three.levels()[0][2], "carried up unchanged");
        assert_eq!(three.prove(2).len(), 1);
        assert_eq!(three.prove(3), []);
        assert_eq!(three.root().sum, 30);
    }

    #[test]
    fn negative_and_overflowing_sums_are_refused() {
        assert_eq!(Tree::build(vec![leaf(1, -1)]), Err(MerkleError::Negative));
        let much = vec![leaf(1, i64::MAX), leaf(2, 1)];
        assert_eq!(Tree::build(much), Err(MerkleError::Range));
        let step = |sum| Step { side: Side::Left, node: Node { hash: [0; 32], sum } };
        assert_eq!(fold(&leaf(1, 1), &[step(-1)]), Err(MerkleError::Negative));
        assert_eq!(fold(&leaf(1, 1), &[step(i64::MAX)]), Err(MerkleError::Range));
        let stored = Node { hash: [7; 32], sum: -1 }.to_bytes();
        assert_eq!(Node::from_bytes(&stored), Err(MerkleError::Negative));
    }
}
