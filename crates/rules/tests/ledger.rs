//! Properties of the ledger's hashes and of the daily proof of liabilities.

use std::collections::HashSet;

use capiz_rules::chain::{Entry, START};
use capiz_rules::merkle::{Leaf, Node, Side, Step, Tree, fold, places};
use proptest::prelude::*;

/// Owns the texts that a `chain::Entry` borrows.
#[derive(Clone, Debug)]
struct Transfer {
    ids: [[u8; 16]; 3],
    numbers: [i64; 3],
    texts: [String; 4],
    key: Option<String>,
    body_hash: Option<Vec<u8>>,
    after: [Option<i64>; 2],
    reverses: Option<i64>,
}

impl Transfer {
    fn hash(&self, previous: &[u8; 32]) -> [u8; 32] {
        let [holder, merchant, reference] = self.ids;
        let [seq, amount, at_micros] = self.numbers;
        let [currency, debit, credit, kind] = &self.texts;
        let [debit_after, credit_after] = self.after;
        Entry {
            holder,
            seq,
            merchant,
            currency,
            debit,
            credit,
            amount,
            kind,
            key: self.key.as_deref(),
            body_hash: self.body_hash.as_deref(),
            reference,
            debit_after,
            credit_after,
            at_micros,
            reverses: self.reverses,
        }
        .hash(previous)
    }

    /// The same transfer with one field changed, once for each field.
    fn changed(&self) -> Vec<Self> {
        let with = |change: &dyn Fn(&mut Self)| {
            let mut copy = self.clone();
            change(&mut copy);
            copy
        };
        let mut all: Vec<Self> = (0..3)
            .flat_map(|i| {
                let id = with(&|copy| copy.ids[i][15] ^= 1);
                let number = with(&|copy| copy.numbers[i] ^= 1);
                [id, number]
            })
            .collect();
        all.extend((0..4).map(|i| with(&|copy| copy.texts[i].push('x'))));
        all.extend((0..2).map(|i| with(&|copy| copy.after[i] = other(copy.after[i]))));
        all.push(with(&|copy| copy.reverses = other(copy.reverses)));
        all.push(with(&|copy| copy.key.get_or_insert_default().push('x')));
        all.push(with(&|copy| copy.body_hash.get_or_insert_default().push(0)));
        all
    }
}

fn other(number: Option<i64>) -> Option<i64> {
    number.map_or(Some(0), |number| number.checked_add(1))
}

fn transfers() -> impl Strategy<Value = Transfer> {
    let optional = prop::option::of(any::<i64>());
    (
        any::<[[u8; 16]; 3]>(),
        any::<[i64; 3]>(),
        prop::array::uniform4("[a-z:]{0,12}"),
        prop::option::of("[a-z]{0,40}"),
        prop::option::of(prop::collection::vec(any::<u8>(), 0..40)),
        [optional.clone(), optional.clone()],
        optional,
    )
        .prop_map(|(ids, numbers, texts, key, body_hash, after, reverses)| Transfer {
            ids,
            numbers,
            texts,
            key,
            body_hash,
            after,
            reverses,
        })
}

fn leaves() -> impl Strategy<Value = Vec<Leaf>> {
    let leaf = (any::<[u8; 32]>(), any::<[u8; 16]>(), 0_i64..1 << 50)
        .prop_map(|(salt, holder, balance)| Leaf { salt, holder, balance });
    prop::collection::vec(leaf, 1..40)
}

/// A stored node with one byte changed; `None` if the result is not a valid node.
fn changed(node: Node, byte: usize, flip: u8) -> Option<Node> {
    let mut bytes = node.to_bytes();
    bytes[byte] ^= flip;
    Node::from_bytes(&bytes).ok()
}

