"""Certificates that sign themselves."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


def certified(folder: Path) -> Path:
    """Write a file with a key and its certificate for 127.0.0.1."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    here = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    now, day = datetime.now(UTC), timedelta(days=1)
    builder = x509.CertificateBuilder(
        name, name, key.public_key(), x509.random_serial_number(), now - day, now + day
    )
    certificate = builder.add_extension(here, critical=False).sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = folder / "certificate.pem"
    path.write_bytes(secret + certificate.public_bytes(pem))
    return path
