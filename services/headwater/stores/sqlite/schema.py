"""The SQLite schema of the catalog; a change of it is a new SCHEMA_VERSION."""

SCHEMA_VERSION = "7"

_GRAMS = "content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1'"
NAME_GRAMS, TEXT_GRAMS = f"name, {_GRAMS}", f"text, {_GRAMS}"
NAME_PARTS = "name, content='', contentless_delete=1, detail=full, tokenize='ascii'"

STATEMENTS = f"""
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counters VALUES
  ('revision', 0), ('dead_contents', 0), ('epoch', 0);

CREATE TABLE repositories(name TEXT PRIMARY KEY, location TEXT NOT NULL, paused INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE views(
  id INTEGER PRIMARY KEY AUTOINCREMENT, repo TEXT NOT NULL, ref TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0,
  opened INTEGER NOT NULL DEFAULT 0, published INTEGER NOT NULL DEFAULT 0, published_at REAL NOT NULL DEFAULT 0,
  vector_complete INTEGER NOT NULL DEFAULT 0, proven INTEGER NOT NULL DEFAULT 0, vectors_at INTEGER NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX live_view ON views(repo, ref) WHERE deleted = 0;
CREATE TABLE refusals(
  repo TEXT NOT NULL, ref TEXT NOT NULL, commit_id TEXT NOT NULL, reason TEXT NOT NULL,
  PRIMARY KEY(repo, ref)) WITHOUT ROWID;
CREATE TABLE generations(
  view INTEGER NOT NULL, generation INTEGER NOT NULL, commit_id TEXT NOT NULL, tree TEXT NOT NULL,
  pushed_at REAL NOT NULL, published INTEGER NOT NULL DEFAULT 0, rules TEXT NOT NULL DEFAULT '',
  base_view INTEGER NOT NULL DEFAULT 0, base_generation INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(view, generation)) WITHOUT ROWID;
CREATE INDEX generation_base ON generations(base_view, base_generation) WHERE base_view > 0;

CREATE TABLE directories(id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
CREATE INDEX directory_name ON directories(name);
CREATE TABLE entries(
  id INTEGER PRIMARY KEY, view INTEGER NOT NULL, directory INTEGER NOT NULL, name TEXT NOT NULL, mode INTEGER NOT NULL,
  oid BLOB NOT NULL, document INTEGER, from_generation INTEGER NOT NULL, to_generation INTEGER NOT NULL);
CREATE UNIQUE INDEX entry_place ON entries(view, directory, name, from_generation);
CREATE INDEX entry_document ON entries(document, view) WHERE document IS NOT NULL;
CREATE INDEX entry_opened ON entries(view, from_generation);
CREATE INDEX entry_closed ON entries(view, to_generation) WHERE to_generation < 4611686018427387904;

CREATE TABLE documents(
  id INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, path TEXT NOT NULL, blob BLOB NOT NULL,
  mode INTEGER NOT NULL, status INTEGER NOT NULL, reason TEXT NOT NULL DEFAULT '', language TEXT NOT NULL DEFAULT '',
  generated INTEGER NOT NULL DEFAULT 0, size INTEGER NOT NULL DEFAULT 0, lines INTEGER NOT NULL DEFAULT 0,
  chunks INTEGER NOT NULL DEFAULT 0, warnings TEXT NOT NULL DEFAULT '', text INTEGER, base INTEGER);
CREATE INDEX document_pending ON documents(id) WHERE status = 0;
CREATE INDEX document_parked ON documents(id) WHERE status = 3;
CREATE INDEX document_base ON documents(base) WHERE base IS NOT NULL;
CREATE INDEX document_text ON documents(text) WHERE text IS NOT NULL;
CREATE TABLE bodies(
  document INTEGER PRIMARY KEY, head BLOB NOT NULL, split INTEGER NOT NULL, symbols BLOB NOT NULL,
  chunks BLOB NOT NULL);
CREATE TABLE texts(id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE, body BLOB NOT NULL, base INTEGER);
CREATE INDEX text_base ON texts(base) WHERE base IS NOT NULL;
CREATE TABLE loose(kind TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY(kind, id)) WITHOUT ROWID;

CREATE TABLE contents(
  id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE, length INTEGER, embedded INTEGER NOT NULL DEFAULT 0);
CREATE INDEX content_waiting ON contents(id) WHERE embedded = 0;
CREATE TABLE chunks(
  document INTEGER NOT NULL, ordinal INTEGER NOT NULL, content INTEGER NOT NULL,
  PRIMARY KEY(document, ordinal)) WITHOUT ROWID;
CREATE INDEX chunk_content ON chunks(content);
CREATE TABLE postings(
  term TEXT NOT NULL, block INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(term, block)) WITHOUT ROWID;

CREATE TABLE names(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
CREATE TABLE symbols(
  name INTEGER NOT NULL, document INTEGER NOT NULL, ordinal INTEGER NOT NULL, line INTEGER NOT NULL,
  PRIMARY KEY(name, document, ordinal)) WITHOUT ROWID;
CREATE TABLE usages(
  name INTEGER NOT NULL, document INTEGER NOT NULL, block INTEGER NOT NULL, imported INTEGER NOT NULL,
  PRIMARY KEY(name, document)) WITHOUT ROWID;
CREATE TABLE usage_blocks(id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE defined_names(id INTEGER PRIMARY KEY, folded TEXT NOT NULL);
CREATE INDEX defined_folded ON defined_names(folded);
CREATE VIRTUAL TABLE name_grams USING fts5({NAME_GRAMS});
CREATE VIRTUAL TABLE name_parts USING fts5({NAME_PARTS});
CREATE VIRTUAL TABLE text_grams USING fts5({TEXT_GRAMS});
"""
