"""The referee of a real table: what is known of the piles, what was typed, the game in progress."""
