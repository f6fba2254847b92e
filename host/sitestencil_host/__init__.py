"""The native-messaging host: what a browser starts so that the extension can ask for templates."""
