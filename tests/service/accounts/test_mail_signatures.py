"""Lines that players sign with: kept within bounds, exported, and gone with the account."""

from service.accounts.mail_state import MOST, MailSignatures
from service.core.redis.client import Client

ADA = "a" * 16


def test_lines_are_kept_once_and_the_oldest_give_way(redis: Client) -> None:
    signatures = MailSignatures(redis)
    signatures.add(ADA, ["head of engines", "t: 1"])
    signatures.add(ADA, ["head of engines"])
    assert signatures.of(ADA) == ["t: 1", "head of engines"]

    signatures.add(ADA, [f"line {number}" for number in range(MOST)])
    assert signatures.of(ADA) == [f"line {number}" for number in range(MOST)]
