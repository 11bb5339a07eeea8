"""A game's clock: pure arithmetic in whole seconds, without Redis and without a `now`.

`terms` is the clock as agreed, `calendar` has the times that do not count for a player, `state` is
a game's clock, folded from its events, and `intervals` and `counting` do the arithmetic. `changes`
lets players change a clock, `new_round` begins a round's clock, and `view` shows it to readers.
"""
