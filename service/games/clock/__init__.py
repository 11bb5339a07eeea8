"""A game's clock: pure arithmetic in whole seconds, without Redis and without a `now`.

`terms` is the clock as agreed, `calendar` when a player's time does not count, `state` what a
game's clock is, folded from its events, and `intervals` the one rule by which all of it counts.
Over these: `changes` is what players do to a clock, `new_round` what it begins a round with, and
`view` how its readers see it.
"""
