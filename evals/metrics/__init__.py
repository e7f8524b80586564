"""The metrics: functions of the questions of a run's document, each with a definition that can be checked by hand."""
