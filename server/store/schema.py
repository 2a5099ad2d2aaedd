"""The tables of the store. Times are whole seconds since 1970."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData()

# SQLite finds a row by its number without a second index only if the type is INTEGER.
_row_number = BigInteger().with_variant(Integer, "sqlite")

served_tables = Table(
    "served_tables",
    metadata,
    # Short numbers, because every entry in the log carries one.
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("created_at", BigInteger, nullable=False),
    Column("state", String(16), nullable=False),
    Column("rules", Text, nullable=False),
    Column("players", Integer, nullable=False),
    Column("setup", Text, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    # No chunk before this one holds anything of the table.
    Column("first_chunk", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("result", Text),
    # Whether those without a seat may find it.
    Column("listed", Boolean, nullable=False),
    # Entries that the log may forget: all of them once the match is over.
    Column("entries", LargeBinary),
    # Once it has ended: no chunk after this one holds anything of it.
    Column("last_chunk", BigInteger),
    Index("served_tables_by_state", "state", "id"),
    Index("served_tables_by_end", "ended_at", "id"),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", ForeignKey("served_tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player", String(300), nullable=False),
    Column("bot", String(64)),
    # While it is a person's.
    Column("token_hash", LargeBinary, unique=True),
    # Who acts for it: nobody yet, a person, a bot or a house bot.
    Column("kind", String(16), nullable=False),
    # While it is free.
    Column("ticket_hash", LargeBinary),
)

log_chunks = Table(
    "log_chunks",
    metadata,
    Column("id", _row_number, primary_key=True, autoincrement=False),
    Column("items", Integer, nullable=False),
    Column("crc", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

# Bids and bid cards that only their owner may know yet.
sealed = Table(
    "sealed",
    metadata,
    Column("table_id", ForeignKey("served_tables.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("seat", Integer, primary_key=True),
    # The highest counts.
    Column("attempt", Integer, primary_key=True),
    Column("payload", LargeBinary, nullable=False),
)

faults = Table(
    "faults",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", ForeignKey("served_tables.id"), nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("fault", String(16), nullable=False),
    Column("milliseconds", Integer, nullable=False),
    Column("detail", Text, nullable=False),
    Index("faults_by_table", "table_id", "id"),
)

bots = Table(
    "bots",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("display_name", String(300), nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

bot_tokens = Table(
    "bot_tokens",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("bot", ForeignKey("bots.name"), nullable=False),
    Column("prefix", String(32), nullable=False, unique=True),
    Column("scopes", String(200), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger),
    Column("lane", Integer),
    Column("last_used_at", BigInteger),
    Index("bot_tokens_by_bot", "bot"),
)

# Of calls that may be repeated.
receipts = Table(
    "receipts",
    metadata,
    # Hash of method, caller and request id.
    Column("call", LargeBinary, primary_key=True),
    # Hash of the request.
    Column("request", LargeBinary, nullable=False),
    Column("salt", LargeBinary, nullable=False),
    # What it was about; empty where it was no table.
    Column("table_name", String(64), nullable=False),
    Column("seat", Integer),
    Column("made_at", BigInteger, nullable=False),
    Index("receipts_by_age", "made_at"),
)

VERSIONS = ("0001", "0002", "0003", "0004", "0005", "0006")
"""Revisions in `migrations/versions`, oldest first; the last is that of `metadata`."""

# Alembic's own, in its own metadata: a new store is made without loading Alembic.
version = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), primary_key=True, nullable=False),
)
