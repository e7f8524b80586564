"""The memory in other people's programs: middleware and tools of agents, a retriever, a server of tools."""
