"""The Celery task that delivers notices."""

from celery import shared_task

from notices import delivering


@shared_task(name="notices.deliver_due")
def deliver_due() -> None:
    """Deliver what is due. Each worker does so every few seconds as well."""
    delivering.deliver()
