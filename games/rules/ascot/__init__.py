"""L'Ascot (Miro, 1958): leases, training, totalisator and a race of twelve horses on six lanes.
Start reading in `rules.py`."""
