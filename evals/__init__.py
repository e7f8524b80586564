"""Evaluation: data sets, run through the product's own recall and answers, and what that measures."""
