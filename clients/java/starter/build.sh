#!/bin/sh
# Builds and tests the bot. Its library is not published: it is put into Maven's local
# repository first.
set -e
LIBRARY=..
mvn --quiet --batch-mode --file "$LIBRARY" install -Dmaven.test.skip=true
mvn --quiet --batch-mode package
