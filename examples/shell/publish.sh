#!/bin/sh
# publish.sh CHANNEL TITLE [BODY]: publishes to a channel; the body - is read from stdin. Writes the notification's id.
set -eu
[ $# -ge 2 ] || { echo "usage: publish.sh CHANNEL TITLE [BODY]" >&2; exit 2; }

body=${3:-}
[ "$body" != - ] || body=$(tail -c 100000)

# What the API would refuse: colours and other control characters, direction characters, and what is too long.
mend='def clean: gsub("\u001b\\[[0-?]*[ -/]*[@-~]"; "") | gsub("\r\n?"; "\n") | explode
    | map(select(. == 9 or . == 10 or (. >= 32 and (. < 127 or . > 159) and . != 1564 and . != 8206 and . != 8207
      and (. < 8232 or . > 8238) and (. < 8294 or . > 8297)))) | implode;
  def cut: if length <= 200 then . else (.[:199] | sub(" [^ ]*$"; "")) + "…" end;
  def keep: if length <= 20000 then . else "[… \(length - 19900) characters cut …]\n" + .[-19900:] end;
  def message($title; $body): ($title | clean | gsub("\\s+"; " ")) as $whole
    | {title: ($whole | cut), body: (if ($whole | length) > 200 then $whole + "\n\n" else "" end + ($body | clean) | keep)};
'
message=$(jq -n --arg title "$2" --arg body "$body" "$mend"'message($title; $body)')
printf %s "$message" | jq -e --arg title "$2" --arg body "$body" '.title == $title and .body == $body' >/dev/null ||
  echo 'publish.sh: the text was cleaned or cut' >&2

# The key is read from a file, because anyone on the machine can see what a command was given.
credentials=$(mktemp)
response=$(mktemp)
trap 'rm -f "$credentials" "$response"' EXIT
printf 'Authorization: Bearer %s\n' "$SININHO_API_KEY" >"$credentials"

# Into a file, which curl empties before it tries again.
printf %s "$message" |
  curl --silent --show-error --fail-with-body --output "$response" --retry 5 --retry-connrefused \
    "$SININHO_URL/api/v1/channels/$1/notifications" \
    -H @"$credentials" -H 'Content-Type: application/json' \
    -H "Idempotency-Key: $(date +%s)-$$" --data-binary @- ||
  { cat "$response" >&2; exit 1; }
jq -er .id "$response"
