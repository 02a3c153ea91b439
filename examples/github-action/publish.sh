#!/usr/bin/env bash
# Publishes what the action was given, and writes the notification's id into its output.
set -euo pipefail

response=$(mktemp) # a file, which curl empties before it tries again
trap 'rm -f "$response"' EXIT
jq -n --arg externalId "$GITHUB_REPOSITORY/$GITHUB_RUN_ID/$GITHUB_JOB/$TITLE" '{
    title: env.TITLE, body: env.BODY, importance: env.IMPORTANCE, externalId: $externalId[:255]
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
