"""Which IP addresses are public, and which names say that they are near by."""

from tests.support.tables import table

from sitestencil.site.sources.network import is_nearby_name, is_public


@table(
    "address",
    "8.8.8.8 93.184.216.34 2606:4700::6810:84e5 2a00:1450:4001:82a::200e 64:ff9b::8.8.8.8".split(),
)
def test_machines_on_the_internet_are_public(address: str) -> None:
    assert is_public(address)


@table(
    "address",
    [
        "127.0.0.1",
        "127.8.8.8",
        "::1",
        "0.0.0.0",
        "::",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "fd00::1",
        "fc00::1",
        "169.254.1.1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "100.64.0.1",
        "224.0.0.1",
        "239.255.255.250",
        "ff02::1",
        "ff0e::1",
        "255.255.255.255",
        "240.0.0.1",
        "192.0.0.192",
        "192.0.2.1",
        "198.18.0.1",
        "192.88.99.1",
        "169.254.169.254",
        "100.100.100.200",
        "168.63.129.16",
        "fd00:ec2::254",
        "::127.0.0.1",
        "::8.8.8.8",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "::ffff:0:8.8.8.8",
        "64:ff9b::127.0.0.1",
        "64:ff9b::10.0.0.1",
        "64:ff9b::169.254.169.254",
        "64:ff9b:1::8.8.8.8",
        "2002:7f00:1::",
        "2002:808:808::",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:db8::1",
        "3fff::1",
        "5f00::1",
        "4000::1",
        "no address",
        "",
    ],
)
def test_everything_else_is_not(address: str) -> None:
    assert not is_public(address)


@table(
    "name",
    "localhost LOCALHOST. router 127.0.0.1 8.8.8.8 [::1] ::1 nas.local a.home.arpa b.internal".split(),
)
def test_addresses_single_words_and_local_endings_are_near_by(name: str) -> None:
    assert is_nearby_name(name)


@table("name", ["example.org", "localhost.example.org", "internal.org", "notlocal.", "www.local.com"])
def test_names_of_the_public_dns_are_not(name: str) -> None:
    assert is_nearby_name(name) is (name == "notlocal.")
