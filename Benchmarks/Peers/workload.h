// The data every peer stores, the same for all of them and for Strandline itself.
//
// Everything follows from one 64-bit seed, so that two programs that never meet hold equal data. This file is the
// specification; `peer-bare vectors` prints values to check another implementation against. All arithmetic is modulo 2^64, all
// integers that become bytes are little-endian unless "big-endian" is said.
//
//   mix(z)        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;  z ^ (z >> 31)
//   draw(state)   state += 0x9E3779B97F4A7C15;  mix(state)                                              (SplitMix64)
//
// Post i (i = 0, 1, 2 ...) has its own stream, whose first state is mix(seed + (i + 1) * 0x9E3779B97F4A7C15): the (i + 1)th
// draw of SplitMix64(seed), so any post can be made without the ones before it. From that stream, in this order:
//   1. key      two draws, 8 bytes each. With `sequential` the two draws are still made, and the key is 8 zero bytes followed
//               by i + 1 as 8 big-endian bytes.
//   2. views    one draw shifted right by 44: 0 ... 1,048,575.
//   3. title    two words with a space between; incompressible: 12 letters.
//   4. content  words with a space between, cut at exactly 70 bytes; incompressible: 70 letters.
//   5. date     milliseconds since 1970: 1,577,836,800,000 (the beginning of 2020) + one draw shifted right by 27.
// A word is workload_words[n] with n of 8 bits, a letter is workload_letters[n] with n of 6 bits. The n come from a draw's
// low bits upward: 8 words or 10 letters to a draw, bits left over are not used. Title and content each start a new draw.
// Letters are plain ASCII, so incompressible posts are text as well; LZ4 finds no repeats in them. The value bytes of word
// posts, without their dates, compress by 1.9 with LZ4 in frames of 64 KiB; together with their random keys, which do not
// compress, by 1.6.
//
//   value bytes   u16 title length, u16 content length, i64 views, i64 date, title, content (what key-value peers store)
//   post hash     XXH3-64 (seed 0) over the 16 key bytes followed by the value bytes
//   result hash   sum of the post hashes: order does not matter, a missing, doubled or changed post does
//   touch         sum of the post touches, see post_touch: cheap proof that a scan looked at every byte
//   read order    SplitMix64(seed ^ 0x9017901790179017); post = high 64 bits of the 128-bit product draw * posts
//   remote        change u gives post (read order, of the posts stored) 1,048,576 + u views: always another number
//   blob i        8 bytes a draw, cut at the size; first state mix((seed ^ 0xB10BB10BB10BB10B) + (i + 1) * 0x9E3779B97F4A7C15)
//   blob hash     sum over the blobs of XXH3-64 of the bytes with i as XXH3's seed
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    KEY_SIZE = 16,
    TITLE_CAPACITY = 32,
    CONTENT_SIZE = 70,
    VALUE_HEADER_SIZE = 20,
    VALUE_CAPACITY = VALUE_HEADER_SIZE + TITLE_CAPACITY + CONTENT_SIZE,
    WORD_COUNT = 256,
    VIEWS_END = 1 << 20, // views are drawn below it
};

extern const char *const workload_words[WORD_COUNT];
extern const char workload_letters[65];

typedef struct Workload {
    uint64_t seed;
    bool incompressible;
    bool sequential;
} Workload;

// A post that borrows its bytes: from PostBytes when it was generated, from the database when it was read.
typedef struct Post {
    const uint8_t *key;
    const char *title;
    const char *content;
    uint16_t title_length;
    uint16_t content_length;
    int64_t views;
    int64_t date; // milliseconds since 1970
} Post;

typedef struct PostBytes {
    uint8_t key[KEY_SIZE];
    char title[TITLE_CAPACITY];
    char content[CONTENT_SIZE];
} PostBytes;

uint64_t splitmix_draw(uint64_t *state);

void post_generate(const Workload *workload, uint64_t index, PostBytes *bytes, Post *post);
void post_key(const Workload *workload, uint64_t index, uint8_t key[KEY_SIZE]);
void sequential_key(uint64_t index, uint8_t key[KEY_SIZE]);

// Writes the value bytes, at most VALUE_CAPACITY of them, and returns their number.
size_t post_encode(const Post *post, uint8_t *value);
// Points `post` into `key` and `value`; false when the lengths inside disagree with `size`.
bool post_decode(const uint8_t *key, const uint8_t *value, size_t size, Post *post);
// The number of value bytes that start at `value`, read from their header.
size_t post_encoded_size(const uint8_t *value);

uint64_t post_hash(const Post *post);
// views + date + both lengths + the content's bytes as eight 8-byte words and a rest of zero-extended bytes, all added.
uint64_t post_touch(const Post *post);

uint64_t read_order_start(const Workload *workload);
uint64_t read_order_next(uint64_t *state, uint64_t posts);

void blob_generate(const Workload *workload, uint64_t index, uint8_t *bytes, size_t size);
uint64_t blob_hash(uint64_t index, const uint8_t *bytes, size_t size);

// One line of JSON with values for another implementation to agree with.
void workload_print_vectors(void);

#endif
