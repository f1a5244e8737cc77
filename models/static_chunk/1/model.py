"""What Triton loads: the static model for chunks."""

from headwater.clients.triton_backend import ChunkModel as TritonPythonModel

__all__ = ["TritonPythonModel"]
