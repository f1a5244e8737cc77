"""A table beside the catalogs' schemas, which the whole database shares and the first write makes."""

from headwater.stores.relational.database import Session


class SharedTable:
    """`columns` are as in CREATE TABLE."""

    def __init__(self, name: str, columns: str) -> None:
        self._name, self._columns, self._made = name, columns, False

    def is_made(self, session: Session) -> bool:
        if not self._made:
            self._made = bool(session.rows("SELECT to_regclass(?) IS NOT NULL", self._name)[0][0])
        return self._made

    def lock(self, session: Session) -> None:
        """One writer at a time until the transaction ends; the table is there from now on."""
        session.run("SELECT pg_advisory_xact_lock(hashtext(?))", self._name)
        session.run(f"CREATE TABLE IF NOT EXISTS {self._name}({self._columns})")
