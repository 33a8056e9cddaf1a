"""warcli: the referee for the card game War (Krig, Guerra, Bataille, P'yanitsa …)."""
