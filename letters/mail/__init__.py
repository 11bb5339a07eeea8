"""Reads mails: their parts, the writer's own lines without quotations, and delivery reports."""
