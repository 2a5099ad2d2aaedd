"""What the committed blocks say about the bots: estimates with honest intervals.

Everything here is a pure function of block results. Blocks are the unit of evidence:
the copies of a block share their deals, so intervals never treat matches as
independent. Sums are taken in a fixed order and chance comes from a constant, so that
equal results give equal numbers on every machine.
"""
