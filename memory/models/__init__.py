"""Language models behind one door: deadlines, retries, rate limits and the reading of what they send back."""
