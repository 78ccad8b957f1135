# sluice: `make demo` shows what it does, `make test` that it does; `make check` is quick.

SWIFT ?= swift
SWIFTC ?= swiftc
PREFIX ?= /usr/local
DESTDIR ?=

# One program to carry away: Swift's runtime and the C libraries but libcurl are in it.
RELEASE := -c release --static-swift-stdlib
# And the C++ runtime that Swift's needs: loading it would take a quarter of the start. The linker
# takes it from a folder that has no shared one.
STATIC := $(CURDIR)/.build/static
RELEASE += -Xlinker -L$(STATIC) -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
# Relocations in their short form (glibc 2.36), which the toolchain's lld writes: 700 KiB less to map.
RELEASE += -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs
# No library is looked for beside the program: what lies there may be somebody else's. And all
# addresses of functions are written before the program runs, so that nothing can change them later.
RELEASE += --disable-local-rpath -Xlinker -z -Xlinker now
# Nobody links with the program: without names for others the loader finds its own sooner.
RELEASE += -Xlinker --no-export-dynamic
# What a conversion calls lies side by side, so that the kernel maps it and little else of the program:
# 3 to 5 MiB less. `make order` writes the names of these functions.
RELEASE += -Xswiftc -Xfrontend -Xswiftc -function-sections
RELEASE += -Xlinker --symbol-ordering-file=$(CURDIR)/Sources/sluice-cli/functions.order
RELEASE += -Xlinker --no-warn-symbol-ordering
# What would bring in more than it is worth, regular expressions, does not compile: see TextSearch.
RELEASE += -Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import
# The tests are built once for `lint` and `test`: a warning is an error in both.
STRICT := -Xswiftc -warnings-as-errors
PROGRAM := .build/release/sluice
TESTS := .build/debug/sluicePackageTests.xctest

# Debian's packages: to build, to run (libcurl is loaded when a URL is asked for), to test.
BUILD_PACKAGES := zlib1g-dev libdeflate-dev libcsv-dev libsqlite3-dev libyaml-dev libcurl4-openssl-dev
RUN_PACKAGES := libcurl4 ca-certificates
TEST_PACKAGES := python3 binutils openssl strace mandoc zsh fish procps sqlite3
# The browser that looks at a site's page, and what asks it; pip brings axe.
PAGE_PACKAGES := chromium chromium-driver python3-selenium python3-pip zbar-tools

# The Python package is built and tested with these; Spark runs on Java.
PYTHON_PACKAGES := binutils python3 python3-venv
SPARK_PACKAGES := openjdk-17-jre-headless procps

.PHONY: demo build check test lint house format install install-nightly goldens interop page wheel \
  test-python fuzz bench bench-quick bench-nights bench-kinds bench-random \
  bench-programs bench-stages order clean
.DEFAULT_GOAL := build

build:
	@.ci/need $(BUILD_PACKAGES) $(RUN_PACKAGES)
	@mkdir -p $(STATIC) && ln -sf "$$(clang -print-file-name=libstdc++.a)" $(STATIC)/
	$(SWIFT) build $(RELEASE) --product sluice

demo: build
	@Samples/demo $(PROGRAM)

# The quick part of the tests, for every change, on a debug build. It leaves out the tests that run the
# program, and those that are marked `.slow`: they take more than four seconds of a processor.
check:
	@.ci/need $(BUILD_PACKAGES) $(TEST_PACKAGES)
	$(SWIFT) build --build-tests $(STRICT)
	SWIFT_BACKTRACE=enable=no SLUICE_CHECK=1 Tests/run.py $(TESTS)

# All of the tests, those of the program on the one that people get.
test: build
	@.ci/need $(TEST_PACKAGES)
	$(SWIFT) build --build-tests $(STRICT)
	SWIFT_BACKTRACE=enable=no SLUICE=$(abspath $(PROGRAM)) Tests/run.py $(TESTS)
	python3 -B Tests/Bench/order.py --check $(PROGRAM)

lint:
	@.ci/need $(BUILD_PACKAGES) python3
	python3 -m compileall -q Tests/Bench Tests/House Tests/Page Tests/run.py
	$(SWIFT) format lint --strict --parallel -r Sources Tests Plugins Package.swift
	$(SWIFT) build --build-tests $(STRICT)

# The figures of the tree, and the arrows between its rooms.
house:
	@.ci/need python3
	@Tests/House/house.py

format:
	$(SWIFT) format --in-place --parallel -r Sources Tests Plugins Package.swift

install: build install-nightly
	install -d $(DESTDIR)$(PREFIX)/bin
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man5
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install -d $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	install -d $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m 755 -s $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/sluice
	install -d $(DESTDIR)$(PREFIX)/share/sluice
	install -m 644 Samples/feed.schema.json $(DESTDIR)$(PREFIX)/share/sluice
	$(PROGRAM) man > $(DESTDIR)$(PREFIX)/share/man/man1/sluice.1
	docs/make-man sluice-feed 5 "$$($(PROGRAM) man | sed -n 's/^.Dd //p')" \
	  < docs/feeds.md > $(DESTDIR)$(PREFIX)/share/man/man5/sluice-feed.5
	$(PROGRAM) completions bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/sluice
	$(PROGRAM) completions zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_sluice
	$(PROGRAM) completions fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/sluice.fish
	install -d $(DESTDIR)$(PREFIX)/share/doc/sluice
	install -m 644 README.md README.ru.md CHANGELOG.md $(DESTDIR)$(PREFIX)/share/doc/sluice
	cp -R docs Samples $(DESTDIR)$(PREFIX)/share/doc/sluice
	chmod -R u=rwX,go=rX $(DESTDIR)$(PREFIX)/share/doc/sluice

