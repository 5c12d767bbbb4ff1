// No declarations: what counts is the symbol.
