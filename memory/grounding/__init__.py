"""From evidence to a grounded answer: choosing quotations, composing, and checking every claim."""