proptest! {
    #[test]
    fn any_change_of_a_transfer_changes_its_hash(
        transfer in transfers(), byte in 0_usize..32, flip in 1_u8..,
    ) {
        let mut hashes: HashSet<[u8; 32]> =
            transfer.changed().iter().map(|changed| changed.hash(&START)).collect();
        prop_assert_eq!(hashes.len(), 15);
        let mut previous = START;
        previous[byte] ^= flip;
        prop_assert!(hashes.insert(transfer.hash(&previous)));
        prop_assert!(hashes.insert(transfer.hash(&START)));
    }

    /// Texts carry their lengths: moving a letter from one text to the next gives a different hash.
    #[test]
    fn texts_do_not_run_into_each_other(transfer in transfers(), i in 0_usize..3) {
        let mut moved = transfer.clone();
        moved.texts[i].push('x');
        let mut other = transfer;
        other.texts[i + 1].insert(0, 'x');
        prop_assert_ne!(moved.hash(&START), other.hash(&START));
    }

    #[test]
    fn every_leaf_proves_and_the_sums_add(leaves in leaves()) {
        let tree = Tree::build(leaves.clone()).expect("a tree");
        prop_assert_eq!(tree.root().sum, leaves.iter().map(|leaf| leaf.balance).sum::<i64>());
        for level in tree.levels() {
            prop_assert_eq!(level.iter().map(|node| node.sum).sum::<i64>(), tree.root().sum);
        }
        prop_assert!(tree.levels()[0].is_sorted_by_key(|node| node.hash));
        for leaf in &leaves {
            let index = tree.index_of(&leaf.node().expect("a node").hash).expect("in the tree");
            let steps = tree.prove(index);
            prop_assert_eq!(steps.len(), places(leaves.len(), index).len());
            prop_assert_eq!(fold(leaf, &steps), Ok(tree.root()));
        }
    }

    #[test]
    fn the_order_of_the_members_does_not_matter(leaves in leaves()) {
        let mut turned = leaves.clone();
        turned.reverse();
        prop_assert_eq!(Tree::build(leaves), Tree::build(turned));
    }

    #[test]
    fn a_changed_leaf_does_not_prove(
        leaves in leaves(), pick in any::<prop::sample::Index>(), byte in 0_usize..56, flip in 1_u8..,
    ) {
        let tree = Tree::build(leaves.clone()).expect("a tree");
        let leaf = pick.get(&leaves);
        let index = tree.index_of(&leaf.node().expect("a node").hash).expect("in the tree");
        let mut other = leaf.clone();
        match byte {
            0..32 => other.salt[byte] ^= flip,
            32..48 => other.holder[byte - 32] ^= flip,
            _ => {
                let mut balance = leaf.balance.to_be_bytes();
                balance[byte - 48] ^= flip;
                other.balance = i64::from_be_bytes(balance);
            }
        }
        prop_assert_ne!(fold(&other, &tree.prove(index)), Ok(tree.root()));
    }

    #[test]
    fn a_changed_proof_does_not_lead_to_the_root(
        leaves in leaves(), pick in any::<prop::sample::Index>(), step in any::<prop::sample::Index>(),
        byte in 0_usize..40, flip in 1_u8..,
    ) {
        let tree = Tree::build(leaves.clone()).expect("a tree");
        let leaf = pick.get(&leaves);
        let index = tree.index_of(&leaf.node().expect("a node").hash).expect("in the tree");
        let steps = tree.prove(index);
        let found = fold(leaf, &steps).expect("a root");
        prop_assert_ne!(Some(found), changed(tree.root(), byte, flip));
        if steps.is_empty() {
            return Ok(());
        }
        let at = step.index(steps.len());
        for other in wrong_steps(&steps, at, byte, flip) {
            prop_assert_ne!(fold(leaf, &other), Ok(tree.root()));
        }
    }

    #[test]
    fn a_stored_node_is_read_back(hash in any::<[u8; 32]>(), sum in 0_i64..) {
        let node = Node { hash, sum };
        prop_assert_eq!(Node::from_bytes(&node.to_bytes()), Ok(node));
    }
}

/// The proof with one step changed, moved to the other side, or left out.
fn wrong_steps(steps: &[Step], at: usize, byte: usize, flip: u8) -> Vec<Vec<Step>> {
    let mut turned = steps.to_vec();
    turned[at].side = match turned[at].side {
        Side::Left => Side::Right,
        Side::Right => Side::Left,
    };
    let mut shorter = steps.to_vec();
    shorter.remove(at);
    let mut wrong = vec![turned, shorter];
    if let Some(node) = changed(steps[at].node, byte, flip) {
        let mut edited = steps.to_vec();
        edited[at].node = node;
        wrong.push(edited);
    }
    wrong
}
