"""A game's clock: pure arithmetic in whole seconds, without Redis and without a `now`.

`terms` is the clock as agreed, `calendar` counts the times that count for a player, `state` is a
game's clock, and `folding` makes it from events. `changes` lets players change a clock, and `view`
shows it to readers.
"""
