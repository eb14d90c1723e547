"""The dashboard: what its pages are made of, and the server that shows them."""
