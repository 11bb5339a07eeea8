"""All applications have the same addresses and templates: a process of tests compiles them once.

That is most of what it takes to build an application, and to show its first page.
"""

from types import CodeType

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule


class _Templates(BytecodeCache):
    """Compiled templates, by their place and their text."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._codes[bucket.key, bucket.checksum] = bucket.code


def _share_rules() -> None:
    compiled: dict[tuple[object, ...], Rule] = {}
    compile_rule = Rule.compile

    def compile_once(rule: Rule) -> None:
        defaults = tuple(sorted((rule.defaults or {}).items()))
        place = (rule.subdomain, rule.host, rule.strict_slashes, rule.merge_slashes)
        same = compiled.setdefault((rule.rule, defaults, *place), rule)
        if same is rule:
            compile_rule(rule)
            return
        rule._parts, rule._trace, rule._converters = same._parts, same._trace, same._converters
        rule._build = same._build.__func__.__get__(rule)  # type: ignore[attr-defined]
        rule._build_unknown = same._build_unknown.__func__.__get__(rule)  # type: ignore[attr-defined]

    Rule.compile = compile_once  # type: ignore[method-assign]


def compile_once() -> None:
    """Let the applications of this process share what follows from the code alone."""
    Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": _Templates()}
    _share_rules()
