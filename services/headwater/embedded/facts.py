"""A repository's facts out of the catalog, as the corpus that resolution works on."""

from headwater.embedded.product import Product
from headwater.evaluation.corpus import MemoryCorpus


def corpus_of(product: Product, repo: str) -> MemoryCorpus:
    """All files of the repository's published views."""
    views = [state.view for state in product.catalog.views() if state.view.repo == repo]
    with product.catalog.pin(views) as scope:
        rows = product.catalog.documents_containing(scope, ())
        facts = {row.path: product.catalog.document(row.document_id).facts for row in rows}
        modules = {r.path: product.catalog.text(r.document_id) for r in rows if r.path.rpartition("/")[2] == "go.mod"}
    files = ((path, modules.get(path, "").encode()) for path in facts)
    return MemoryCorpus(files, lambda path, _content: facts[path])
