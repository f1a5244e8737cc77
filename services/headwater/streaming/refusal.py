"""Why the brokers don't take a client now, as plainly as can be found out."""

import socket
import ssl

from headwater.settings import SettingsError
from headwater.streaming.kafka import unreachable
from headwater.streaming.kafka_connection import Access, Connection
from headwater.streaming.security import security_from

HANDSHAKE_S = 3.0


def refusal(access: Access) -> str:
    """ "" when they do."""
    try:
        connection = access.connection()
    except SettingsError as error:
        return str(error)
    said = unreachable(connection)
    return (_distrust(connection) or said) if "certificate" in said else said


def _distrust(connection: Connection) -> str:
    """What is wrong with a broker's certificate: librdkafka says only that something is."""
    try:
        context = security_from(connection.properties).tls_context()
    except SettingsError:
        return ""
    if context is None:
        return ""
    for address in connection.brokers.split(","):
        host, _, port = address.strip().rpartition(":")
        try:
            with socket.create_connection((host, int(port)), HANDSHAKE_S) as raw:
                context.wrap_socket(raw, server_hostname=host).close()
        except ssl.SSLCertVerificationError as error:
            return f"the certificate of {address} is refused: {error.verify_message}"
        except (OSError, ValueError):
            continue
    return ""
