"""The wire: generated protobuf code, its conversion to and from the domain's values, and errors as status."""
