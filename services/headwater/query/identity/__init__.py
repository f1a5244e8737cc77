"""Who asks, what they may read, and the record of it: from a gRPC call to grants."""
