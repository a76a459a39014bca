"""A loopback server that speaks HTTP/2 over TLS, and the certificate that it shows."""

import ipaddress
import socket
import ssl
import threading
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

import h2.config
import h2.connection
import h2.events
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

DAY = timedelta(days=1)


def certificate(folder, host="127.0.0.1"):
    """Write a self-signed certificate of an address with its key; returns the path of the PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "stand-in")])
    here = x509.IPAddress(ipaddress.ip_address(host))
    now = datetime.now(UTC)
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    issuer = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now - DAY, now + DAY)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.SubjectAlternativeName([here]), critical=False)
        .add_extension(identifier, critical=False)
        .add_extension(issuer, critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "stand-in.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(signed.public_bytes(serialization.Encoding.PEM) + secret)
    return path


class _Connection:
    """One connection: answers once `together` requests are there, with the headers it was sent."""

    def __init__(self, server, sock):
        self._server, self._sock = server, sock
        self._h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self._open, self._ended = {}, []

    def run(self):
        self._h2.initiate_connection()
        self._sock.sendall(self._h2.data_to_send())
        while data := self._sock.recv(65_536):
            for event in self._h2.receive_data(data):
                self._see(event)
            self._sock.sendall(self._h2.data_to_send())

    def _see(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self._open[event.stream_id] = dict(event.headers)
        elif isinstance(event, h2.events.StreamEnded):
            self._ended.append(event.stream_id)
            if len(self._ended) >= self._server.together:
                for stream in self._ended:
                    self._answer(stream)
                self._ended = []

    def _answer(self, stream):
        headers = self._open.pop(stream)
        self._server.requests.append(headers)
        self._h2.send_headers(
            stream,
            [(":status", "200"), ("x-echo", headers.get(b"authorization", b"-").decode())],
        )
        self._h2.send_data(stream, headers[b":path"], end_stream=True)


class _Server:
    def __init__(self, pem, protocols, together):
        self.requests, self.together, self.connections = [], together, 0
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem)
        context.set_alpn_protocols(protocols)
        self._context = context
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._threads, self._sockets = [], []
        self.url = f"https://127.0.0.1:{self._listening.getsockname()[1]}"
        self._start(self._accept)

    def _start(self, target, *args):
        thread = threading.Thread(target=target, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self):
        with suppress(OSError):
            while True:
                sock, _ = self._listening.accept()
                self._sockets.append(sock)
                self._start(self._speak, sock)

    def _speak(self, plain):
        with (
            suppress(OSError),  # a client that does not trust us goes away
            plain,
            self._context.wrap_socket(plain, server_side=True) as sock,
        ):
            self._sockets.append(sock)
            self.connections += 1
            _Connection(self, sock).run()

    def stop(self):
        for sock in (self._listening, *self._sockets):
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for thread in self._threads:
            thread.join(5)


@contextmanager
def serve(pem, together=1):
    """Serve until the block ends. `requests` are the headers of each, `connections` are counted."""
    server = _Server(pem, ["h2"], together)
    try:
        yield server
    finally:
        server.stop()
