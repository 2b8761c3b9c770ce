"""The pages that the server serves: start, lobby and table, in English and French.

Their sources are TypeScript and CSS in `client/`; the built files are committed in `static/web/`.
The pages use only the public API, through the TypeScript SDK.
"""
