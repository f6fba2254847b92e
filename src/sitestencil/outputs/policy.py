"""The content security policy of what is written: it runs no script and sends no form."""

POLICY = "script-src 'none'; base-uri 'none'; object-src 'none'; form-action 'none'"
