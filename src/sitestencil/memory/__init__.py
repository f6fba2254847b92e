"""The templates of the sites that a person has visited, kept so that their next pages need no loading."""
