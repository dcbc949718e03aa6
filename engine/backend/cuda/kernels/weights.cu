// Kernels of convolutions between [R, S, C, K], as Keras has them, and [K, R, S, C], as cuDNN wants them: a matrix of
// R S C rows and K columns, and its transpose.
#include "engine/backend/cuda/kernels/elements.cuh"

namespace halfstep::backend::cuda {
namespace {

constexpr int kTile = 32;
constexpr int kRowsOfBlock = 8;

/// y [columns, rows] = the transpose of x [rows, columns]. Both are read and written along rows; a tile turns in
/// shared memory, where a column more keeps the threads of a warp on different banks.
template <typename H>
__device__ void transpose(const H* x, std::int64_t rows, std::int64_t columns, H* y) {
    __shared__ H tile[kTile][kTile + 1];
    const std::int64_t tilesOfRow = (columns + kTile - 1) / kTile;
    const std::int64_t tiles = (rows + kTile - 1) / kTile * tilesOfRow;
    for (std::int64_t at = blockIdx.x; at < tiles; at += gridDim.x) {
        const std::int64_t firstRow = at / tilesOfRow * kTile;
        const std::int64_t firstColumn = at % tilesOfRow * kTile;
        for (unsigned i = threadIdx.y; i < kTile; i += kRowsOfBlock) {
            if (firstRow + i < rows && firstColumn + threadIdx.x < columns) {
                tile[i][threadIdx.x] = x[(firstRow + i) * columns + firstColumn + threadIdx.x];
            }
        }
        __syncthreads();
        for (unsigned i = threadIdx.y; i < kTile; i += kRowsOfBlock) {
            if (firstColumn + i < columns && firstRow + threadIdx.x < rows) {
                y[(firstColumn + i) * rows + firstRow + threadIdx.x] = tile[threadIdx.x][i];
            }
        }
        __syncthreads();
    }
}

} // namespace
} // namespace halfstep::backend::cuda

using halfstep::backend::cuda::Bfloat;
using halfstep::backend::cuda::Half;

// halfstep_transpose_<x's dtype>, for blocks of 32 x 8 threads
#define HALFSTEP_TRANSPOSE(h, H)                                                                                     \
    HALFSTEP_KERNEL halfstep_transpose_##h(const H* x, std::int64_t rows, std::int64_t columns, H* y) {              \
        halfstep::backend::cuda::transpose(x, rows, columns, y);                                                     \
    }                                                                                                                \
    HALFSTEP_EXPORT(halfstep_transpose_##h)
HALFSTEP_TRANSPOSE(float32, float)
HALFSTEP_TRANSPOSE(float16, Half)
HALFSTEP_TRANSPOSE(bfloat16, Bfloat)
