"""GraphQL: types from the structs of the API, queries and mutations from its operations."""

import ctypes.util

# strawberry-django looks for GDAL twice, by twelve names, and for each of them ctypes starts a
# linker and a compiler. This server has no geometry: its first GraphQL request need not wait.
_find_library = ctypes.util.find_library
ctypes.util.find_library = lambda name: None
try:
    import strawberry_django  # noqa: F401
finally:
    ctypes.util.find_library = _find_library
