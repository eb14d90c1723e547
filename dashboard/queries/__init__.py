"""From the store to what a page shows; nothing here draws."""
