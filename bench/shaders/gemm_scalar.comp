// D = A * B without cooperative matrices: the baseline for software matrices (docs/lowering.md). All matrices are row-major and
// dense, and sums are 32-bit floats.
//
// A workgroup computes a TILE_M x TILE_N tile of D. An invocation computes 8 x 8 elements of it, as two rows and two columns of
// blocks of 4 x 4: its reads of shared memory are vectors, and neighbors read neighboring vectors. In steps of TILE_K, tiles
// go from memory to registers during the step before, and then, as 32-bit floats, to shared memory, where A is stored by columns.
//
// M, N and K must be multiples of TILE_M, TILE_N and TILE_K. TILE_M * TILE_N must be 64 times the workgroup's size.
#version 460

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_control_flow_attributes : require

layout(constant_id = 0) const uint TILE_M = 128;
layout(constant_id = 1) const uint TILE_N = 128;
layout(constant_id = 2) const uint TILE_K = 16;
layout(local_size_x_id = 3, local_size_y = 1, local_size_z = 1) in;
layout(constant_id = 3) const uint INVOCATIONS = 256;
// Workgroups take tiles of D in bands of this many rows of tiles: those in flight then share parts of A and B in the cache.
layout(constant_id = 4) const uint BAND = 8;

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Operand { uvec4 x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Result { vec4 x[]; };

layout(push_constant, scalar) uniform Parameters {
  Operand a;
  Operand b;
  Result d;
  uint m;
  uint n;
  uint k;
};

// Vectors of 16 bytes that an invocation moves.
const uint kVectorsA = TILE_M * TILE_K / 8 / INVOCATIONS;
const uint kVectorsB = TILE_K * TILE_N / 8 / INVOCATIONS;
shared vec4 tileA[TILE_K * (TILE_M / 4 + 1)];
shared vec4 tileB[TILE_K * (TILE_N / 4 + 1)];

uvec4 movingA[kVectorsA];
uvec4 movingB[kVectorsB];

void fetch(uint row, uint column, uint chunk) {
  [[unroll]] for (uint i = 0; i < kVectorsA; ++i) {
    const uint e = gl_LocalInvocationIndex + i * INVOCATIONS;
    movingA[i] = a.x[(row + e % TILE_M) * (k / 8) + chunk / 8 + e / TILE_M];
  }
  [[unroll]] for (uint i = 0; i < kVectorsB; ++i) {
    const uint e = gl_LocalInvocationIndex + i * INVOCATIONS;
    movingB[i] = b.x[(chunk + e / (TILE_N / 8)) * (n / 8) + column / 8 + e % (TILE_N / 8)];
  }
}

void stage() {
  [[unroll]] for (uint i = 0; i < kVectorsA; ++i) {
    const uint e = gl_LocalInvocationIndex + i * INVOCATIONS;
    const uint line = e % TILE_M;
    [[unroll]] for (uint pair = 0; pair < 4; ++pair) {
      const vec2 two = vec2(unpackFloat2x16(movingA[i][pair]));
      const uint at = e / TILE_M * 8 + pair * 2;
      tileA[at * (TILE_M / 4 + 1) + line / 4][line % 4] = two.x;
      tileA[(at + 1) * (TILE_M / 4 + 1) + line / 4][line % 4] = two.y;
    }
  }
  [[unroll]] for (uint i = 0; i < kVectorsB; ++i) {
    const uint e = gl_LocalInvocationIndex + i * INVOCATIONS;
    const uint at = e / (TILE_N / 8) * (TILE_N / 4 + 1) + e % (TILE_N / 8) * 2;
    tileB[at] = vec4(vec2(unpackFloat2x16(movingB[i].x)), vec2(unpackFloat2x16(movingB[i].y)));
    tileB[at + 1] = vec4(vec2(unpackFloat2x16(movingB[i].z)), vec2(unpackFloat2x16(movingB[i].w)));
  }
}

void main() {
  const uint tilesM = m / TILE_M;
  const uint tilesN = n / TILE_N;
  const uint band = gl_WorkGroupID.x / (BAND * tilesN);
  const uint rowsOfBand = min(BAND, tilesM - band * BAND);
  const uint inBand = gl_WorkGroupID.x % (BAND * tilesN);
  const uint row = (band * BAND + inBand % rowsOfBand) * TILE_M;
  const uint column = inBand / rowsOfBand * TILE_N;
  // The invocation's first block of four rows and four columns; the others lie half a tile further.
  const uint blockRow = gl_LocalInvocationIndex / (TILE_N / 8);
  const uint blockColumn = gl_LocalInvocationIndex % (TILE_N / 8);

  vec4 sum[8][2];
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    sum[i][0] = vec4(0);
    sum[i][1] = vec4(0);
  }
  fetch(row, column, 0);
  [[dont_unroll]] for (uint chunk = 0; chunk < k; chunk += TILE_K) {
    barrier();
    stage();
    barrier();
    // The last step fetches its own tile again: that tile exists, and a branch would cost more.
    fetch(row, column, min(chunk + TILE_K, k - TILE_K));
    [[unroll]] for (uint step = 0; step < TILE_K; ++step) {
      vec4 ofA[2];
      vec4 ofB[2];
      [[unroll]] for (uint i = 0; i < 2; ++i) {
        ofA[i] = tileA[step * (TILE_M / 4 + 1) + blockRow + i * (TILE_M / 8)];
        ofB[i] = tileB[step * (TILE_N / 4 + 1) + blockColumn + i * (TILE_N / 8)];
      }
      [[unroll]] for (uint i = 0; i < 8; ++i) {
        [[unroll]] for (uint j = 0; j < 2; ++j) {
          sum[i][j] = fma(vec4(ofA[i / 4][i % 4]), ofB[j], sum[i][j]);
        }
      }
    }
  }
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    const uint to = row + i / 4 * (TILE_M / 2) + blockRow * 4 + i % 4;
    [[unroll]] for (uint j = 0; j < 2; ++j) {
      d.x[to * (n / 4) + column / 4 + blockColumn + j * (TILE_N / 8)] = sum[i][j];
    }
  }
}
