# glint. `make help` lists what can be made; `make run` and `make test` are the two that matter.
# Everything installed beside the machine's packages goes into .tools/; `make clean` leaves it, `make distclean` does not.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := build
.NOTPARALLEL: # each step is parallel in itself

TOOLS := $(CURDIR)/.tools
export PATH := $(TOOLS)/bin:$(CURDIR)/.ci:$(PATH)
export CGO_ENABLED := 1
# gcc, without the minutes that cgo's questions take it. By name, not by path: the cache keeps builds by that.
export CC := cgo-cc
# A binary that the system loads at an address nobody can guess (PIE). The same flags for build, vet and test: the cache keeps apart what was compiled with and without them.
export GOFLAGS := $(strip $(GOFLAGS) -trimpath -buildvcs=false -buildmode=pie)

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
TEST_FLAGS := -timeout 40m -vet=off
# Packages whose tests take longest begin first, so that none of them runs alone at the end.
TEST_FIRST := ./tracer/integrator ./tracer/denoise ./tracer/cli ./viewer

# One row a tool: name, module and exact version.
gotestsum := gotest.tools/gotestsum@v1.13.0
staticcheck := honnef.co/go/tools/cmd/staticcheck@v0.8.2
golangci-lint := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
# The compiler decides how old a driver may be; the assembler knows newer GPUs.
NVRTC := nvidia-cuda-nvrtc-cu12==12.1.105 nvidia-cuda-nvcc-cu12==12.9.86

# What GPU kernels are compiled before a build (.ci/targets.sh): card, test, all, none, or targets such as compute_75,sm_90.
KERNELS := card

KERNEL_SOURCES = $(shell find cuda -path cuda/driver -prune -o -name testdata -prune -o \( -name '*.cuh' -o -name '*.h' -o -name '*.cpp' \) ! -name '*_gen.*' -print)
BUNDLED_SCENES := chess_proxy.glb reference environments rays WaterBottle Suzanne

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# --- build and run ---

.PHONY: build
build: setup ## build bin/glint, with GPU kernels where this machine has an NVIDIA GPU
	@targets=$$(.ci/targets.sh $(KERNELS)); [ -z "$$targets" ] || $(MAKE) --no-print-directory compiled TARGETS=$$targets
	@[ -e bin/glint ] || echo 'The first build takes four minutes or so on two cores'
	@mkdir -p bin
	go build -ldflags '-X main.version=$(VERSION)' -o bin/glint .

# Few enough paths that two cores take less than a minute.
.PHONY: run
run: build ## fly around in the built-in scene; without a display, render it to glint.png
	@if .ci/display.sh; then bin/glint; \
	else echo 'No display: rendering the built-in scene to $(CURDIR)/glint.png'; bin/glint render --size 960x540 --spp 48 -o glint.png; fi

.PHONY: setup
setup:
	@.ci/packages.sh build $$(command -v go >/dev/null || echo go)
	@.ci/toolchain.sh

# --- test ---

# Tests that open a window start an Xvfb of their own when there is no DISPLAY; they must not take the user's.
.PHONY: test
test: KERNELS := test
test: setup-test build vet check-ldd ## set up everything, then run every test
	env -u DISPLAY -u WAYLAND_DISPLAY LIBGL_ALWAYS_SOFTWARE=1 \
	  gotestsum --format pkgname -- $(TEST_FLAGS) $(TEST_FIRST) ./...

.PHONY: test-long
test-long: export GLINT_LONG := 1
test-long: TEST_FLAGS := -timeout 60m -vet=off
test-long: FUZZ_TIME := 10m
test-long: test farm fuzz ## the tests that take longer than a push should wait for, too

# Slurm's daemons want root.
.PHONY: farm
farm: build ## a film on a Slurm cluster of two nodes on this machine, and the other examples of docs/farm.md
	@.ci/packages.sh farm
	.ci/slurm.sh bin/glint
	.ci/examples.sh

# Findings become files in testdata/fuzz beside the test: commit them with the mend, small.
FUZZ_TIME := 1m

.PHONY: fuzz
fuzz: setup ## make up hostile input for a minute a fuzz target
	@grep -rHo --include='*_test.go' '^func Fuzz[A-Za-z0-9]*' * | sort | while IFS=: read -r file target; do \
	  go test "./$$(dirname "$$file")" -vet=off -run '^$$' -fuzz "^$${target#func }\$$" -fuzztime $(FUZZ_TIME) -fuzzminimizetime 10x; \
	done

# A user who knows nothing plays with the window; GLINT_SOAK_SEED=n repeats what the soak of that seed did.
.PHONY: soak
soak: export GLINT_SOAK ?= 30m
soak: setup-test ## play with the window at random for 30 minutes, and watch what it holds
	env -u DISPLAY -u WAYLAND_DISPLAY LIBGL_ALWAYS_SOFTWARE=1 \
	  gotestsum --format standard-verbose -- -timeout 0 -count 1 -vet=off -run '^TestSoak$$' ./viewer

# Needs an NVIDIA GPU and Python with PyTorch, CuPy, NumPy and Pillow: cuda/tools/filter/README.md.
.PHONY: filter-training
filter-training: MINUTES := 20
filter-training: SCENES :=
filter-training: build ## train the filter that has learned, on a GPU: MINUTES=20 SCENES=folder
	cuda/tools/filter/data.sh bin/glint dist/filter/data $(SCENES)
	python3 cuda/tools/filter/train.py dist/filter/data dist/filter --seconds $$((60 * $(MINUTES)))
	@echo "Copy dist/filter/learned.tza to tracer/denoise/, and build."

