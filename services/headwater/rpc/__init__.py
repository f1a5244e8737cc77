"""The gRPC contract: generated code and the one module that converts between it and the domain."""
