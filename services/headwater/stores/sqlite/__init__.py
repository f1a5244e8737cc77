"""The relational catalog's SQLite side: connections, schema and the full-text indexes."""
