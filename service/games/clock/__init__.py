"""A game's clock: pure arithmetic in whole seconds, without Redis and without a `now`.

`calendar` counts the times that count for a player, `state` is a game's clock under the terms that
were agreed, `folding` makes it from events, and `view` shows it to readers.
"""
