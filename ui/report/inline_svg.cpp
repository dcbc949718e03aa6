#include "ui/report/inline_svg.h"
#include <QRegularExpression>
#include <QXmlStreamReader>
#include <QXmlStreamWriter>
#include <utility>

namespace halfstep::ui {
namespace {

constexpr int kDecimals = 2; ///< of a coordinate

/// "url(#a)" and "#a" with the prefix; other values as they are.
QString withPrefixedReference(const QString& value, const QString& prefix) {
    if (value.startsWith(QLatin1Char('#')) && value.size() > 1) {
        static const QRegularExpression colour(QStringLiteral("^#[0-9a-fA-F]{3,8}$"));
        return colour.match(value).hasMatch() ? value : QLatin1Char('#') + prefix + value.mid(1);
    }
    QString changed = value;
    return changed.replace(QLatin1String("url(#"), QLatin1String("url(#") + prefix);
}

/// Qt writes coordinates with up to nine digits.
QString rounded(const QString& value) {
    static const QRegularExpression longNumber(QStringLiteral("-?[0-9]+\\.[0-9]{3,}"));
    QString text;
    qsizetype from = 0;
    for (auto match = longNumber.globalMatch(value); match.hasNext();) {
        const QRegularExpressionMatch number = match.next();
        QString shorter = QString::number(number.captured().toDouble(), 'f', kDecimals);
        while (shorter.endsWith(QLatin1Char('0'))) {
            shorter.chop(1);
        }
        text += value.mid(from, number.capturedStart() - from) +
                (shorter.endsWith(QLatin1Char('.')) ? shorter.chopped(1) : shorter);
        from = number.capturedEnd();
    }
    return text + value.mid(from);
}

QXmlStreamAttributes adapted(const QXmlStreamAttributes& attributes, const QString& prefix) {
    QXmlStreamAttributes result;
    for (const QXmlStreamAttribute& attribute : attributes) {
        const QString name = attribute.qualifiedName().toString();
        const QString value = attribute.value().toString();
        if (name == QLatin1String("id")) {
            result.append(name, prefix + value);
        } else if (value == QLatin1String("matrix(1,0,0,1,0,0)")) {
            continue; // moves nothing
        } else if (name == QLatin1String("d") || name == QLatin1String("points") ||
                   name == QLatin1String("transform")) {
            result.append(name, rounded(value));
        } else {
            result.append(name, withPrefixedReference(value, prefix));
        }
    }
    return result;
}

/// Writes elements, but no group without anything in it: of Qt's groups nine in ten only hold a painter's state.
class Writer {
public:
    explicit Writer(QByteArray& to) : m_xml(&to) {}

    void begin(const QString& name, const QXmlStreamAttributes& attributes) {
        if (name == QLatin1String("g")) {
            m_pending.append({name, attributes});
        } else {
            open();
            m_xml.writeStartElement(name);
            m_xml.writeAttributes(attributes);
        }
    }
    void text(const QString& characters) {
        open();
        m_xml.writeCharacters(characters);
    }
    void end() {
        if (m_pending.isEmpty()) {
            m_xml.writeEndElement();
        } else {
            m_pending.removeLast();
        }
    }

private:
    void open() {
        for (const auto& [name, attributes] : m_pending) {
            m_xml.writeStartElement(name);
            m_xml.writeAttributes(attributes);
        }
        m_pending.clear();
    }

    QXmlStreamWriter m_xml;
    QList<std::pair<QString, QXmlStreamAttributes>> m_pending; ///< groups that are begun, but not written yet
};

} // namespace

QByteArray inlineSvg(const QByteArray& document, const QString& prefix) {
    QXmlStreamReader reader(document);
    reader.setNamespaceProcessing(false); // names and declarations come out as they went in
    QByteArray element;
    Writer writer(element);
    while (!reader.atEnd()) {
        switch (reader.readNext()) {
        case QXmlStreamReader::StartElement: {
            const QString name = reader.qualifiedName().toString();
            if (name == QLatin1String("desc") || name == QLatin1String("title")) {
                reader.skipCurrentElement(); // the page names the chart
            } else {
                writer.begin(name, adapted(reader.attributes(), prefix));
            }
            break;
        }
        case QXmlStreamReader::EndElement:
            writer.end();
            break;
        case QXmlStreamReader::Characters:
            if (!reader.isWhitespace()) {
                writer.text(reader.text().toString());
            }
            break;
        default: // declaration, document type, comments
            break;
        }
    }
    return reader.hasError() ? QByteArray() : element;
}

} // namespace halfstep::ui
