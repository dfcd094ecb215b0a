#include "workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_post(const Workload *workload, uint64_t index) {
    PostBytes bytes;
    Post post;
    post_generate(workload, index, &bytes, &post);
    printf("{\"index\":%" PRIu64 ",\"key\":\"", index);
    for (int at = 0; at < KEY_SIZE; at++) {
        printf("%02x", post.key[at]);
    }
    printf("\",\"title\":\"%.*s\",\"content\":\"%.*s\",\"views\":%" PRId64 ",\"date\":%" PRId64, (int)post.title_length, post.title,
           (int)post.content_length, post.content, post.views,
           post.date);
    printf(",\"hash\":\"%016" PRIx64 "\",\"touch\":\"%016" PRIx64 "\"}", post_hash(&post), post_touch(&post));
}

static void print_posts(const char *name, const Workload *workload) {
    enum { summed = 1000 };
    uint64_t hash = 0;
    uint64_t touch = 0;
    for (uint64_t index = 0; index < summed; index++) {
        PostBytes bytes;
        Post post;
        post_generate(workload, index, &bytes, &post);
        hash += post_hash(&post);
        touch += post_touch(&post);
    }
    printf("\"%s\":{\"posts\":[", name);
    print_post(workload, 0);
    printf(",");
    print_post(workload, 1);
    printf("],\"resultHashOf1000\":\"%016" PRIx64 "\",\"touchOf1000\":\"%016" PRIx64 "\"},", hash, touch);
}

static uint64_t hash_of_blob(const Workload *workload, uint64_t index, size_t size) {
    uint8_t *bytes = malloc(size);
    if (bytes == NULL) {
        perror("vectors: no memory for a blob");
        exit(1);
    }
    blob_generate(workload, index, bytes, size);
    uint64_t hash = blob_hash(index, bytes, size);
    free(bytes);
    return hash;
}

void workload_print_vectors(void) {
    Workload words = {.seed = 1};
    Workload letters = {.seed = 1, .incompressible = true};
    Workload sequential = {.seed = 1, .sequential = true};
    printf("{\"seed\":1,");
    print_posts("words", &words);
    print_posts("incompressible", &letters);
    print_posts("sequential", &sequential);
    uint64_t state = read_order_start(&words);
    printf("\"readOrderOf1000\":[");
    for (int read = 0; read < 5; read++) {
        printf("%s%" PRIu64, read == 0 ? "" : ",", read_order_next(&state, 1000));
    }
    uint64_t blobs = hash_of_blob(&words, 0, 1000003) + hash_of_blob(&words, 1, 1000003);
    printf("],\"blobHashOf2x1000003\":\"%016" PRIx64 "\"}\n", blobs);
}
