"""Defined names by substring and by sub-tokens, with pg_trgm."""

from collections.abc import Sequence

from headwater.domain.subtoken import subtokens
from headwater.stores.relational.database import Session
from headwater.stores.relational.folding import fold

_SHORTEST = "ORDER BY length, name LIMIT ?"


class PostgresNameIndex:
    """`NameIndex` over the table defined_names."""

    def add(self, session: Session, names: Sequence[tuple[int, str]]) -> None:
        known = {i for (i,) in session.rows("SELECT id FROM defined_names WHERE id IN @ints", [i for i, _ in names])}
        session.insert(
            "defined_names",
            "id, name, length, folded, parts",
            [(i, name, len(name), fold(name), _spaced(subtokens(name))) for i, name in names if i not in known],
            "ON CONFLICT DO NOTHING",
        )

    def remove(self, session: Session, names: Sequence[tuple[int, str]]) -> None:
        session.run("DELETE FROM defined_names WHERE id IN @ints", [i for i, _ in names])

    def drop_nameless(self, session: Session) -> None:
        session.run("DELETE FROM defined_names d WHERE NOT EXISTS(SELECT 1 FROM names n WHERE n.id = d.id)")

    def wrong(self, session: Session, names: Sequence[tuple[int, str]]) -> set[int]:
        held = {row[0]: row[1:] for row in session.rows("SELECT id, name, length, folded, parts FROM defined_names")}
        return {i for i, n in names if held.get(i) != (n, len(n), fold(n), _spaced(subtokens(n)))}

    def folded(self, session: Session, name: str, limit: int) -> list[str]:
        return _names(session, "folded = ? ORDER BY name LIMIT ?", fold(name), limit)

    def containing(self, session: Session, part: str, limit: int) -> list[str]:
        return _names(session, f"folded LIKE ? {_SHORTEST}", _pattern(fold(part)), limit)

    def with_parts(self, session: Session, parts: Sequence[str], limit: int) -> list[str]:
        run = [part.lower() for part in parts]
        if not all(run) or any(" " in part for part in run) or not run:
            return []
        return _names(session, f"parts LIKE ? {_SHORTEST}", _pattern(_spaced(run)), limit)


def _names(session: Session, condition: str, *params: object) -> list[str]:
    rows = session.rows(f"SELECT name FROM defined_names WHERE {condition}", *params)
    return [str(name) for (name,) in rows]


def _spaced(parts: Sequence[str]) -> str:
    return f" {' '.join(parts)} "


def _pattern(part: str) -> str:
    for special in "\\%_":
        part = part.replace(special, f"\\{special}")
    return f"%{part}%"
