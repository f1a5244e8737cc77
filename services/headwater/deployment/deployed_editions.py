"""What the streaming system keeps of each edition: a schema, a collection, and topics where Kafka is named."""

from collections.abc import Mapping
from contextlib import ExitStack, closing

from headwater.deployment.parts.catalog import CatalogSettings, WholeCatalog
from headwater.deployment.parts.editions import catalog_of
from headwater.deployment.topics import TopicsSettings, sized
from headwater.domain.edition import Edition
from headwater.rollout.sharing import share_repositories
from headwater.settings import load_settings
from headwater.stores.milvus_settings import MilvusSettings
from headwater.stores.milvus_vectors import MilvusVectorStore
from headwater.stores.postgres.database import PostgresDatabase, PostgresSettings
from headwater.stores.postgres.editions import schema_name
from headwater.streaming.broker_access import read_properties
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.kafka_topics import create_topics, delete_topics
from headwater.streaming.topic_settings import topic_settings

BROKERS = "HEADWATER_TOPICS_BROKERS"


class DeployedEditions:
    """Implements `EditionStores` over the stores that the environment names.

    Raises SettingsError, CatalogUnavailableError, VectorsUnavailableError, KafkaUnavailableError.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ, self._opened = environ, ExitStack()
        self._milvus = load_settings(MilvusSettings, "milvus", environ)
        self._topics = load_settings(TopicsSettings, "topics", environ) if environ.get(BROKERS) else None
        self._catalogs: dict[int, WholeCatalog] = {}

    def lay_out(self, edition: Edition, live: Edition) -> None:
        share_repositories(self.catalog(live), self.catalog(edition))
        self._vectors(edition).close()
        if self._topics is not None:
            wanted = sized(topic_settings(), self._topics.partitions)
            create_topics(self._connection(self._topics, edition), wanted, self._topics.replication)

    def follow(self, live: Edition) -> None:
        with closing(self._vectors(live)) as store:
            store.promote()

    def drop(self, edition: Edition) -> None:
        """The topics first: nothing writes any more what nobody reads."""
        if self._topics is not None:
            delete_topics(self._connection(self._topics, edition), [t.name for t in topic_settings()])
        with closing(self._vectors(edition)) as store:
            store.release()
        if edition.number in self._catalogs:
            self._catalogs.pop(edition.number).close()
        url = load_settings(CatalogSettings, "catalog", self._environ).url
        with closing(PostgresDatabase(url, PostgresSettings(), schema_name(edition.number))) as database:
            database.drop()

    def catalog(self, edition: Edition) -> WholeCatalog:
        if edition.number not in self._catalogs:
            catalog = catalog_of(self._environ, edition.number, edition.version)
            self._catalogs[edition.number] = self._opened.enter_context(closing(catalog))
        return self._catalogs[edition.number]

    def vectors(self, edition: Edition) -> int:
        with closing(self._vectors(edition)) as store:
            return store.count()

    def close(self) -> None:
        self._opened.close()

    def _vectors(self, edition: Edition) -> MilvusVectorStore:
        return MilvusVectorStore(self._milvus, edition.version, shadow=True)

    def _connection(self, topics: TopicsSettings, edition: Edition) -> Connection:
        return Connection(topics.brokers, read_properties(topics.kafka_properties), edition.number)
