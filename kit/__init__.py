"""What every floor uses: problems, validation, rate limits, paging, batching. It knows no users and no games."""
