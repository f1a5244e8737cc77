"""What Triton loads: the static model for querys."""

from headwater.clients.triton_backend import QueryModel as TritonPythonModel

__all__ = ["TritonPythonModel"]
