"""Remember the templates of visited sites, so that their next pages need no loading."""
