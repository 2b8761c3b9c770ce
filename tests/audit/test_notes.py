"""Signed notes and checkpoints: the published example, and rejected input."""

import base64

import pytest

from railbird_engine.audit.notes import (
    Checkpoint,
    NoteError,
    Signer,
    UntrustedError,
    Verifier,
    opened,
    signed,
)

# The example of the format's first implementation: golang.org/x/mod/sumdb/note.
PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PRIVATE = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
TEXT = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what "
    "your problem is.\n"
)
NOTE = (
    TEXT + "\n— PeterNeumann "
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)

OURS = Signer("example.com/log", bytes(range(32)))
OTHER = Signer("example.com/log", bytes(range(1, 33)))


def test_the_published_example() -> None:
    signer, verifier = Signer.parse(PRIVATE), Verifier.parse(PUBLIC)
    assert signer.verifier == verifier
    assert (signer.text, verifier.text) == (PRIVATE, PUBLIC)
    assert signed(TEXT, [signer]) == NOTE
    assert opened(NOTE, [verifier]) == TEXT


def test_any_trusted_key_verifies_a_note_and_unknown_signatures_are_ignored() -> None:
    note = signed("text\n\nwith an empty line\n", [OURS, OTHER])
    assert (
        opened(note, [OTHER.verifier])
        == opened(note, [OURS.verifier])
        == "text\n\nwith an empty line\n"
    )


def test_a_note_by_another_key_of_the_same_name_is_not_trusted() -> None:
    with pytest.raises(UntrustedError):
        opened(signed("text\n", [OTHER]), [OURS.verifier])


@pytest.mark.parametrize("place", range(len("text\nof two lines\n") - 1))
def test_any_changed_character_of_the_text_is_found(place: int) -> None:
    note = signed("text\nof two lines\n", [OURS])
    with pytest.raises(UntrustedError):
        opened(note[:place] + "X" + note[place + 1 :], [OURS.verifier])


def test_one_bad_signature_of_a_trusted_key_invalidates_the_note() -> None:
    good, bad = signed("text\n", [OURS]), signed("other\n", [OTHER])
    with pytest.raises(UntrustedError):
        opened(good + bad.rpartition("\n\n")[2], [OURS.verifier, OTHER.verifier])


@pytest.mark.parametrize(
    "note",
    [
        "",
        "text\n",
        "text\n\n",
        "text\n\n— name\n",
        "text\n\n— name not base64\n",
        "text\n\n- name " + base64.b64encode(bytes(68)).decode() + "\n",
        "te\rxt\n\n— name " + base64.b64encode(bytes(68)).decode() + "\n",
        "text\n\n" + ("— name " + base64.b64encode(bytes(68)).decode() + "\n") * 65,
        "x" * 70_000,
    ],
)
def test_an_invalid_note_is_rejected(note: str) -> None:
    with pytest.raises(NoteError):
        opened(note, [OURS.verifier])


@pytest.mark.parametrize(
    "key",
    [
        "",
        "a+b",
        PUBLIC[:-1],
        PUBLIC.replace("c74f20a3", "c74f20a4"),
        PUBLIC.replace("PeterNeumann", "Peter Neumann"),
        PUBLIC + "A",
    ],
)
def test_an_invalid_key_is_rejected(key: str) -> None:
    with pytest.raises(NoteError):
        Verifier.parse(key)
    with pytest.raises(NoteError) as refused:
        Signer.parse(PRIVATE[:-3])
    assert PRIVATE[-20:-3] not in str(refused.value)


def test_a_checkpoint_survives_its_codec_and_ignores_extensions() -> None:
    # The example of the specification.
    text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    checkpoint = Checkpoint.parse(text)
    assert (checkpoint.origin, checkpoint.size) == ("example.com/behind-the-sofa", 20_852_163)
    assert checkpoint.text == text
    assert Checkpoint.parse(text + "an extension\n") == checkpoint


@pytest.mark.parametrize(
    "text",
    [
        "",
        "origin\n1\n",
        "origin\n01\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
        "origin\n-1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
        "origin\n99999999999999999999\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
        "origin\n1\nCsUY\n",
        "\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
        "origin\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=",
    ],
)
def test_an_invalid_checkpoint_is_rejected(text: str) -> None:
    with pytest.raises(NoteError):
        Checkpoint.parse(text)