.PHONY: setup-test
setup-test: packages-test setup $(TOOLS)/gotestsum.stamp $(TOOLS)/oidn.stamp

.PHONY: packages-test
packages-test:
	@.ci/packages.sh build test

.PHONY: check-ldd
check-ldd: build ## fail when bin/glint needs more than libc, libstdc++, GL and X11, or is not PIE
	.ci/check-ldd.sh bin/glint

.PHONY: bench
bench: setup ## time what has a Go benchmark
	go test -run '^$$' -bench . -benchmem ./...

# --- lint ---

.PHONY: vet
vet: setup ## the cheap part of lint: gofmt -s, go vet, and whether packages stay readable (.ci/checks/house)
	@unformatted=$$(gofmt -s -l .); [ -z "$$unformatted" ] || { echo "not gofmt -s: $$unformatted" >&2; exit 1; }
	go vet ./...
	env -u GOFLAGS go run -C .ci/checks ./house

.PHONY: lint
lint: vet $(TOOLS)/staticcheck.stamp $(TOOLS)/golangci-lint.stamp ## every linter
	@.ci/packages.sh format
	go mod tidy -diff
	staticcheck ./...
	golangci-lint run
	clang-format --dry-run --Werror $(KERNEL_SOURCES)

.PHONY: format
format: setup ## let gofmt and clang-format rewrite the sources
	@.ci/packages.sh format
	gofmt -s -w .
	clang-format -i $(KERNEL_SOURCES)

# --- what glint can use but does not need ---

# Tests look for it here; make distclean removes it.
export OIDN_DIR ?= $(TOOLS)/oidn

.PHONY: oidn
oidn: $(TOOLS)/oidn.stamp ## fetch the denoiser OIDN to where bin/glint finds it (90 MB to download)
	@mkdir -p bin
	ln -sfn ../.tools/oidn/lib bin/lib

$(TOOLS)/oidn.stamp: .ci/oidn.sh
	@.ci/packages.sh kernels
	@mkdir -p $(TOOLS)
	.ci/oidn.sh $(TOOLS)/oidn
	@touch $@

# --- generated files ---

.PHONY: kernels
kernels: KERNELS := all
kernels: setup ## regenerate the lists of kernels and the Go twins of shared structs, and compile what all GPUs run
	go generate ./cuda/...
	@targets=$$(.ci/targets.sh $(KERNELS)); [ -z "$$targets" ] || $(MAKE) --no-print-directory compiled TARGETS=$$targets

# Kept by the hash of sources and compilers, so that what was compiled once costs nothing. The second archive is what the driver's own tests run.
.PHONY: compiled
compiled: setup $(TOOLS)/nvrtc.stamp
	@echo 'Compiling GPU kernels for $(TARGETS), unless that was done before: a minute or two'
	@go run ./cuda/tools/nvrtc -cache $(TOOLS)/kernels -targets $(TARGETS) -rays hardware/rays.cuh
	@go run ./cuda/tools/nvrtc -cache $(TOOLS)/kernels -targets $(TARGETS) \
	  -sources cuda/driver/testdata -main kernels.cuh -out cuda/driver/testdata/kernels.tar.zst

.PHONY: docs
docs: build ## regenerate docs/reference from the binary, and docs/measurements.md from docs/tables
	.ci/docs.sh bin/glint docs/reference
	go run ./docs/tables

.PHONY: licenses
licenses: setup ## regenerate assets/LICENSES.md and .txt from the modules that are linked
	go run ./assets/licenses

.PHONY: bundle
bundle: KERNELS := all
bundle: build ## dist/: binary, test binaries and scenes for a GPU machine without Go
	.ci/bundle.sh dist/glint-bundle $(BUNDLED_SCENES)

# A Debian version starts with a digit.
PACKAGE_VERSION := $(patsubst v%,%,$(if $(filter v0% v1% v2% v3% v4% v5% v6% v7% v8% v9%,$(VERSION)),$(VERSION),0+$(VERSION)))

.PHONY: package
package: KERNELS := all
package: build ## dist/: a .deb and a .tar.gz to install
	@.ci/packages.sh package
	rm -f dist/glint_*
	.ci/package.sh bin/glint $(PACKAGE_VERSION) dist

.PHONY: package-check
package-check: package ## install the .deb into an empty root, render with it, remove it
	.ci/check-package.sh dist/glint_*_amd64.deb

# --- tools and tidying ---

# Each tool's stamp is as old as the Makefile that pins its version.
$(TOOLS)/%.stamp: Makefile | setup
	GOBIN=$(TOOLS)/bin go install $($*)
	@touch $@

$(TOOLS)/nvrtc.stamp: Makefile
	@.ci/packages.sh kernels
	rm -rf $(TOOLS)/nvrtc
	PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --no-deps --target $(TOOLS)/nvrtc $(NVRTC)
	chmod +x $(TOOLS)/nvrtc/nvidia/cuda_nvcc/bin/ptxas
	@touch $@

.PHONY: clean
clean: ## remove what was built
	rm -rf bin dist glint.png

.PHONY: distclean
distclean: clean ## remove the tools as well
	rm -rf $(TOOLS)