# What runs sluice every night: a crontab, and units for systemd, which looks in lib of /usr/local
# and /usr. They name the program where it is installed.
NIGHTLY := Samples/nightly
install-nightly:
	install -d $(DESTDIR)$(PREFIX)/share/sluice/nightly $(DESTDIR)$(PREFIX)/lib/systemd/system
	install -d $(DESTDIR)$(PREFIX)/lib/sysusers.d $(DESTDIR)$(PREFIX)/lib/tmpfiles.d
	install -m 644 $(NIGHTLY)/crontab $(DESTDIR)$(PREFIX)/share/sluice/nightly
	install -m 644 $(NIGHTLY)/sluice-nightly.service $(NIGHTLY)/sluice-nightly.timer \
	  $(DESTDIR)$(PREFIX)/lib/systemd/system
	sed -i 's|/usr/local/|$(PREFIX)/|g' $(DESTDIR)$(PREFIX)/share/sluice/nightly/crontab \
	  $(DESTDIR)$(PREFIX)/lib/systemd/system/sluice-nightly.service
	install -m 644 $(NIGHTLY)/sysusers.conf $(DESTDIR)$(PREFIX)/lib/sysusers.d/sluice.conf
	install -m 644 $(NIGHTLY)/tmpfiles.conf $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/sluice.conf

# Rewrites what the samples must give; read the difference before you commit it.
goldens: build
	Samples/make-goldens $(PROGRAM)
	@git --no-pager diff --stat -- Samples

interop: build
	SLUICE=$(abspath $(PROGRAM)) Tests/Interop/run

# The page of a site, as a reader sees it. NAME=... chooses checks.
page: build
	@.ci/need $(PAGE_PACKAGES)
	SLUICE=$(abspath $(PROGRAM)) Tests/Page/check.py $(NAME)

# The Python package with the program inside, in .build/python/wheel. PROGRAM=PATH packs one that is
# there already.
wheel: $(if $(filter command%,$(origin PROGRAM)),,build)
	@.ci/need $(PYTHON_PACKAGES)
	@Python/make-wheel $(PROGRAM)

# The package as people get it, and Spark with it; pip brings the rest.
test-python: wheel
	@.ci/need $(PYTHON_PACKAGES) $(SPARK_PACKAGES)
	Python/test

fuzz:
	@.ci/need $(BUILD_PACKAGES)
	Tests/Fuzz/run

# Whole processes against their peers; the tables are printed and kept in .build/bench/result.md.
bench: build bench-programs
	Tests/Bench/run.py
	Tests/Bench/workbooks.py

# The same in a minute or two: fewer runs, smaller inputs, the slow peers and the big feed left out.
bench-quick: build bench-programs
	Tests/Bench/run.py --quick

# Many inputs in one run, against one input of their size.
bench-nights: build bench-programs
	Tests/Bench/nights.py

# Inputs of other kinds, against C++ on simdjson.
bench-kinds: build bench-programs
	@$(MAKE) --no-print-directory $(BENCH)/kinds
	Tests/Bench/kinds.py

# Thirty kinds of JSON that nobody chose, against a C++ program on simdjson that is made for each.
bench-random: build bench-programs
	Tests/Bench/random_kinds.py

# A peer that cannot be installed or built is named as absent in the table.
BENCH := .build/bench/bin
SHAPES := quakes events forecasts
bench-programs:
	@.ci/need gcc libc6-dev zlib1g-dev python3
	@Tests/Bench/install-peers
	@mkdir -p $(BENCH)
	@$(MAKE) --no-print-directory $(BENCH)/measure $(BENCH)/floor
	@-$(MAKE) --no-print-directory --keep-going $(BENCH)/with_simdjson $(BENCH)/with_jsondecoder \
	  $(SHAPES:%=$(BENCH)/%_simdjson)

$(BENCH)/%: Tests/Bench/%.c
	$(CC) -O2 -Wall -Wextra -o $@ $< -lz

# For the processor that it runs on, without simdjson's assertions: as fast as it can be made.
PEERS := Tests/Bench/peers
SIMDJSON := $(CXX) -std=c++17 -O3 -march=native -DNDEBUG -Wall -Wextra

$(BENCH)/with_simdjson: $(PEERS)/with_simdjson.cpp $(PEERS)/csv_table.hpp
	$(SIMDJSON) -o $@ $< -lsimdjson -lz

$(BENCH)/%_simdjson: $(PEERS)/%/with_simdjson.cpp $(PEERS)/with_simdjson.hpp $(PEERS)/csv_table.hpp
	$(SIMDJSON) -o $@ $< -lsimdjson

$(BENCH)/kinds: $(PEERS)/kinds.cpp $(PEERS)/with_simdjson.hpp $(PEERS)/csv_table.hpp
	$(SIMDJSON) -o $@ $< -lsimdjson

$(BENCH)/with_jsondecoder: Tests/Bench/peers/with_jsondecoder.swift
	$(SWIFTC) -O -swift-version 6 -o $@ $<

# Writes anew which functions the linker lays side by side, and links: it reads the list only then.
order: build
	@.ci/need valgrind binutils python3
	Tests/Bench/order.py $(PROGRAM)
	rm -f $(PROGRAM)
	@$(MAKE) --no-print-directory build

# How fast each stage is, and how many instructions it takes for a record; and those of two nights.
bench-stages: build
	@.ci/need $(BUILD_PACKAGES)
	$(SWIFT) build $(RELEASE) --product sluice-bench
	.build/release/sluice-bench $(FEED)
	Sources/sluice-bench/instructions .build/release/sluice-bench $(PROGRAM) $(FEED)

clean:
	rm -rf .build .build-*
