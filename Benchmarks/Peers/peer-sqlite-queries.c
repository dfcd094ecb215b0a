// SQLite's queries, its update of many rows, and changesets of its session extension.
#include "measure.h"
#include "peer-sqlite.h"
#include "works.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool sqlite_applies_at_once = false;

uint64_t sqlite_count_above(void *context, int64_t views) {
    Session *session = context;
    sqlite3_stmt *query = sqlite_prepare(session->db, "SELECT count(*) FROM posts WHERE views > ?");
    sqlite3_bind_int64(query, 1, views);
    sqlite_step(session, query);
    uint64_t count = (uint64_t)sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    return count;
}

size_t sqlite_average_by_title(void *context, int64_t views, Group *groups, size_t capacity) {
    Session *session = context;
    sqlite3_stmt *query = sqlite_prepare(session->db, "SELECT title, avg(views) FROM posts WHERE views > ? GROUP BY title");
    sqlite3_bind_int64(query, 1, views);
    size_t found = 0;
    while (sqlite_step(session, query) == SQLITE_ROW) {
        if (found == capacity) {
            fail("more groups than the %zu titles there can be", capacity);
        }
        Group *group = &groups[found++];
        const unsigned char *title = sqlite3_column_text(query, 0);
        group->title_length = (uint16_t)sqlite3_column_bytes(query, 0);
        memcpy(group->title, title, group->title_length);
        group->average = sqlite3_column_double(query, 1);
    }
    sqlite3_finalize(query);
    return found;
}

uint64_t sqlite_set_views(void *context, int64_t below, int64_t views) {
    Session *session = context;
    sqlite3_stmt *update = sqlite_prepare(session->db, "UPDATE posts SET views = ? WHERE views < ?");
    sqlite3_bind_int64(update, 1, views);
    sqlite3_bind_int64(update, 2, below);
    sqlite_step(session, update);
    sqlite3_finalize(update);
    return (uint64_t)sqlite3_changes64(session->db);
}

// The changesets lie in a file, each after its length.
static FILE *open_changes(const Options *options, const char *mode) {
    char path[4096];
    snprintf(path, sizeof path, "%s/changes", options->directory);
    FILE *file = fopen(path, mode);
    if (file == NULL) {
        fail("cannot open %s", path);
    }
    return file;
}

static void copy_file(const char *from, const char *to) {
    char command[9000];
    snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
    if (system(command) != 0) {
        fail("cannot copy %s to %s", from, to);
    }
}

// Updates one batch of posts and writes the changeset that this makes.
static void record_batch(Session *session, sqlite3_stmt *update, const Options *options, uint64_t first, uint64_t size,
                         uint64_t *state, FILE *file) {
    sqlite3_session *recorder;
    sqlite_check(session->db, sqlite3session_create(session->db, "main", &recorder), "start a recording session");
    sqlite_check(session->db, sqlite3session_attach(recorder, "posts"), "record posts");
    sqlite_execute(session->db, "BEGIN");
    for (uint64_t at = 0; at < size; at++) {
        uint8_t key[KEY_SIZE];
        post_key(&options->workload, read_order_next(state, options->rows), key);
        sqlite3_bind_int64(update, 1, (int64_t)(VIEWS_END + first + at));
        sqlite3_bind_blob(update, 2, key, KEY_SIZE, SQLITE_STATIC);
        sqlite_run(session, update);
    }
    sqlite_execute(session->db, "COMMIT");
    int length = 0;
    void *changes = NULL;
    sqlite_check(session->db, sqlite3session_changeset(recorder, &length, &changes), "make the changeset");
    sqlite3session_delete(recorder);
    if (fwrite(&length, sizeof length, 1, file) != 1 || fwrite(changes, (size_t)length, 1, file) != 1) {
        fail("cannot write a changeset");
    }
    sqlite3_free(changes);
}

void sqlite_make_changes(const Options *options) {
    char original[4096], copy[4096];
    snprintf(original, sizeof original, "%s/posts.sqlite", options->directory);
    snprintf(copy, sizeof copy, "%s/other.sqlite", options->directory);
    copy_file(original, copy);
    Session session = {0};
    sqlite_check(session.db, sqlite3_open(copy, &session.db), copy);
    sqlite_execute(session.db, "PRAGMA synchronous = OFF");
    sqlite_execute(session.db, "PRAGMA journal_mode = MEMORY");
    sqlite3_stmt *update = sqlite_prepare(session.db, "UPDATE posts SET views = ? WHERE key = ?");
    FILE *file = open_changes(options, "w");
    uint64_t state = read_order_start(&options->workload);
    for (uint64_t first = 0; first < options->count; first += options->batch) {
        uint64_t left = options->count - first;
        record_batch(&session, update, options, first, left < options->batch ? left : options->batch, &state, file);
    }
    fclose(file);
    sqlite3_finalize(update);
    sqlite3_close(session.db);
    unlink(copy);
}

static int overwrite(void *context, int conflict, sqlite3_changeset_iter *change) {
    (void)context;
    (void)change;
    return conflict == SQLITE_CHANGESET_DATA ? SQLITE_CHANGESET_REPLACE : SQLITE_CHANGESET_ABORT;
}

size_t sqlite_apply_changes(void *context, const Options *options, uint32_t *latencies) {
    Session *session = context;
    FILE *file = open_changes(options, "r");
    size_t number = 0;
    int length = 0;
    if (sqlite_applies_at_once) {
        sqlite_run(session, session->begin);
    }
    while (fread(&length, sizeof length, 1, file) == 1) {
        void *changes = allocate((size_t)length);
        if (fread(changes, (size_t)length, 1, file) != 1) {
            fail("a changeset ends early");
        }
        double start = seconds_now();
        sqlite_check(session->db, sqlite3changeset_apply(session->db, length, changes, NULL, overwrite, NULL),
                     "apply a changeset");
        latencies[number++] = nanoseconds_between(start, seconds_now());
        free(changes);
    }
    fclose(file);
    if (sqlite_applies_at_once) {
        sqlite_run(session, session->commit);
    }
    return sqlite_applies_at_once ? 1 : number;
}
