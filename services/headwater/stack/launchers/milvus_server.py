"""Becomes the Milvus server of the `milvus` wheel; runs in the wheel's own environment, with nothing of Headwater."""

# The wheel's own command binds without SO_REUSEADDR and so moves to port + 1 after a crash, and unpacks 246 MB of
# binaries into every data folder; here ports are kept and binaries shared.
import os
import socket
import sys
from pathlib import Path

import milvus


def bind(_config: object, port: int) -> socket.socket | None:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen()
    except OSError:
        listener.close()
        return None
    return listener


def main(data: str, binaries: str, port: str, metrics_port: str, *settings: str) -> None:
    milvus.MilvusServerConfig.try_bind_port = bind
    config = milvus.MilvusServerConfig(data_dir=data, proxy_port=int(port))
    for setting in settings:
        config.set(*setting.split("=", 1))
    config.resolve()
    config.cleanup_listen_ports()
    milvus._initialize_data_files(binaries)
    folder = Path(binaries) / "bin"
    libraries = f"{folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    run_dir = str(Path(data).resolve() / "run")
    own = {"DEPLOY_MODE": "STANDALONE", "METRICS_PORT": metrics_port, "MILVUS_RUN_DIR": run_dir}
    os.chdir(data)
    os.execve(folder / "milvus", ["milvus", "run", "standalone"], {**os.environ, **own, "LD_LIBRARY_PATH": libraries})


if __name__ == "__main__":
    main(*sys.argv[1:])
