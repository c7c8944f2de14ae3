# make            builds out/cqlgen, out/libcqlgen.a, out/libcqlgen.so; says what the machine lacks for that, and installs nothing
# make deps       installs the packages that building needs, when you are root on Debian or Ubuntu
# make demo       compiles an example query and searches the example games; as root it installs what it needs, and so does make test
# make test       everything that must be true, with samples of what is generated; FULL=1: all of it;
#                 SANITIZE=1: with address and undefined behaviour sanitizers; SANITIZE=thread: what several threads do
# make fuzz       runs the fuzzers for TIME=600 seconds (ENGINE=afl: with AFL++); needs clang
# make coverage   which lines the tests reach, by folder
# make bench      measures searches, imports and exports
# make mutants    do the tests notice small changes of the sources? N=20 of them, SEED=1, ROOM="runtime/game ..."
# make install    into PREFIX (default /usr/local), or into the folders named below; DESTDIR comes before them all; STRIP= keeps symbols
# make uninstall  removes what make install with the same variables puts there
# make deb        packages for Debian in out/deb; make dist: the sources as a tarball
# make python     the Python package as a wheel in out/; make install-python installs it (PYTHON_DIR)
# make clean      removes what was built; make help: these lines
# WERROR=1 makes errors of the warnings of the compiler.
# Builds with a job for each processor unless -j says otherwise. A make that another one starts takes part in the jobs of that one.
ifeq ($(MAKELEVEL)$(findstring -j,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 1)
endif
# In Turkish, [a-z] does not have all letters.
export LC_ALL = C
CC ?= cc
OBJCOPY ?= objcopy
PYTHON ?= python3
# Folders of an installation; LIBDIR may be relative to PREFIX.
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
DOCDIR ?= $(DATADIR)/doc/cqlgen
override LIBDIR := $(if $(filter /%,$(LIBDIR)),$(LIBDIR),$(PREFIX)/$(LIBDIR))
STRIP ?= strip
export PYTHONDONTWRITEBYTECODE = 1
ifdef SANITIZE
CFLAGS ?= -O1 -g1 -fno-omit-frame-pointer $(if $(findstring clang,$(CC)),,-fno-var-tracking-assignments)
TEST_FLAGS = --sanitize
endif
ifeq ($(SANITIZE),thread)
OUT ?= out/thread
SANITIZER = -fsanitize=thread
TEST_FLAGS += --only races,unit,cache.background
else ifdef SANITIZE
OUT ?= out/sanitize
# Two checks that find little beside the address sanitizer are left out: a build takes a third less time.
SANITIZER = -fsanitize=address,undefined -fno-sanitize=null,object-size -fno-sanitize-recover=all
else
OUT ?= out
CFLAGS ?= -O2 -g
endif
WARN = -std=gnu11 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith $(if $(WERROR),-Werror)
# A source has the same name in whatever folder this is: so programs are the same.
PLACE = '-ffile-prefix-map=$(CURDIR)=.'
# The few bytes of thread-local data are taken when a program loads the library, not at first use in a thread: the C library ends
# the program when it has no memory for them then.
ALL_CFLAGS = $(WARN) -I. -I$(OUT)/gen -fPIC -ftls-model=initial-exec -pthread -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 $(PLACE) $(CPPFLAGS) $(CFLAGS) $(SANITIZER) $(EXTRA)

# Files that are put together.
CALLS = $(sort $(wildcard runtime/match/calls/*.def))
EXAMPLES = $(sort $(wildcard examples/*.cql))
MANUAL = $(sort $(wildcard compiler/language/manual/*.txt))

# Once a build folder, before it is decided what can be built: says what is missing on this machine. `make deps`, `make demo` and
# `make test` install it.
GOALS = $(or $(MAKECMDGOALS),all)
TESTS = $(if $(filter test test-programs coverage mutants $(OUT)/unit/%,$(GOALS)),--tests)
CHECK = $(if $(filter deps demo test,$(GOALS)),,--check)
SETUP = CC='$(CC)' CFLAGS='$(CFLAGS) $(EXTRA)' PYTHON='$(PYTHON)' sh tests/setup.sh $(TESTS) $(CHECK)
SETUP_DONE = $(OUT)/setup$(TESTS:-%=%).done
ifneq ($(filter-out clean uninstall dist deb deps help,$(GOALS)),)
ifneq ($(shell test $(SETUP_DONE) -nt tests/setup.sh || { mkdir -p $(OUT) && $(SETUP) >&2 && \
  touch $(SETUP_DONE); } || echo missing),)
$(error nothing was built)
endif

# Files that are written again when their text changes: the flags, by which all is compiled again (`make install` alone takes what
# was built, with whatever flags); the names of what is put together; the folders that cqlgen.pc names.
kept = $(if $(findstring <$(2)>,<$(file <$(OUT)/$(1))>),,$(file >$(OUT)/$(1),$(2)))
ifneq ($(filter-out install install-python,$(GOALS))$(if $(wildcard $(OUT)/flags),,new),)
$(call kept,flags,$(CC) $(filter-out -Werror,$(ALL_CFLAGS)) $(LDFLAGS))
endif
$(call kept,names,$(CALLS) $(EXAMPLES) $(MANUAL))
$(call kept,folders,$(PREFIX) $(LIBDIR) $(INCLUDEDIR))
# What the program can do without: the libraries of which the headers are here, for the rooms that ask for them, and the editor of
# the server's page.
CODEMIRROR ?= /usr/share/javascript/codemirror
HASH := \#
have = $(shell echo '$(HASH)include <$(1)>' | $(CC) $(CPPFLAGS) $(CFLAGS) $(EXTRA) -E -x c - >/dev/null 2>&1 && echo yes)
JANSSON := $(if $(call have,jansson.h),-ljansson)
CIVETWEB := $(if $(JANSSON),$(if $(call have,civetweb.h),-lcivetweb))
$(call kept,libraries,$(JANSSON) $(CIVETWEB) $(CODEMIRROR))
endif

# Rooms nest at most three deep.
sources = $(wildcard $(1)/*/*.c $(1)/*/*/*.c)
RUNTIME_SRC = $(call sources,runtime)
MPI_SRC = $(wildcard compiler/mpi/*.c)
# Only the program cqlgen has the server.
PROGRAM_SRC = compiler/cli/main.c compiler/cli/serve.c $(if $(CIVETWEB),$(wildcard compiler/serve/*.c))
PROGRAM_OBJ = $(PROGRAM_SRC:%.c=$(OUT)/obj/%.o) $(if $(CIVETWEB),$(OUT)/obj/gen/serve_page.o)
COMPILER_SRC = $(filter-out compiler/cli/main.c compiler/cli/serve.c $(wildcard compiler/serve/*.c) $(MPI_SRC),$(call sources,compiler))
RUNTIME_OBJ = $(RUNTIME_SRC:%.c=$(OUT)/obj/%.o) $(OUT)/obj/gen/page.o $(OUT)/obj/gen/openings.o
GENERATED_OBJ = $(OUT)/obj/gen/templates.o $(OUT)/obj/gen/examples.o $(OUT)/obj/gen/manual.o
COMPILER_OBJ = $(COMPILER_SRC:%.c=$(OUT)/obj/%.o) $(GENERATED_OBJ)
# With SANITIZE=thread only the programs that use several threads.
THREADED = imports input inputs search stop upgrade
UNIT_SRC = $(if $(filter thread,$(SANITIZE)),$(THREADED:%=tests/unit/test_%.c),$(wildcard tests/unit/*.c))
UNIT = $(UNIT_SRC:tests/unit/%.c=$(OUT)/unit/%)
# The library for other programs: one object file in which only the functions of its header can be seen from outside. libtcc.a
# is part of it, where there is one; what it needs of the C library gets names of compiler/api/tcc_host.c.
API_H = compiler/api/cqlgen.h
VERSION := $(shell LC_ALL=C sed -n 's/.*CQLGEN_VERSION "\(.*\)".*/\1/p' $(API_H) 2>/dev/null)
LIBRARY_OBJ = $(filter-out $(OUT)/obj/compiler/cli/% $(OUT)/obj/compiler/editor/% $(OUT)/obj/compiler/convert/%,$(COMPILER_OBJ)) $(RUNTIME_OBJ)
LIBTCC := $(filter /%,$(shell $(CC) -print-file-name=libtcc.a 2>/dev/null))
LIBRARY_LIBS = $(if $(LIBTCC)$(findstring CQL_WITHOUT_TCC,$(EXTRA)),,-ltcc) $(RUNTIME_LIBS)
LIBRARY = $(OUT)/libcqlgen.a $(OUT)/libcqlgen.so $(OUT)/include/cqlgen/cqlgen.h $(OUT)/cqlgen.pc
RUNTIME_LIBS = -lpcre2-8 -lzstd -lz -lbz2 -llzma -lsqlite3 -lxxhash -ldl -lm -pthread
LIBS = -ltcc $(RUNTIME_LIBS) $(JANSSON)

# The program for clusters, where there is an MPI.
MPICC ?= mpicc
MPI_OBJ = $(MPI_SRC:%.c=$(OUT)/obj/%.o)
ifneq ($(shell command -v $(MPICC) 2>/dev/null),)
MPI_PROGRAM = $(OUT)/cqlgen-mpi
endif

all: $(OUT)/cqlgen $(LIBRARY) $(OUT)/include/cqlgen/matcher.h $(MPI_PROGRAM)

# What is made of sources gets the time at which its making began: a file that is changed meanwhile is newer, and make begins again.
BEGIN = @mkdir -p $(@D) && touch $@.began
END = @touch -r $@.began $@ && rm $@.began

$(OUT)/obj/%.o: %.c $(OUT)/flags | $(OUT)/gen/layout.h
	$(BEGIN)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
	$(END)

# What the back ends are made of: the header of emitted C, which is also installed and kept as a string, and the
# interpreter's dispatch.
MATCHER_H = $(OUT)/include/cqlgen/matcher.h
INTERFACE = runtime/match/matcher.h runtime/match/calls.def $(CALLS) runtime/chess/board.h runtime/game/view.h runtime/game/lines.h runtime/value/integers.h runtime/value/value.h
$(MATCHER_H): templates/header.awk $(wildcard templates/*.h) $(INTERFACE) runtime/chess/rays.h $(OUT)/gen/layout.h
	$(BEGIN)
	awk -v layout=$(OUT)/gen/layout.h -f templates/header.awk templates/header.h >$@
	$(END)

$(OUT)/gen/layout.h: templates/header.awk $(INTERFACE) $(OUT)/names
	$(BEGIN)
	awk -f templates/header.awk runtime/match/matcher.h | sed -e 's| *//.*||' -e '/^$$/d' | cksum | \
	  awk '{ print "#define CQL_DECLARATIONS " $$1 "u // a checksum of the declarations of this interface" }' >$@
	$(END)

C_STRING = sed -e 's/[\\"]/\\&/g' -e 's/.*/    "&\\n"/'
$(OUT)/gen/templates.c: Makefile LICENSE $(MATCHER_H) templates/match.h
	$(BEGIN)
	{ echo '#include "compiler/back/template.h"'; \
	  echo 'const char template_header[] ='; $(C_STRING) $(MATCHER_H); echo ';'; \
	  echo 'const char template_bare_header[] ='; sed -e 's| *//.*||' -e '/^$$/d' $(MATCHER_H) | $(C_STRING); echo ';'; \
	  echo 'const char *const template_words[] = {'; \
	  grep -oE '[A-Za-z_][A-Za-z0-9_]*\(?' $(MATCHER_H) | grep -E '[A-Z(]|_t$$' | tr -d '(' | sort -u | \
	  sed 's/.*/    "&",/'; echo '};'; \
	  echo 'const int template_word_count = sizeof template_words / sizeof *template_words;'; \
	  echo 'extern const char license_text[]; const char license_text[] ='; $(C_STRING) LICENSE; echo ';'; \
	  echo 'const char template_match[] ='; $(C_STRING) templates/match.h; echo ';'; } >$@
	$(END)

# The style and the script of pages, without their comments and indentation.
$(OUT)/gen/page.c: Makefile templates/page.css templates/page.js
	$(BEGIN)
	{ echo '#include "runtime/format/writers.h"'; \
	  echo 'const char page_style[] ='; sed -e '/^ *\/\*.*\*\/$$/d' -e 's/^ *//' -e '/^$$/d' templates/page.css | $(C_STRING); echo ';'; \
	  echo 'const char page_script[] ='; sed -e 's/^ *//' -e '/^\/\//d' -e '/^$$/d' templates/page.js | $(C_STRING); echo ';'; } >$@
	$(END)

# The page of the server: one document with the editor, if CodeMirror is installed, and all styles and scripts.
SERVE = page.css api.js state.js editor.js help.js games.js counts.js explorer.js position.js compare.js export.js main.js
SERVE_CSS = $(filter %.css,$(SERVE:%=templates/serve/%))
SERVE_JS = $(filter %.js,$(SERVE:%=templates/serve/%))
CODEMIRROR_CSS = $(wildcard $(CODEMIRROR:%=%/codemirror.css) $(CODEMIRROR:%=%/addon/hint/show-hint.css))
CODEMIRROR_JS = $(wildcard $(CODEMIRROR:%=%/codemirror.js) $(CODEMIRROR:%=%/addon/hint/show-hint.js) $(CODEMIRROR:%=%/addon/edit/matchbrackets.js))
$(OUT)/gen/serve.html: Makefile templates/serve/page.awk templates/serve/page.html templates/page.css templates/page.js $(SERVE_CSS) $(SERVE_JS) \
  $(CODEMIRROR_CSS) $(CODEMIRROR_JS) $(OUT)/libraries
	$(BEGIN)
	awk -v style='$(CODEMIRROR_CSS) templates/page.css $(SERVE_CSS)' \
	  -v codemirror='$(CODEMIRROR_JS)' -v player=templates/page.js -v script='$(SERVE_JS)' \
	  -f templates/serve/page.awk templates/serve/page.html >$@
	$(END)
$(OUT)/gen/serve_page.c: Makefile $(OUT)/gen/serve.html
	$(BEGIN)
	{ echo 'extern const char serve_page[];'; echo 'const char serve_page[] ='; $(C_STRING) $(OUT)/gen/serve.html; echo ';'; } >$@
	$(END)

# The table of openings.
$(OUT)/gen/openings.c: Makefile runtime/game/openings.tsv
	$(BEGIN)
	{ echo 'extern const char openings_text[];'; \
	  echo 'const char openings_text[] ='; $(C_STRING) runtime/game/openings.tsv; echo ';'; } >$@
	$(END)

$(OUT)/gen/interp_calls.inc: compiler/back/calls.awk $(CALLS) $(OUT)/names
	$(BEGIN)
	awk -f compiler/back/calls.awk $(CALLS) >$@
	$(END)

# The shipped queries, which the program contains.
$(OUT)/gen/examples.c: compiler/cli/examples.awk examples/subjects.txt $(EXAMPLES) $(OUT)/names
	$(BEGIN)
	awk -f compiler/cli/examples.awk examples/subjects.txt >$@
	$(END)

# The pages of `cqlgen help`, without the comments that their files begin with.
$(OUT)/gen/manual.c: Makefile $(MANUAL) $(OUT)/names
	$(BEGIN)
	{ echo 'extern const char manual_text[];'; \
	  echo 'const char manual_text[] ='; awk 'FNR > 1 || !/^\/\//' $(MANUAL) | $(C_STRING); echo ';'; } >$@
	$(END)

$(GENERATED_OBJ) $(OUT)/obj/gen/page.o $(OUT)/obj/gen/serve_page.o $(OUT)/obj/gen/openings.o: $(OUT)/obj/gen/%.o: $(OUT)/gen/%.c $(OUT)/flags | $(OUT)/gen/layout.h
	$(BEGIN)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
	$(END)

$(OUT)/obj/compiler/back/interp.o: $(OUT)/gen/interp_calls.inc

$(filter $(OUT)/obj/compiler/editor/%,$(COMPILER_OBJ)) $(OUT)/obj/compiler/cli/serve.o: $(OUT)/libraries

$(OUT)/runtime.a: $(RUNTIME_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

# Functions of the library's header, one on a line.
$(OUT)/gen/library.symbols: $(API_H) Makefile
	$(BEGIN)
	sed -n 's/^CQL_PUBLIC .*\b\(cql_[a-z0-9_]*\)(.*/\1/p' $(API_H) >$@
	$(END)

ifneq ($(LIBTCC),)
$(OUT)/obj/libtcc.o: $(LIBTCC) Makefile
	@mkdir -p $(@D)
	$(CC) -r -nostdlib -o $@ -Wl,--whole-archive $(LIBTCC) -Wl,--no-whole-archive
	$(OBJCOPY) $(foreach name,stdout stderr environ exit sigaction malloc calloc realloc,--redefine-sym $(name)=cqlgen_tcc_$(name)) $@
$(OUT)/libcqlgen.o: $(OUT)/obj/libtcc.o
endif

$(OUT)/libcqlgen.o: $(LIBRARY_OBJ) $(OUT)/gen/library.symbols
	$(CC) -r -nostdlib -o $@ $(filter %.o,$^)
	$(OBJCOPY) --keep-global-symbols=$(OUT)/gen/library.symbols $@

$(OUT)/libcqlgen.a: $(OUT)/libcqlgen.o
	@rm -f $@
	$(AR) rcs $@ $^

# The number grows when programs must be compiled again.
LIBRARY_SO = libcqlgen.so.1
$(OUT)/libcqlgen.so: $(OUT)/libcqlgen.o
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(LIBRARY_SO) $(if $(SANITIZE),,-Wl,-z,defs) -o $(OUT)/$(LIBRARY_SO) $^ $(LIBRARY_LIBS)
	ln -sf $(LIBRARY_SO) $@

$(OUT)/include/cqlgen/cqlgen.h: $(API_H)
	$(BEGIN)
	cp $< $@
	$(END)

below = $(subst $(PREFIX)/,$${prefix}/,$(1))
$(OUT)/cqlgen.pc: compiler/api/cqlgen.pc.in $(API_H) $(OUT)/folders Makefile
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(call below,$(LIBDIR))|' -e 's|@INCLUDEDIR@|$(call below,$(INCLUDEDIR))|' -e 's|@LIBS@|$(LIBRARY_LIBS)|' -e 's|@VERSION@|$(VERSION)|' $< >$@

$(OUT)/cqlgen: $(PROGRAM_OBJ) $(COMPILER_OBJ) $(OUT)/runtime.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(CIVETWEB)

$(MPI_OBJ): $(OUT)/obj/%.o: %.c $(OUT)/flags | $(OUT)/gen/layout.h
	$(BEGIN)
	OMPI_CC='$(CC)' $(MPICC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
	$(END)

$(OUT)/cqlgen-mpi: $(MPI_OBJ) $(COMPILER_OBJ) $(OUT)/runtime.a
	OMPI_CC='$(CC)' $(MPICC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# All that unit programs test, linked once.
$(OUT)/tests/libtested.so: $(COMPILER_OBJ) $(RUNTIME_OBJ) $(if $(LIBTCC),$(OUT)/obj/libtcc.o)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-Bsymbolic -o $@ $^ $(LIBRARY_LIBS) $(JANSSON)

$(OUT)/unit/%: $(OUT)/obj/tests/unit/%.o | $(OUT)/tests/libtested.so
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -L$(OUT)/tests -ltested -Wl,-rpath,'$$ORIGIN/../tests' -lcmocka $(RUNTIME_LIBS)

# The fuzzers: the names of their harnesses, and the objects that all of them have.
FUZZERS = $(shell LC_ALL=C sed -n 's/^ *DO(\([a-z]*\)).*/\1/p' tests/fuzz/fuzz.h)
FUZZ_OBJ = $(FUZZERS:%=$(OUT)/obj/tests/fuzz/%.o) $(OUT)/obj/tests/fuzz/fuzz.o

# Programs that generate what they test, and the benchmark: tests/drivers/NAME.c with what it needs of tests/tools.
TOOLS = $(OUT)/tests/differential $(OUT)/tests/random_ir $(OUT)/tests/damaged $(OUT)/tests/replay $(OUT)/generate-games
$(OUT)/tests/differential: $(OUT)/obj/tests/drivers/differential.o $(OUT)/obj/tests/tools/query_generator.o $(OUT)/obj/tests/tools/dialect_generator.o $(OUT)/obj/tests/tools/games.o $(OUT)/obj/tests/tools/lines.o $(OUT)/obj/tests/tools/results.o
$(OUT)/tests/random_ir: $(OUT)/obj/tests/drivers/random_ir.o $(OUT)/obj/tests/tools/random_ir.o $(OUT)/obj/tests/tools/ir_maker.o $(OUT)/obj/tests/tools/smaller_ir.o $(OUT)/obj/tests/tools/games.o $(OUT)/obj/tests/tools/lines.o $(OUT)/obj/tests/tools/results.o
$(OUT)/tests/damaged: $(FUZZ_OBJ) $(OUT)/obj/tests/drivers/damaged.o $(OUT)/obj/tests/tools/query_mutator.o
$(OUT)/tests/replay: $(FUZZ_OBJ) $(OUT)/obj/tests/fuzz/replay.o
$(OUT)/generate-games: $(OUT)/obj/tests/tools/generate_games.o
$(OUT)/bench: $(OUT)/obj/tests/bench/bare.o
$(TOOLS) $(OUT)/bench: $(COMPILER_OBJ) $(OUT)/runtime.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS)

# One program a harness, for a compiler with -fsanitize=fuzzer; tests/fuzz/fuzz.py builds and runs them.
$(OUT)/fuzzers/%: tests/fuzz/entry.c $(FUZZ_OBJ) $(COMPILER_OBJ) $(OUT)/runtime.a
	$(BEGIN)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -DFUZZ_TARGET=fuzz_$* -o $@ $^ $(LIBS)
	$(END)
fuzzers: $(FUZZERS:%=$(OUT)/fuzzers/%)

# TIME: seconds for all of them; ENGINE=afl: AFL++ instead of libFuzzer; FUZZ="-j 1 query" holds options of fuzz.py, and harnesses.
ifneq ($(origin TIME),command line)
TIME = 600
endif
ENGINE ?= libfuzzer
fuzz:
	$(PYTHON) tests/fuzz/fuzz.py --out $(OUT) --time $(TIME) --engine $(ENGINE) $(FUZZ)

# The compiler with a counter of its work.
COUNTED_OBJ = $(COMPILER_SRC:%.c=$(OUT)/counted/%.o) $(PROGRAM_SRC:%.c=$(OUT)/counted/%.o)
$(OUT)/counted/%.o: %.c $(OUT)/flags | $(OUT)/gen/interp_calls.inc $(OUT)/gen/layout.h
	$(BEGIN)
	$(CC) $(filter-out $(SANITIZER),$(ALL_CFLAGS)) -O1 -fsanitize-coverage=trace-pc -MMD -MP -c $< -o $@
	$(END)

$(OUT)/tests/cqlgen-counted: $(COUNTED_OBJ) $(GENERATED_OBJ) $(filter $(OUT)/obj/gen/%,$(PROGRAM_OBJ)) $(OUT)/obj/tests/tools/count.o $(OUT)/obj/tests/tools/blocks.o $(OUT)/runtime.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(CIVETWEB)

# To be preloaded; sanitizers have an allocator of their own.
$(OUT)/tests/fault.so: tests/tools/fault.c $(OUT)/flags
	$(BEGIN)
	$(CC) $(filter-out $(SANITIZER) --coverage -fsanitize-coverage=%,$(ALL_CFLAGS)) -shared -o $@ $< -ldl
	$(END)

# The syntax files of editors.
EDITORS_SRC = $(patsubst templates/editors/%,%,$(wildcard templates/editors/*/*.* templates/editors/*/*/*.*))
EDITORS = $(EDITORS_SRC:%=$(OUT)/editors/%)

# All object files, for their warnings.
objects: $(patsubst %.c,$(OUT)/obj/%.o,$(COMPILER_SRC) $(PROGRAM_SRC) $(RUNTIME_SRC) $(UNIT_SRC) $(wildcard tests/bench/*.c tests/drivers/*.c tests/tools/*.c) \
  $(filter-out tests/fuzz/entry.c,$(wildcard tests/fuzz/*.c))) $(GENERATED_OBJ) $(if $(MPI_PROGRAM),$(MPI_OBJ))

test-programs: $(OUT)/cqlgen $(UNIT) $(if $(filter thread,$(SANITIZE)),$(OUT)/generate-games,all $(EDITORS) $(TOOLS) $(OUT)/bench $(OUT)/tests/fault.so)
test: test-programs $(if $(FULL),$(OUT)/tests/cqlgen-counted)
	$(PYTHON) tests/run.py --out $(OUT) $(if $(FULL),--full) $(TEST_FLAGS) $(TEST)

# Which lines the tests reach, by folder; out/coverage/never.txt has the others. COVERED: the parts of the tests that are run;
# COVERED_WHOLE: those of which all is run. Fails when a line is neither reached nor explained in tests/tools/unreached.txt.
COVERED_WHOLE ?= unit,cases,sentences,faults
COVERED ?= lsp,serve,convert,diagnostics,examples,threads,many,share,groups,tables,commands,options,files,pipes,cql,cqli,drivers,fuzz,database,strangers,tags,golden,terminal,cache,manual,completion,documents,bench,page
COUNTED_BUILD = PLACE= CFLAGS='-O0 -g --coverage -fprofile-update=atomic' EXTRA=-w LDFLAGS='--coverage -Wl,--wrap=_exit $(OUT)/coverage/counters.o'
coverage:
	@mkdir -p $(OUT)/coverage
	$(CC) -std=gnu11 -O1 -fPIC -c tests/tools/counters.c -o $(OUT)/coverage/counters.o
	$(MAKE) -s OUT=$(OUT)/coverage $(COUNTED_BUILD) test-programs
	find $(OUT)/coverage -name '*.gcda' -delete
	-$(COUNTED_BUILD) $(PYTHON) tests/run.py --out $(OUT)/coverage --full --only $(COVERED_WHOLE)
	-$(COUNTED_BUILD) $(PYTHON) tests/run.py --out $(OUT)/coverage --only $(COVERED)
	$(PYTHON) tests/tools/coverage.py $(OUT)/coverage $(OUT)/coverage/never.txt

# Makes no folder, which would be root's.
deps:
	@$(SETUP) && echo "make: nothing that building needs is missing"

help:
	@sed -n '/^# make/,/^[^#]/{/^#/!q;s/^# //p}' $(firstword $(MAKEFILE_LIST))

demo: $(OUT)/cqlgen
	@sh examples/demo.sh $(OUT)/cqlgen

# Games to measure with; BENCH_GAMES=FILE... takes others, BENCH holds options of the benchmark (tests/bench/bench.py --help).
BENCH_GAMES ?= $(OUT)/bench.pgn
$(OUT)/bench.pgn: $(OUT)/generate-games
	$(OUT)/generate-games --games 20000 >$@

bench: $(OUT)/cqlgen $(OUT)/bench $(OUT)/generate-games $(BENCH_GAMES)
	$(PYTHON) tests/bench/bench.py --out $(OUT) $(BENCH) $(BENCH_GAMES)

# Small changes of the sources, which the tests must notice; MUTANTS holds options of tests/tools/mutants.py.
N ?= 20
SEED ?= 1
MAKE_PROGRAM = $(MAKE)
mutants:
	nice $(PYTHON) tests/tools/mutants.py --out $(OUT)/mutants --n $(N) --seed $(SEED) --rooms '$(ROOM)' --make '$(MAKE_PROGRAM)' --cc '$(CC)' $(MUTANTS)

# Completions for shells come from the tables of options.
COMPLETIONS = $(OUT)/completion/cqlgen $(OUT)/completion/_cqlgen
$(COMPLETIONS): $(OUT)/cqlgen
	@mkdir -p $(@D)
	$(OUT)/cqlgen help --completion $(if $(filter _%,$(@F)),zsh,bash) >$@

# They are made from the table of the language. What separates its words there:
$(OUT)/editors/emacs/%: BETWEEN = " "
$(OUT)/editors/words: $(OUT)/cqlgen
	@mkdir -p $(@D)
	$(OUT)/cqlgen help --completion words | sort -r >$@

$(EDITORS): $(OUT)/editors/%: templates/editors/% templates/editors/fill.awk $(OUT)/editors/words
	@mkdir -p $(@D)
	awk -v between='$(or $(BETWEEN),|)' -v version=$(VERSION) -f templates/editors/fill.awk $(OUT)/editors/words $< >$@

# The program and the libraries without symbols for a debugger, which finds those of the first and the second in $(OUT)/NAME.debug,
# or where that is copied to.
$(OUT)/$(LIBRARY_SO): $(OUT)/libcqlgen.so ;
$(OUT)/stripped/%: $(OUT)/%
	@mkdir -p $(@D)
	$(STRIP) $(if $(filter %.a,$@),-g,--strip-unneeded) -o $@ $<
	$(if $(filter %.a,$@),,objcopy --only-keep-debug $< $<.debug && objcopy --add-gnu-debuglink=$<.debug $@)

# What is installed: $(call copied,FOLDER,MODE,FILES) and $(call linked,FOLDER,NAME,FILE).
BUILT = $(if $(STRIP),$(OUT)/stripped,$(OUT))
INSTALLED_PROGRAMS = $(BUILT)/cqlgen $(MPI_PROGRAM:$(OUT)/%=$(BUILT)/%)
INSTALLED_LIBRARIES = $(BUILT)/libcqlgen.a $(BUILT)/$(LIBRARY_SO)
BASH_DIR = $(DATADIR)/bash-completion/completions
define INSTALLED
$(call copied,$(BINDIR),755,$(INSTALLED_PROGRAMS))
$(call linked,$(BINDIR),cqlgen-cql,cqlgen)
$(call copied,$(LIBDIR),644,$(INSTALLED_LIBRARIES))
$(call linked,$(LIBDIR),libcqlgen.so,$(LIBRARY_SO))
$(call copied,$(LIBDIR)/pkgconfig,644,$(OUT)/cqlgen.pc)
$(call copied,$(INCLUDEDIR)/cqlgen,644,$(API_H) $(MATCHER_H))
$(call copied,$(MANDIR)/man3,644,docs/cqlgen.3)
$(call copied,$(MANDIR)/man1,644,$(wildcard docs/*.1))
$(if $(MPI_PROGRAM),$(call linked,$(MANDIR)/man1,cqlgen-mpi.1,cqlgen.1))
$(call copied,$(BASH_DIR),644,$(OUT)/completion/cqlgen)
$(foreach name,cqlgen-cql $(notdir $(MPI_PROGRAM)),$(call linked,$(BASH_DIR),$(name),cqlgen);)
$(call copied,$(DATADIR)/zsh/site-functions,644,$(OUT)/completion/_cqlgen)
$(foreach file,$(EDITORS_SRC),$(call copied,$(DATADIR)/cqlgen/editors/$(patsubst %/,%,$(dir $(file))),644,$(OUT)/editors/$(file));)
$(foreach file,$(filter vim/%,$(EDITORS_SRC)),$(call copied,$(DATADIR)/vim/vimfiles/$(patsubst vim/%/,%,$(dir $(file))),644,$(OUT)/editors/$(file));)
$(call copied,$(DATADIR)/emacs/site-lisp,644,$(OUT)/editors/emacs/cql-mode.el)
$(call copied,$(DOCDIR),644,LICENSE README.md CHANGELOG.md)
$(call copied,$(DOCDIR)/docs,644,$(wildcard docs/*.md docs/*.svg docs/*.webp))
$(call copied,$(DOCDIR)/docs/language,644,$(wildcard docs/language/*.md))
$(call copied,$(DOCDIR)/examples,644,$(EXAMPLES) $(wildcard examples/*.pgn))
$(call copied,$(DATADIR)/cqlgen,644,runtime/game/openings.tsv)
$(call copied,$(DOCDIR)/examples/dialects,644,$(wildcard examples/dialects/*))
$(call copied,$(DOCDIR)/examples/embed,644,$(wildcard examples/embed/*))
endef

install: copied = install -d '$(DESTDIR)$(1)' && install -m $(2) $(3) '$(DESTDIR)$(1)'
install: linked = ln -sf $(3) '$(DESTDIR)$(1)/$(2)'
install: all $(COMPLETIONS) $(EDITORS) $(INSTALLED_PROGRAMS) $(INSTALLED_LIBRARIES)
	$(INSTALLED)

uninstall: copied = rm -f $(foreach file,$(3),'$(DESTDIR)$(1)/$(notdir $(file))')
uninstall: linked = rm -f '$(DESTDIR)$(1)/$(2)'
uninstall: MPI_PROGRAM = $(OUT)/cqlgen-mpi
uninstall:
	$(INSTALLED)
	-find '$(DESTDIR)$(DOCDIR)' '$(DESTDIR)$(DATADIR)/cqlgen' '$(DESTDIR)$(INCLUDEDIR)/cqlgen' -depth -type d -empty -delete

# The Python package as a wheel. It is built by the first Python that has setuptools and wheel; PACKAGING_PYTHON names another.
PYTHON_SRC = $(wildcard runtime/python/cqlgen/*) runtime/python/setup.py
PACKAGING_PYTHON ?= $(firstword $(shell for p in $(PYTHON) /usr/bin/python3; do $$p -c 'import setuptools, wheel' 2>/dev/null && echo $$p; done))
PYTHON_DIR ?= $(shell $(PACKAGING_PYTHON) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

python: $(OUT)/python.done
$(OUT)/python.done: $(OUT)/libcqlgen.so $(PYTHON_SRC)
	@test -n '$(PACKAGING_PYTHON)' || { echo "make: the Python package needs setuptools and wheel: on Debian or Ubuntu," \
	  "sudo apt-get install python3-setuptools python3-wheel, elsewhere pip install setuptools wheel" >&2; exit 1; }
	@rm -rf $(OUT)/python $(OUT)/cqlgen-*.whl
	@mkdir -p $(OUT)/python
	cp -r runtime/python/setup.py runtime/python/cqlgen $(OUT)/python
	strip --strip-unneeded -o $(OUT)/python/cqlgen/$(LIBRARY_SO) $(OUT)/$(LIBRARY_SO)
	cd $(OUT)/python && CQLGEN_VERSION=$(VERSION) $(PACKAGING_PYTHON) -W ignore setup.py -q bdist_wheel -d ..
	@ls $(OUT)/cqlgen-*.whl
	@touch $@

# Into PYTHON_DIR: by default that of the Python above.
install-python: python
	install -d '$(DESTDIR)$(PYTHON_DIR)'
	$(PACKAGING_PYTHON) -m zipfile -e $(OUT)/cqlgen-*.whl '$(DESTDIR)$(PYTHON_DIR)'

# The sources as a tarball: the files that git tracks, or all of an unpacked one. Its bytes depend on nothing else.
DIST = cqlgen-$(VERSION)
SOURCE_FILES = git ls-files 2>/dev/null || find . -path './$(OUT)' -prune -o -type f -print | sed 's|^./||'
SOURCE_TIME = git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md
dist:
	@mkdir -p $(OUT)
	{ $(SOURCE_FILES); } | sort | tar --create --file - --files-from - --transform 's|^|$(DIST)/|' --mtime "@$$($(SOURCE_TIME))" \
	  --owner 0 --group 0 --numeric-owner --mode u=rwX,go=rX | xz >$(OUT)/$(DIST).tar.xz
	@ls $(OUT)/$(DIST).tar.xz

# Packages for the Debian that this is, in $(OUT)/deb. MAINTAINER names who made them.
MAINTAINER ?= The cqlgen authors <cqlgen@invalid.invalid>
DEB = $(OUT)/deb/$(DIST)
deb: dist
	@command -v dpkg-buildpackage dh lintian >/dev/null || { echo "make: packages need: sudo apt-get install dpkg-dev" \
	  "debhelper dh-python fakeroot lintian" >&2; exit 1; }
	rm -rf $(OUT)/deb && mkdir -p $(OUT)/deb && tar --extract --file $(OUT)/$(DIST).tar.xz --directory $(OUT)/deb
	cp -r templates/debian $(DEB)/debian
	sed -i -e 's|@MAINTAINER@|$(MAINTAINER)|' -e 's|@VERSION@|$(VERSION)|' -e "s|@DATE@|$$(date -R -u -d "@$$($(SOURCE_TIME))")|" \
	  $(DEB)/debian/control $(DEB)/debian/changelog
	cd $(DEB) && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS dpkg-buildpackage --unsigned-source --unsigned-changes --build=binary
	lintian --allow-root --fail-on error,warning $(OUT)/deb/*.changes
	@ls $(OUT)/deb/*.deb

clean:
	rm -rf $(OUT) tests/__pycache__ tests/*/__pycache__ runtime/python/cqlgen/__pycache__

-include $(shell find $(OUT)/obj $(OUT)/counted -name '*.d' 2>/dev/null)
.SECONDARY: $(UNIT_SRC:%.c=$(OUT)/obj/%.o)
.DELETE_ON_ERROR:
.PHONY: all deps help objects test test-programs coverage fuzz fuzzers mutants demo bench install uninstall python install-python dist deb clean
