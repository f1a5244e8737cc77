"""One folder a language: what it is called, how its files are known, and what its grammar's nodes mean."""
