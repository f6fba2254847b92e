"""Tell public IP addresses from others, and names of nearby machines."""

from ipaddress import IPv4Address, IPv6Network, ip_address, ip_network

# A translator from IPv6 to IPv4 reaches the IPv4 address in the last 32 bits (RFC 6052).
_TRANSLATED = IPv6Network("64:ff9b::/96")
_GLOBAL_UNICAST = IPv6Network("2000::/3")
# Ranges that Python or the registries call global: tunnels into IPv4, and metadata services of clouds.
_NOT_PUBLIC = tuple(
    ip_network(network)
    for network in (
        "2001::/23",  # protocol assignments, Teredo among them
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
        "192.0.0.0/24",  # protocol assignments, a cloud's metadata among them
        "192.88.99.0/24",  # relays of 6to4
        "168.63.129.16/32",  # Azure's metadata; other clouds use link-local, shared or unique local addresses
    )
)
# Names outside the public DNS (RFC 6761, RFC 6762 appendix G, RFC 8375, ICANN for ``internal``).
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
    """Return whether an IP address belongs to a machine on the public internet.

    Only known public ranges count: global IPv4 and global unicast IPv6. All others are private: loopback,
    link-local, unique local, shared (CGNAT), multicast, reserved and cloud metadata addresses. So is IPv4 in IPv6
    by mapping, 6to4 or Teredo. Behind the translator of RFC 6052 the IPv4 address decides: networks without IPv4
    reach most of the web so.
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
    """Return whether a host's name means this machine.

    >>> is_loopback_name("localhost"), is_loopback_name("[::1]"), is_loopback_name("example.org")
    (True, True, False)
    """
    name = name.strip("[]").rstrip(".").lower()
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def is_nearby_name(name: str) -> bool:
    """Return whether a host's name is an IP address, has no dot, or has no public ending."""
    name = name.strip("[]").rstrip(".").lower()
    try:
        ip_address(name)
    except ValueError:
        return "." not in name or name.endswith(_NEARBY)
    return True
