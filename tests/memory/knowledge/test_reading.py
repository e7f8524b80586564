"""Reading files: the kinds that are known, paragraphs joined, and one sentence for what is wrong."""

from pathlib import Path

import pytest

from veridical.memory.errors import BadFile
from veridical.memory.knowledge.reading import joined_lines, read_document

from .pdf import write_pdf


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.requirement("KNOWLEDGE-ADD")
@pytest.mark.parametrize("name", ["manual.md", "manual.MARKDOWN", "manual.txt"])
def test_text_files_are_read_as_they_are(tmp_path: Path, name: str):
    read = read_document(write(tmp_path / name, "\ufeff# Manual\r\n\r\nPress the red button.\r\n"))
    assert (read.name, read.text, read.language) == (name, "# Manual\n\nPress the red button.\n", "en")


@pytest.mark.requirement("KNOWLEDGE-ADD")
def test_the_text_of_every_page_of_a_pdf_is_read(tmp_path: Path):
    first = ["The lamp has to be switched off before the cover is re-", "moved by a trained person."]
    read = read_document(write_pdf(tmp_path / "manual.pdf", first, ["Batteries last for 30 hours."]))
    assert read.media_type == "application/pdf"
    assert "before the cover is removed by a trained person." in read.text
    assert "Batteries last for 30 hours." in read.text


@pytest.mark.requirement("KNOWLEDGE-ADD", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("notes.docx", b"x", "is no Markdown, text or PDF file"),
        ("empty.md", b" \n\n", "holds no text"),
        ("latin.txt", "Gr\u00f6\u00dfe".encode("latin-1"), "not UTF-8"),
        ("broken.pdf", b"%PDF-1.4 nothing of a PDF", "is no sound PDF"),
        ("text.pdf", b"plain words", "is no sound PDF"),
        ("none.pdf", b"", "is no sound PDF"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path, name: str, content: bytes, says: str):
    with pytest.raises(BadFile, match=says) as raised:
        read_document(write(tmp_path / name, content))
    assert "\n" not in str(raised.value)


@pytest.mark.requirement("KNOWLEDGE-ADD", "ERRORS-ONE-SENTENCE")
def test_an_encrypted_pdf_and_a_missing_file_are_one_sentence(tmp_path: Path):
    with pytest.raises(BadFile, match="protected by a password"):
        read_document(write_pdf(tmp_path / "secret.pdf", ["hidden"], password="open sesame"))
    with pytest.raises(BadFile, match="cannot be read"):
        read_document(tmp_path / "missing.pdf")
    with pytest.raises(BadFile, match="holds no text"):
        read_document(write_pdf(tmp_path / "scan.pdf", []))


@pytest.mark.requirement("KNOWLEDGE-CHUNK-QUOTES")
def test_a_wrapped_paragraph_becomes_one_line_and_nothing_else_does():
    wrapped = (
        "Devices that were bought in a shop can be returned\nwithin 30 days.\n\n- one\n- two\n\n| a | b |\n| c | d |\n"
    )
    assert joined_lines(wrapped) == (
        "Devices that were bought in a shop can be returned within 30 days.\n\n- one\n- two\n\n| a | b |\n| c | d |\n"
    )
    assert joined_lines("所有设备自购买之日起享受二十四个月的保修服务，\n电池除外。\n") == (
        "所有设备自购买之日起享受二十四个月的保修服务，电池除外。\n"
    )
    verse = "Name: Ann\nCity: Oslo\n\n```\na long line of code that nobody wrapped, and that is\nkept as it is\n```\n"
    assert joined_lines(verse) == verse
