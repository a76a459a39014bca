"""What we serve over HTTP."""
