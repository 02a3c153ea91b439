module github.com/sininho/sininho/pkg

go 1.26.0

toolchain go1.26.11

require (
	github.com/google/uuid v1.6.0
	github.com/oapi-codegen/nullable v1.2.0
	golang.org/x/net v0.62.0
	golang.org/x/text v0.44.0
)
