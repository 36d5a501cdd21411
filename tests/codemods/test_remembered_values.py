"""Remembered values are computed again: what is written comes with the finding; lines stay readable."""

from __future__ import annotations

from tfgradfix_codemods.remembered_values import RememberedValuesCommand

from tests.helpers import refusal, rewritten


def test_a_list_becomes_a_comprehension() -> None:
    facts = {"written": "[net(x[None])[0] for x in self.seen]"}
    after = rewritten(RememberedValuesCommand, "p = tf.stack(«self.given»)  # p\n", facts=facts)
    assert after == "p = tf.stack([net(x[None])[0] for x in self.seen])  # p\n"


def test_an_operation_gets_parentheses() -> None:
    after = rewritten(RememberedValuesCommand, "loss = -«p» * r\n", facts={"written": "net(x) / 2.0"})
    assert after == "loss = -(net(x) / 2.0) * r\n"


def test_a_long_line_is_broken_before_the_for() -> None:
    written = (
        "[tf.math.log(self.policy(observation[None])[0, move]) for observation, move in zip(self.seen, self.moves)]"
    )
    after = rewritten(RememberedValuesCommand, "logs = tf.stack(«self.logs»)\n", facts={"written": written})
    assert after == (
        "logs = tf.stack(\n"
        "    [\n"
        "        tf.math.log(self.policy(observation[None])[0, move])\n"
        "        for observation, move in zip(self.seen, self.moves)\n"
        "    ],\n"
        ")\n"
    )


def test_refused_where_a_comment_would_be_lost() -> None:
    text = "p = tf.stack(«self  # the agent\n    .given»)\n"
    assert "comment" in refusal(RememberedValuesCommand, text, facts={"written": "[net(x) for x in self.seen]"})
