"""The steps of one turn: each module holds one synchronous function from state to a partial update."""
