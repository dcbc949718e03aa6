#include "ui/pages/data_listing.h"

namespace halfstep::ui {
namespace {

std::string field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + '"';
}

} // namespace

std::string listingCsv(const data::Dataset& dataset) {
    std::string csv = "path,split,class,wnid,label,width,height,bytes,format,reason\n";
    const data::DatasetInfo& info = dataset.info();
    for (const auto split : {data::Split::Train, data::Split::Validation}) {
        const std::string splitName = split == data::Split::Train ? "train" : "validation";
        for (const data::Photograph& photograph : dataset.photographs(split)) {
            const data::ClassInfo& classInfo = info.classes[static_cast<std::size_t>(photograph.label)];
            csv += field(photograph.path) + ',' + splitName + ',' + field(classInfo.name) + ',' +
                   field(classInfo.wnid) + ',' + std::to_string(photograph.label) + ',' +
                   std::to_string(photograph.width) + ',' + std::to_string(photograph.height) + ',' +
                   std::to_string(photograph.fileBytes) + ',' + field(photograph.format) + ",\n";
        }
    }
    for (const data::SkippedFile& file : info.skipped) {
        csv += field(file.path) + ",,,,,,,,," + field(file.reason) + '\n';
    }
    return csv;
}

} // namespace halfstep::ui
