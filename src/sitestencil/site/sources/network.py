"""Which addresses are of the public internet, and which names stand for machines near by."""

from ipaddress import IPv4Address, IPv6Network, ip_address, ip_network

# A translator between IPv6 and IPv4 reaches the machine whose IPv4 address stands in the last 32 bits (RFC 6052).
_TRANSLATED = IPv6Network("64:ff9b::/96")
_GLOBAL_UNICAST = IPv6Network("2000::/3")
# Of what Python's tables or the registries call global: tunnels into IPv4, and where clouds tell machines secrets.
_NOT_PUBLIC = tuple(
    ip_network(network)
    for network in (
        "2001::/23",  # protocol assignments, Teredo among them
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
        "192.0.0.0/24",  # protocol assignments, a cloud's metadata among them
        "192.88.99.0/24",  # relays of 6to4
        "168.63.129.16/32",  # Azure's metadata; those of other clouds are link-local, shared or unique local
    )
)
# Names that the public DNS does not hold (RFC 6761, RFC 6762 appendix G, RFC 8375, ICANN for ``internal``).
_NEARBY = (
    ".localhost",
    ".local",
    ".home.arpa",
    ".internal",
    ".intranet",
    ".private",
    ".corp",
    ".home",
    ".lan",
    ".test",
)


def is_public(address: str) -> bool:
    """Return whether an IP address is a machine's on the public internet.

    Only what is known to be public counts: IPv4 that the registries call global, IPv6 of global unicast. Loopback,
    private, link-local, site-local, unique local, shared (CGNAT), multicast, unspecified and reserved addresses,
    those of cloud metadata, and IPv4 in IPv6 by mapping, 6to4 or Teredo are not. An address behind the translator
    of RFC 6052 is as public as the IPv4 address in it: networks without IPv4 reach most of the web so.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if parsed in _TRANSLATED:
        parsed = IPv4Address(parsed.packed[-4:])
    if parsed.version == 6 and parsed not in _GLOBAL_UNICAST:
        return False
    return parsed.is_global and not parsed.is_multicast and not any(parsed in network for network in _NOT_PUBLIC)


def is_loopback_name(name: str) -> bool:
    """Return whether a host's name says that it is this very machine.

    >>> is_loopback_name("localhost"), is_loopback_name("[::1]"), is_loopback_name("example.org")
    (True, True, False)
    """
    name = name.strip("[]").rstrip(".").lower()
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def is_nearby_name(name: str) -> bool:
    """Return whether a host's name says itself that it is near by: an IP address, no dot, or no public ending."""
    name = name.strip("[]").rstrip(".").lower()
    try:
        ip_address(name)
    except ValueError:
        return "." not in name or name.endswith(_NEARBY)
    return True
