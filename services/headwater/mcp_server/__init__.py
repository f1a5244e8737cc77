"""Code search for agents: the Model Context Protocol over an engine in this process or a query service."""
