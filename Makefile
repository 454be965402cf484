# Needs git and Go. `make test` also needs a C compiler, for the race detector.

GO ?= go

# Tools are pinned here and not in go.mod: they are no dependency of the
# program. The version stands in the file name, so a new pin installs anew.
STATICCHECK_VERSION := v0.8.2
GOFUMPT_VERSION     := v0.12.0
STATICCHECK         := bin/tools/staticcheck-$(STATICCHECK_VERSION)
GOFUMPT             := bin/tools/gofumpt-$(GOFUMPT_VERSION)
INSTALL             := GOBIN='$(CURDIR)/bin/tools' CGO_ENABLED=0 $(GO) install

# A checkout without tags gives the commit, a source archive gives "unknown".
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)

# `make test RACE=` runs the tests without the race detector.
RACE ?= -race

.DEFAULT_GOAL := build
.PHONY: build test lint fmt bench fuzz-short demo clean

## build: bin/patchvet, static, without cgo
build:
	CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -ldflags '-s -w -X main.version=$(VERSION)' -o bin/patchvet ./cmd/patchvet

## test: all tests, with the race detector
test:
ifneq ($(strip $(RACE)),)
	@cc=$$($(GO) env CC) || exit 1; set -- $$cc; \
	printf '#include <stdlib.h>\nint main(void) { return 0; }\n' | "$$@" -x c -o /dev/null - >/dev/null 2>&1 || { \
		echo "make test: the race detector needs a C compiler and '$$cc' does not work: install gcc and libc6-dev (Debian), gcc (Fedora) or the Xcode command line tools (macOS), or run 'make test RACE=' to test without it" >&2; \
		exit 1; \
	}
	CGO_ENABLED=1 $(GO) test $(RACE) -timeout 20m ./...
else
	$(GO) test -timeout 20m ./...
endif

## lint: formatting, vet on three systems, staticcheck
lint: $(GOFUMPT) $(STATICCHECK)
	@unformatted=$$($(GOFUMPT) -l .) || exit 1; \
	if [ -n "$$unformatted" ]; then \
		echo "make lint: not in gofumpt form, run 'make fmt':" >&2; \
		echo "$$unformatted" >&2; \
		exit 1; \
	fi
	$(GO) vet ./...
	CGO_ENABLED=0 GOOS=darwin $(GO) vet ./...
	CGO_ENABLED=0 GOOS=windows $(GO) vet ./...
	$(STATICCHECK) ./...

## fmt: rewrite the Go files in gofumpt form
fmt: $(GOFUMPT)
	$(GOFUMPT) -w .

## bench: three rounds of every benchmark
bench:
	$(GO) test -run '^$$' -bench . -benchtime 3x ./...

## fuzz-short: ten seconds for every fuzz target (FUZZTIME=1m for longer)
fuzz-short:
	sh scripts/fuzz-short.sh

## demo: repair three real bugs in throwaway repositories, and refuse a cheat
demo: build
	sh scripts/demo.sh

## clean: remove what the other targets made
clean:
	rm -rf bin

$(STATICCHECK):
	$(INSTALL) honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)
	mv bin/tools/staticcheck $@

$(GOFUMPT):
	$(INSTALL) mvdan.cc/gofumpt@$(GOFUMPT_VERSION)
	mv bin/tools/gofumpt $@
