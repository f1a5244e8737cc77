"""Why a file is not in the index: the closed list of reasons that users see."""

BINARY = "binary"
LFS_POINTER = "lfs-pointer"
SUBMODULE = "submodule"
SYMLINK = "symlink"
TOO_LARGE = "too-large"
UNKNOWN_ENCODING = "unknown-encoding"
IGNORED = "ignored"
BAD_NAME = "bad-name"  # in a tree that git itself would refuse to write
OVER_LIMIT = "over-limit"  # the repository's own, detail follows
SECRET = "secret"
UNREADABLE = "unreadable"  # parked: the object could not be read
FAILED = "failed"  # parked: processing failed, detail follows
