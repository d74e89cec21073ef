#ifndef QUOIN_BITS_H
#define QUOIN_BITS_H

#include <stdint.h>

// Unpacks a scaled payload whose offsets were packed in bits, as PackedBits.swift draws them: `rows` offsets of `width` bytes, 1
// to 4, laid out as in range.h. If `differences` isn't zero, the differences between neighbours were packed. Only the frames
// whose bits of `wanted` are set are unpacked. Returns whether `count` packed bytes are what such a payload takes. Nothing
// outside them is read.
//
// This is in C because Swift's SIMD types don't lead to instructions that shift a register's lanes along, or narrow them.
int quoin_unpack_bits(const uint8_t *packed, int count, int rows, int width, int differences, uint32_t wanted,
                      uint8_t *payload);

#endif
