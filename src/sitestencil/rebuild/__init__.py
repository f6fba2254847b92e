"""A site rebuilt: layouts, data and content that a generator builds into the same pages, with a proof."""
