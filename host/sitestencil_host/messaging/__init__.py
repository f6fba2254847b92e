"""Messages between extension and host: frames, their types, results in parts."""
