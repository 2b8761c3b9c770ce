"""The work of Celery workers: the clock, bots and periodic jobs."""
