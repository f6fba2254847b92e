"""What may happen to a page or its site and changes no label: how far it moves a detector's answer."""
