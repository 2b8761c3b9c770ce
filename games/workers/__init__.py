"""What Celery workers run: the clock, bots, periodic jobs."""
