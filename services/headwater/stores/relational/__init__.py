"""The catalog on a relational database: pure planning of rows, and the SQL that SQLite and PostgreSQL share."""
