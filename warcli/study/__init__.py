"""Very many games, and what they say of the rules: how long they last, how they end, who wins."""
