"""API documents: OpenAPI, AsyncAPI, examples, and the check for breaking changes."""
