"""The words of `withstood research`: resume, status, thesis, cleanup, import, export."""
