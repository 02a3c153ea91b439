#!/bin/sh
# publish.sh CHANNEL TITLE [BODY]: publishes to a channel; the body - is read from stdin. Writes the notification's id.
set -eu
[ $# -ge 2 ] || { echo "usage: publish.sh CHANNEL TITLE [BODY]" >&2; exit 2; }

body=${3:-}
[ "$body" != - ] || body=$(cat)

# The key is read from a file, because anyone on the machine can see what a command was given.
credentials=$(mktemp)
response=$(mktemp)
trap 'rm -f "$credentials" "$response"' EXIT
printf 'Authorization: Bearer %s\n' "$SININHO_API_KEY" >"$credentials"

# Into a file, which curl empties before it tries again.
jq -n --arg title "$2" --arg body "$body" '{title: $title, body: $body}' |
  curl --silent --show-error --fail-with-body --output "$response" --retry 5 --retry-connrefused \
    "$SININHO_URL/api/v1/channels/$1/notifications" \
    -H @"$credentials" -H 'Content-Type: application/json' \
    -H "Idempotency-Key: $(date +%s)-$$" --data-binary @- ||
  { cat "$response" >&2; exit 1; }
jq -er .id "$response"
