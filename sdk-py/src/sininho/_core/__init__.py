"""What the clients for threads and for asyncio share: everything but sending, waiting and iterating."""
