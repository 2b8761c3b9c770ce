"""The documents that describe the API: OpenAPI, AsyncAPI, examples, and what breaks clients."""
