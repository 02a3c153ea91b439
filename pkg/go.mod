module github.com/sininho/sininho/pkg

go 1.25.0

toolchain go1.26.11

require (
	github.com/google/uuid v1.6.0
	github.com/oapi-codegen/nullable v1.1.0
	golang.org/x/net v0.55.0
	golang.org/x/text v0.39.0
)
