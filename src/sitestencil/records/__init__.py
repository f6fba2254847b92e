"""Records of a site: the slots that vary over the pages of a kind, as tables with named columns."""
