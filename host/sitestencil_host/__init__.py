"""The native-messaging host: a browser starts it, and the extension asks it for templates."""
