"""Sources from the open web: searched by providers, fetched by one careful fetcher, read by processes of their own."""
