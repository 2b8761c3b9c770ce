"""L'Ascot (Miro, 1958): leases, training, totalisator and a race; start in `rules.py`."""
