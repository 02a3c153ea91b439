"""Compares what this package knows by heart with the contract."""

import dataclasses
import inspect
from pathlib import Path
from typing import Any

import pytest
import yaml

import sininho
from sininho import notification
from sininho._core import wire
from sininho._core.feed import FeedFilter

CONTRACT: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parents[2] / "openapi/sininho.yaml").read_text(encoding="utf-8")
)
SCHEMAS = CONTRACT["components"]["schemas"]


@pytest.mark.parametrize(
    ("known", "schema"),
    [
        (sininho.Notification, "Notification"),
        (sininho.ChannelRef, "ChannelRef"),
        (sininho.Adjustment, "Adjustment"),
        (sininho.BatchedNotification, "NotificationResult"),
        (sininho.Channel, "Channel"),
        (sininho.PublisherRef, "PublisherRef"),
        (sininho.CategoryRef, "CategoryRef"),
        (sininho.Suspension, "Suspension"),
    ],
)
def test_types_have_the_members_of_the_contract(known: Any, schema: str) -> None:
    fields = [field for field in dataclasses.fields(known) if "header" not in field.metadata]
    assert {wire.wire_name(field.name) for field in fields} == set(SCHEMAS[schema]["properties"])
    missing = dataclasses.MISSING
    required = {f.name for f in fields if f.default is missing and f.default_factory is missing}
    assert {wire.wire_name(name) for name in required} == set(SCHEMAS[schema]["required"])


@pytest.mark.parametrize(
    ("known", "schema"), [(sininho.NotificationFields, "NotificationInput"), (sininho.Correction, "NotificationPatch")]
)
def test_inputs_have_the_members_of_the_contract(known: Any, schema: str) -> None:
    assert {wire.wire_name(name) for name in known.__annotations__} == set(SCHEMAS[schema]["properties"])


def test_corrections_remove_what_the_contract_lets_them() -> None:
    nullable = {name for name, each in SCHEMAS["NotificationPatch"]["properties"].items() if each.get("nullable")}
    source = inspect.getsource(notification.Correction)
    assert {wire.wire_name(line.split(":")[0].strip()) for line in source.splitlines() if "| None" in line} == nullable


def operation(path: str, method: str) -> dict[str, Any]:
    found: dict[str, Any] = CONTRACT["paths"][path][method]
    return found


def parameters(path: str, method: str) -> set[str]:
    listed = operation(path, method).get("parameters", [])
    named = [
        CONTRACT["components"]["parameters"][each["$ref"].rsplit("/", 1)[1]] if "$ref" in each else each
        for each in listed
    ]
    return {each["name"] for each in named}


CHANNEL = "/channels/{publisherSlug}/{channelSlug}"
FEED = "/subscribers/notifications"


@pytest.mark.parametrize(
    ("path", "method", "known"),
    [
        ("/channels", "get", {"limit", "offset", "q", "category", "publisher", "sort"}),
        (CHANNEL, "get", set()),
        (f"{CHANNEL}/notifications", "get", {"limit", "offset", "cursor", "scheduled", "externalId"}),
        (f"{CHANNEL}/notifications", "post", {"Idempotency-Key"}),
        (f"{CHANNEL}/notifications/batch", "post", {"Idempotency-Key"}),
        (f"{CHANNEL}/notifications/stream", "get", {"Last-Event-ID"}),
        (f"{CHANNEL}/notifications/{{id}}", "get", set()),
        (f"{CHANNEL}/notifications/{{id}}", "patch", {"If-Match"}),
        (f"{CHANNEL}/notifications/{{id}}", "delete", {"If-Match"}),
        (FEED, "get", {"limit", "offset", "cursor", "unread", "archived", "snoozed", "important", "channelId", "q"}),
        (f"{FEED}/stream", "get", {"Last-Event-ID"}),
        (f"{FEED}/{{id}}", "get", set()),
        (f"{FEED}/{{id}}", "patch", set()),
    ],
)
def test_operations_have_the_parameters_of_the_contract(path: str, method: str, known: set[str]) -> None:
    for_texts = {each["name"] for each in operation(path, method).get("parameters", []) if each.get("x-for-texts")}
    assert parameters(path, method) - for_texts == known


def test_a_text_takes_the_fields_that_the_contract_lets_it() -> None:
    fields = {wire.wire_name(name) for name in sininho.NotificationFields.__annotations__} - {"data"}
    assert fields == set(SCHEMAS["NotificationForm"]["properties"])


def test_the_feed_is_filtered_by_all_that_the_contract_has() -> None:
    known = {"channelId" if name == "channel_id" else "q" if name == "search" else name for name in choices()}
    assert known | {"limit", "offset", "cursor"} == parameters(FEED, "get")


def choices() -> set[str]:
    return set(FeedFilter.__annotations__)
