"""The data sets: each module reads the published form of one, and says what is wrong with a file that is not of it."""
