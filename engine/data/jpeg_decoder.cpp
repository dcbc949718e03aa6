#include "engine/data/jpeg_decoder.h"
#include "engine/data/exif_orientation.h"
#include "engine/tensor/error.h"
#include <cctype>
#include <csetjmp>
#include <cstdio>
#include <fmt/format.h>
#include <string_view>

#include <jpeglib.h>
// after jpeglib.h
#include <jerror.h>

namespace halfstep::data {
namespace {

/// libjpeg's error handling: nothing is printed, an error jumps back, the warnings that mean missing data are kept.
struct ErrorState {
    jpeg_error_mgr manager{}; // first, so that libjpeg's pointer to it is a pointer to the whole
    std::jmp_buf jump{};
    char message[JMSG_LENGTH_MAX] = {};
    bool endedEarly = false;     ///< the file stopped before its end marker
    JDIMENSION firstMissing = 0; ///< row of blocks at which a scan ran out of data
    bool scanRanOut = false;
    const std::stop_token* stop = nullptr;
    bool stopped = false;
};

extern "C" {
void onError(j_common_ptr info) {
    auto* state = reinterpret_cast<ErrorState*>(info->err);
    info->err->format_message(info, state->message);
    std::longjmp(state->jump, 1);
}

void onMessage(j_common_ptr info, int level) {
    if (level >= 0) {
        return;
    }
    auto* state = reinterpret_cast<ErrorState*>(info->err);
    ++info->err->num_warnings;
    if (info->err->msg_code == JWRN_JPEG_EOF) {
        state->endedEarly = true;
    } else if (info->err->msg_code == JWRN_HIT_MARKER && !state->scanRanOut && info->is_decompressor != 0) {
        state->scanRanOut = true;
        state->firstMissing = reinterpret_cast<j_decompress_ptr>(info)->input_iMCU_row;
    }
}

void printNothing(j_common_ptr) {}

/// Called between rows of blocks, also while the scans of a progressive JPEG are read, which can take seconds.
void onProgress(j_common_ptr info) {
    auto* state = reinterpret_cast<ErrorState*>(info->err);
    if (state->stop->stop_requested()) {
        state->stopped = true;
        std::longjmp(state->jump, 1);
    }
}
}

/// C M Y K to R G B by TensorFlow's rule: Adobe writes the values inverted, and says so by a marker of its own.
void convertCmykRow(const std::uint8_t* cmyk, std::uint8_t* rgb, int width, bool inverted) {
    const int flip = inverted ? 0 : 255;
    for (int x = 0; x < width; ++x, cmyk += 4, rgb += 3) {
        for (int c = 0; c < 3; ++c) {
            rgb[c] = static_cast<std::uint8_t>(((cmyk[c] ^ flip) * (cmyk[3] ^ flip) + 127) / 255);
        }
    }
}

int orientationOf(const jpeg_decompress_struct& info) {
    for (auto* marker = info.marker_list; marker != nullptr; marker = marker->next) {
        if (marker->data_length > 6 && std::string_view(reinterpret_cast<char*>(marker->data), 4) == "Exif") {
            return exifOrientation({marker->data + 6, marker->data_length - 6});
        }
    }
    return 1;
}

enum class Outcome { Done, Failed, TooLarge };

/// The part between setjmp and the last call of libjpeg: it holds no object with a destructor that a jump could skip.
Outcome decodeInto(jpeg_decompress_struct& info, jpeg_progress_mgr& progress, ErrorState& errors, RgbImage& image,
                   std::vector<std::uint8_t>& row, int& orientation, std::span<const std::uint8_t> bytes) {
    if (setjmp(errors.jump) != 0) {
        return Outcome::Failed;
    }
    jpeg_create_decompress(&info);
    info.progress = &progress;
    jpeg_mem_src(&info, bytes.data(), bytes.size());
    jpeg_save_markers(&info, JPEG_APP0 + 1, 0xffff);
    jpeg_read_header(&info, TRUE);
    orientation = orientationOf(info);
    image.width = static_cast<int>(info.image_width);
    image.height = static_cast<int>(info.image_height);
    if (static_cast<std::int64_t>(info.image_width) * info.image_height > largestPicturePixels) {
        return Outcome::TooLarge;
    }
    const bool cmyk = info.num_components == 4;
    info.out_color_space = cmyk ? JCS_CMYK : JCS_RGB;
    jpeg_start_decompress(&info);
    const auto rowBytes = static_cast<std::size_t>(image.width) * 3;
    image.pixels.resize(rowBytes * static_cast<std::size_t>(image.height));
    row.resize(cmyk ? static_cast<std::size_t>(image.width) * 4 : 0);
    while (info.output_scanline < info.output_height) {
        std::uint8_t* rgb = image.pixels.data() + rowBytes * info.output_scanline;
        JSAMPROW target = cmyk ? row.data() : rgb;
        jpeg_read_scanlines(&info, &target, 1);
        if (cmyk) {
            convertCmykRow(row.data(), rgb, image.width, info.saw_Adobe_marker != 0);
        }
    }
    jpeg_finish_decompress(&info);
    return Outcome::Done;
}

} // namespace

RgbImage decodeJpeg(std::span<const std::uint8_t> bytes, const std::stop_token& stop) {
    jpeg_decompress_struct info{};
    ErrorState errors;
    info.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = onError;
    errors.manager.emit_message = onMessage;
    errors.manager.output_message = printNothing;
    errors.stop = &stop;
    jpeg_progress_mgr progress{};
    progress.progress_monitor = onProgress;
    struct Destroyer {
        jpeg_decompress_struct* info;
        ~Destroyer() { jpeg_destroy_decompress(info); }
    } const destroyer{&info};
    RgbImage image;
    image.format = "JPEG";
    std::vector<std::uint8_t> row;
    int orientation = 1;
    const Outcome outcome = decodeInto(info, progress, errors, image, row, orientation, bytes);
    // Blocks, not pixels, are what a scan counts; the last row of them may be cut short by a byte without harm.
    const bool partMissing =
        errors.scanRanOut && info.restart_interval == 0 && errors.firstMissing + 1 < info.total_iMCU_rows;
    const auto missingFrom = errors.firstMissing * static_cast<JDIMENSION>(info.max_v_samp_factor) * DCTSIZE;

    if (errors.stopped) {
        throw Cancelled();
    }
    if (outcome == Outcome::TooLarge) {
        throw DataError(fmt::format("the JPEG claims {} x {} pixels; at most {} million are read", image.width,
                                    image.height, largestPicturePixels / 1'000'000));
    }
    if (errors.endedEarly) {
        throw DataError(fmt::format("the JPEG is truncated: its {} bytes end before its end marker", bytes.size()));
    }
    if (outcome == Outcome::Failed && errors.manager.msg_code == JERR_EMPTY_IMAGE) {
        throw DataError("the JPEG has no height or no width");
    }
    if (outcome == Outcome::Failed) {
        std::string text = errors.message;
        if (!text.empty()) {
            text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
        }
        throw DataError("the JPEG cannot be decoded: " + text);
    }
    if (partMissing) {
        throw DataError(fmt::format("the JPEG is damaged: its data stop at row {} of {}", missingFrom, image.height));
    }
    applyOrientation(image, orientation);
    return image;
}

} // namespace halfstep::data
