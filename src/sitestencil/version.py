"""The version of Sitestencil: the library's, the host's and the extension's alike."""

VERSION = "0.1.0"
