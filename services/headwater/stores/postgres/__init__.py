"""The relational catalog's PostgreSQL side: connections, schema, pins and the full-text indexes."""
