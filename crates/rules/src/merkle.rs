//! The daily proof of liabilities: a Merkle sum tree whose nodes carry hashes and sums.
//!
//! The root publishes a total. A member's proof leads from their own balance to that root, so if
//! the house leaves a balance out of the total, the check of that member fails. Every node hashes
//! the sums of both its children: with their total alone, a node could claim less than one of them
//! holds.

use sha2::{Digest, Sha256};

/// Domain separation: each kind of node begins with its own byte, so that none can pass for
/// another.
const LEAF: u8 = 0;
const INNER: u8 = 1;
const EMPTY: u8 = 2;

/// The length of a stored node in bytes.
pub const NODE_SIZE: usize = 40;

/// Why a tree, node or proof is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MerkleError {
    /// A negative balance would hide liabilities to others.
    #[error("the sum is negative")]
    Negative,
    /// The total overflows.
    #[error("the sum is out of range")]
    Range,
}

/// The liability to one holder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Random and known only to the holder: without it, balances could be guessed from the hashes.
    pub salt: [u8; 32],
    /// The member whose balance it is.
    pub holder: [u8; 16],
    /// In ten-thousandths, never negative.
    pub balance: i64,
}

/// A hash and the sum of all balances below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The hash of everything below.
    pub hash: [u8; 32],
    /// The sum of everything below, in ten-thousandths.
    pub sum: i64,
}

/// The side of a sibling, seen from the node that is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The sibling is the left child.
    Left,
    /// The sibling is the right child.
    Right,
}

/// One step of a proof: the sibling to combine with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The side of the sibling.
    pub side: Side,
    /// The sibling.
    pub node: Node,
}

/// The position of a sibling in a stored tree, so that a server reads only the nodes of one proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The level; 0 for the leaves.
    pub level: usize,
    /// The sibling's index in its level.
    pub index: usize,
    /// The side of the sibling.
    pub side: Side,
}

/// A complete tree: the nodes of the leaves first, the root last.
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
    /// `SHA-256(0x01 ‖ left hash ‖ left sum ‖ right hash ‖ right sum)`, with the total of both
    /// sums.
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

    /// Parses a stored node.
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
    /// Builds all levels. The leaves are ordered by their hashes, which depend on random salts, so
    /// that a member's position reveals nothing about when they joined or what they have.
    pub fn build(leaves: Vec<Leaf>) -> Result<Self, MerkleError> {
        let mut level = leaves.iter().map(Leaf::node).collect::<Result<Vec<_>, _>>()?;
        level.sort_unstable_by_key(|node| node.hash);
        let mut levels = Vec::new();
        while level.len() > 1 {
            let parents = level.chunks(2).map(parent_of).collect::<Result<Vec<_>, _>>()?;
            levels.push(level);
            level = parents;
        }
        if !level.is_empty() {
            levels.push(level);
        }
        Ok(Self { levels })
    }

    /// The root, which is published.
    pub fn root(&self) -> Node {
        self.levels.last().and_then(|level| level.first()).copied().unwrap_or_else(Node::empty)
    }

    /// All levels, the nodes of the leaves first. Empty for a tree without leaves.
    pub fn levels(&self) -> &[Vec<Node>] {
        &self.levels
    }

    /// The index of a leaf, by the hash of its node.
    pub fn index_of(&self, hash: &[u8; 32]) -> Option<usize> {
        let leaves = self.levels.first()?;
        leaves.binary_search_by_key(hash, |node| node.hash).ok()
    }

    /// The siblings from a leaf to the root. Empty for an index beyond the leaves.
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

/// Combines a pair into its parent; a node without a partner moves up unchanged.
fn parent_of(pair: &[Node]) -> Result<Node, MerkleError> {
    match pair {
        [left, right] => Node::parent(left, right),
        [alone] => Ok(*alone),
        _ => Ok(Node::empty()),
    }
}

/// The positions of a leaf's siblings in a tree with this many leaves, from the leaves upwards. A
/// level at which the node moves up unchanged has none.
pub fn places(leaves: usize, index: usize) -> Vec<Place> {
    let mut places = Vec::new();
    let (mut length, mut index, mut level) = (leaves, index, 0);
    while length > 1 && index < length {
        let side = if index.is_multiple_of(2) { Side::Right } else { Side::Left };
        // Flips the lowest bit: the other node of the pair.
        let sibling = index ^ 1;
        if sibling < length {
            places.push(Place { level, index: sibling, side });
        }
        (length, index, level) = (length.div_ceil(2), index / 2, level + 1);
    }
    places
}

/// Computes the root from a leaf and its proof. The leaf is included in a published root if the
/// result equals it in hash and sum.
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
