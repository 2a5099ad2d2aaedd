import pytest

from engine.commitments import GROUP, is_proved, leaf, proof, root

LEAVES = [leaf(block, 0, bytes([block % 256]) * 32) for block in range(GROUP)]


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 13])
def test_every_leaf_is_proved_in_its_place_and_no_other(count: int) -> None:
    leaves = LEAVES[:count]
    promised = root(leaves)
    for index in range(count):
        beside = proof(leaves, index)
        places = [
            place
            for place in range(-1, count + 1)
            if is_proved(
                promised, leaves[index], index=place, leaves=count, beside=beside
            )
        ]
        assert places == [index]


def test_a_proof_of_a_whole_group_is_ten_hashes() -> None:
    beside = proof(LEAVES, 700)
    assert len(beside) == 10
    promised = root(LEAVES)
    assert is_proved(promised, LEAVES[700], index=700, leaves=GROUP, beside=beside)


def test_another_leaf_seed_or_proof_is_not_accepted() -> None:
    leaves = LEAVES[:6]
    promised = root(leaves)
    beside = proof(leaves, 2)
    other = leaf(2, 1, bytes([2]) * 32)
    assert other != leaves[2]
    for opened, path in (
        (other, beside),
        (leaves[2], beside[:-1]),
        (leaves[2], [*beside, beside[0]]),
        (leaves[2], beside[::-1]),
        (leaves[2], []),
    ):
        assert not is_proved(promised, opened, index=2, leaves=6, beside=path)


def test_the_root_depends_on_the_order_of_leaves() -> None:
    assert root(LEAVES[:3]) != root(LEAVES[2::-1])
