// What is refused as a matcher, and why: files that are no shared objects or not all of one, and other interfaces.
#include "folder_fixture.h"

#include <dlfcn.h>
#include <elf.h>

#include "runtime/match/load.h"
#include "runtime/match/table.h"

// A shared object with nothing in it but a header, a segment and a section, one after the other.
typedef struct Object {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    Elf64_Shdr section;
} Object;

static Object good_object(void)
{
    Object o = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                   .e_type = ET_DYN,
                   .e_machine = EM_X86_64,
                   .e_version = EV_CURRENT,
                   .e_phoff = offsetof(Object, segment),
                   .e_shoff = offsetof(Object, section),
                   .e_ehsize = sizeof(Elf64_Ehdr),
                   .e_phentsize = sizeof(Elf64_Phdr),
                   .e_phnum = 1,
                   .e_shentsize = sizeof(Elf64_Shdr),
                   .e_shnum = 1},
        .segment = {.p_filesz = sizeof(Object)}};
    return o;
}

// `format` has the path; nothing is compared after it.
static void expect_refusal(const char *name, const char *format)
{
    char expected[500], *message = NULL;
    void *handle = &message;
    assert_null(matcher_load(name, &handle, &message));
    assert_null(handle);
    assert_non_null(message);
    snprintf(expected, sizeof expected, format, name);
    if (strncmp(expected, "cannot load", 11) == 0)
        message[strlen(expected)] = '\0'; // the rest is said by the C library
    assert_string_equal(message, expected);
    free(message);
}

#define INCOMPLETE "%s is not a matcher: not a shared object, or incomplete"
#define NOT_LOADED "cannot load the matcher: "

static void expect_object(const Object *o, size_t size, const char *format)
{
    const char *const name = path("object.so");
    FILE *file = fopen(name, "wb");
    assert_int_equal(fwrite(o, 1, size, file), size);
    fclose(file);
    expect_refusal(name, format);
}

#define EXPECT(change, format)                                                                               \
    do {                                                                                                     \
        Object o = good_object();                                                                            \
        change;                                                                                              \
        expect_object(&o, sizeof o, format);                                                                 \
    } while (0)

// A file with all of its parts goes to the C library, which then says what else is wrong.
static void test_objects(void **state)
{
    (void)state;
    const size_t size = sizeof(Object);
    const Object good = good_object();
    expect_object(&good, size, NOT_LOADED);
    expect_object(&good, size - 1, INCOMPLETE);
    expect_object(&good, sizeof good.header, INCOMPLETE);
    expect_object(&good, sizeof good.header - 1, INCOMPLETE);
    expect_object(&good, 0, INCOMPLETE);
    EXPECT(o.header.e_ident[3]++, INCOMPLETE);
    EXPECT(o.header.e_type = ET_EXEC, INCOMPLETE);
    EXPECT(o.header.e_phentsize--, INCOMPLETE);
    EXPECT(o.header.e_shentsize++, INCOMPLETE);
    EXPECT(o.header.e_shnum = 2, INCOMPLETE);
    EXPECT(o.header.e_shnum = 0, NOT_LOADED);
    EXPECT(o.header.e_shoff++, INCOMPLETE);
    EXPECT(o.header.e_shoff = UINT64_MAX, INCOMPLETE);
    EXPECT(o.header.e_phnum = 2, NOT_LOADED); // the second one is the section, which is empty
    EXPECT(o.header.e_phnum = 3, INCOMPLETE);
    EXPECT(o.header.e_phoff = size, INCOMPLETE);
    EXPECT((o.segment.p_offset = size, o.segment.p_filesz = 0), NOT_LOADED);
    EXPECT((o.segment.p_offset = size, o.segment.p_filesz = 1), INCOMPLETE);
    EXPECT((o.segment.p_offset = size - 1, o.segment.p_filesz = 1), NOT_LOADED);
    EXPECT((o.segment.p_offset = size - 1, o.segment.p_filesz = 2), INCOMPLETE);
    EXPECT((o.segment.p_offset = size + 1, o.segment.p_filesz = 0), INCOMPLETE);
    EXPECT(o.segment.p_filesz++, INCOMPLETE);
    EXPECT(o.segment.p_filesz = UINT64_MAX, INCOMPLETE);
    EXPECT((o.header.e_phnum = 2, o.section.sh_size = size), NOT_LOADED); // of the second one, too
    EXPECT((o.header.e_phnum = 2, o.section.sh_size = size + 1), INCOMPLETE);
}

static void test_files(void **state)
{
    (void)state;
    Dl_info library;
    expect_refusal(path("absent.so"), "cannot read the matcher %s");
    expect_refusal(folder, "cannot read the matcher %s");
    expect_refusal("/dev/null", "cannot read the matcher %s");
    expect_refusal(write_file(path("text.so"), "text\n"), INCOMPLETE);
    assert_int_not_equal(dladdr((void *)(uintptr_t)fopen, &library), 0);
    expect_refusal(library.dli_fname, "%s is not a matcher: it has no function cql_matcher");
}

static void expect_checked(const Matcher *m, const char *expected)
{
    char *message = NULL;
    assert_ptr_equal(matcher_check(m, "m.so", &message), *expected ? NULL : m);
    assert_string_equal(message ? message : "", expected);
    free(message);
}

static void test_interfaces(void **state)
{
    (void)state;
    Matcher m = {.magic = CQL_MAGIC, .abi_version = CQL_ABI_VERSION, .layout = CQL_LAYOUT};
    char expected[200];
    expect_checked(&m, "");
    expect_checked(NULL, "m.so is not a matcher");
    m.layout++;
    expect_checked(
        &m, "m.so was compiled with another header of the matcher interface than this program: compile the "
            "query again");
    for (int step = -1; step <= 1; step += 2) {
        m.abi_version = (uint32_t)(CQL_ABI_VERSION + step);
        snprintf(
            expected, sizeof expected,
            "m.so has version %d of the matcher interface, this program version %d: compile the query again",
            CQL_ABI_VERSION + step, CQL_ABI_VERSION);
        expect_checked(&m, expected);
    }
    m.magic++;
    expect_checked(&m, "m.so is not a matcher");
}

static int remove_folder(void **state)
{
    (void)state;
    return remove_files((const char *const[]){"object.so", "text.so"}, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_objects), cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_interfaces)};
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
