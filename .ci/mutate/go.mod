module github.com/sininho/sininho/.ci/mutate

go 1.26.0

toolchain go1.26.11
