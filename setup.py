"""Computes the packages of the wheel from the product folders, each as a part of `veridical`."""

from setuptools import find_packages, setup

FOLDERS = ["prompts", "memory", "intents", "nodes", "graph", "service", "evals", "integrations", "cli"]

setup(packages=[f"veridical.{name}" for name in find_packages(include=[*FOLDERS, *(f"{f}.*" for f in FOLDERS)])])
