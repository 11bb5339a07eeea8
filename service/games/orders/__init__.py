"""Standing orders: their form, giving them and executing them."""
