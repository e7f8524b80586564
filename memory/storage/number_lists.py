"""Many numbers handed to a statement as one parameter, a JSON list: no database limits how long that is."""

_SQLITE = "SELECT value FROM json_each(:{})"
_POSTGRESQL = (
    "SELECT CAST(listed.value AS bigint) AS value FROM json_array_elements_text(CAST(:{} AS json)) AS listed(value)"
)


def listed(dialect: str, parameter: str) -> str:
    """A query of the numbers in the JSON list of that parameter, in the SQL of a dialect."""
    return (_POSTGRESQL if dialect == "postgresql" else _SQLITE).format(parameter)
