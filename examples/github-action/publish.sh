#!/usr/bin/env bash
# Publishes what the action was given, and writes the notification's id into its output.
set -euo pipefail

response=$(mktemp) # a file, which curl empties before it tries again
trap 'rm -f "$response"' EXIT
# What the API would refuse: colours and other control characters, direction characters, and what is too long.
mend='def clean: gsub("\u001b\\[[0-?]*[ -/]*[@-~]"; "") | gsub("\r\n?"; "\n") | explode
    | map(select(. == 9 or . == 10 or (. >= 32 and (. < 127 or . > 159) and . != 1564 and . != 8206 and . != 8207
      and (. < 8232 or . > 8238) and (. < 8294 or . > 8297)))) | implode;
  def cut: if length <= 200 then . else (.[:199] | sub(" [^ ]*$"; "")) + "…" end;
  def keep: if length <= 20000 then . else "[… \(length - 19900) characters cut …]\n" + .[-19900:] end;
  def message($title; $body): ($title | clean | gsub("\\s+"; " ")) as $whole
    | {title: ($whole | cut), body: (if ($whole | length) > 200 then $whole + "\n\n" else "" end + ($body | clean) | keep)};
'
message=$(jq -n "$mend"'message(env.TITLE; env.BODY)')
printf %s "$message" | jq -e '.title == env.TITLE and .body == env.BODY' >/dev/null ||
  echo '::notice::the text was cleaned or cut'

printf %s "$message" |
  jq --arg externalId "$GITHUB_REPOSITORY/$GITHUB_RUN_ID/$GITHUB_JOB/$TITLE" '. + {
      importance: env.IMPORTANCE, externalId: $externalId[:255]
    } + if env.LINK == "" then {} else {link: env.LINK} end' |
  curl --silent --show-error --fail-with-body --output "$response" --retry 5 --retry-connrefused \
    "${SININHO_URL%/}/api/v1/channels/$CHANNEL/notifications" \
    -H @<(printf 'Authorization: Bearer %s' "$SININHO_API_KEY") \
    -H 'Content-Type: application/json' --data-binary @- || {
  jq -r '"::error::\(.title): \(.detail // "") \([.errors[]? | "\(.pointer) \(.detail)"] | join(", "))"' "$response" 2>/dev/null ||
    echo "::error::$(cat "$response")"
  exit 1
}
echo "id=$(jq -er .id "$response")" >>"$GITHUB_OUTPUT"
