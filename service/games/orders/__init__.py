"""Standing orders: what they are, who gives them, and how they are carried out."""
