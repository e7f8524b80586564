"""PDF files made by hand, so that no test needs a library to write them."""

from io import BytesIO
from pathlib import Path

from pypdf import PdfReader, PdfWriter


def write_pdf(path: Path, *pages: list[str], password: str | None = None) -> Path:
    """Write lines of text on pages; with a password the file is encrypted."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    for lines in pages:
        shown = "\n".join(f"({line}) Tj T*" for line in lines)
        stream = f"BT /F1 12 Tf 14 TL 50 700 Td\n{shown}\nET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        font = "<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R"
            f" /Resources << /Font {font} >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    path.write_bytes(pdf_of(objects))
    if password is not None:
        writer = PdfWriter(clone_from=PdfReader(BytesIO(path.read_bytes())))
        writer.encrypt(password, algorithm="RC4-128")
        writer.write(path)
    return path


def pdf_of(objects: list[str]) -> bytes:
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    return body + (head + trailer).encode()
