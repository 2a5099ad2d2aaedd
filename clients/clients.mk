# What each bot library needs, from its language's own package manager; its own checks and
# tests; and its bot `lowest`, built for tests/e2e/clients (see programs.py there).

CLIENTS := cpp go java rust typescript
.PHONY: $(CLIENTS:%=client-%)

client-cpp: dev
	clang-format --dry-run -Werror $$(find clients/cpp -name build -prune -o -name '*.h' -print -o -name '*.cpp' -print)
	cmake -S clients/cpp -B build/clients/cpp
	cmake --build build/clients/cpp --parallel 2
	ctest --test-dir build/clients/cpp --output-on-failure --parallel 4
	cd clients/cpp/starter && cmake --workflow --preset bot && ctest --preset bot

client-go: dev
	cd clients/go && test -z "$$(gofmt -l .)" && go vet ./... && go test -count=1 -race ./...
	cd clients/go/starter && go vet ./... && go test ./...
	cd clients/go && go build -o ../../build/clients/lowest-go ./cmd/lowest
	$(BIN)/python clients/generate.py --check go

# The messages are made by every build, and the bot's dependencies lie beside it.
client-java: dev
	cd clients/java && mvn --batch-mode --no-transfer-progress spotless:check install
	cd clients/java/starter && mvn --batch-mode --no-transfer-progress verify

client-rust: dev
	cd clients/rust && cargo fmt --all --check \
		&& cargo clippy --workspace --all-targets -- -D warnings \
		&& cargo test --release --workspace --exclude generate \
		&& cargo build --release --bin lowest
	install -D clients/rust/target/release/lowest build/clients/lowest-rust
	$(BIN)/python clients/generate.py --check rust

client-typescript: dev
	cd clients/typescript && npm ci --ignore-scripts && npm run lint && npm test
	cd clients/typescript/starter && npm install && npm test
	$(BIN)/python clients/generate.py --check typescript

build/clients/lowest-c: cli/bot/new/templates/c/bot.c
	mkdir -p $(@D) && $(CC) -O2 -o $@ $<
