"""How stages run: the stage contract, errors with four meanings, and one runner port with several implementations."""
