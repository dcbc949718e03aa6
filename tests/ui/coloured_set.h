#pragma once
#include <QColor>
#include <QDir>
#include <QImage>
#include <QString>
#include <utility>

namespace halfstep::ui {

/// Pictures of one colour a class, in a folder as a person would have it.
inline QString makeColouredSet(const QDir& folder) {
    const std::pair<const char*, int> splits[]{{"train", 24}, {"val", 4}};
    const std::pair<const char*, QColor> classes[]{{"red", "#c03020"}, {"green", "#30a040"}, {"blue", "#2040c0"}};
    for (const auto& [split, count] : splits) {
        for (const auto& [name, colour] : classes) {
            const QString place = QStringLiteral("set/%1/%2").arg(QLatin1String(split), QLatin1String(name));
            folder.mkpath(place);
            for (int i = 0; i < count; ++i) {
                QImage image(40, 30, QImage::Format_RGB32);
                image.fill(colour.lighter(80 + 2 * i));
                image.save(folder.filePath(QStringLiteral("%1/%2.png").arg(place).arg(i)));
            }
        }
    }
    return folder.filePath("set");
}

} // namespace halfstep::ui
