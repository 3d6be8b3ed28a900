package dev.parley.adapter.kit.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.commonmark.ext.gfm.strikethrough.Strikethrough;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.BulletList;
import org.commonmark.node.Code;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.CustomNode;
import org.commonmark.node.Emphasis;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.OrderedList;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;
import org.commonmark.node.ThematicBreak;
import org.commonmark.parser.Parser;

/**
 * Reads an agent's Markdown (CommonMark with strikethrough and tables) into styled text. Lists keep their bullets and numbers as
 * text, a table becomes a block of code with its columns aligned, HTML stays as it was written: agents show it, they do not mean it.
 */
public final class Markdown {
    private static final int DEEPEST = 200;
    private static final Parser PARSER = Parser.builder()
            .extensions(List.of(StrikethroughExtension.create(), TablesExtension.create()))
            .maxOpenBlockParsers(DEEPEST)
            .build();

    private Markdown() {}

    /** Returns the text an agent wrote, with its styles. Safe for concurrent use; never fails, whatever the text. */
    public static StyledText read(String markdown) {
        Reading reading = new Reading();
        PARSER.parse(markdown).accept(reading);
        return reading.text();
    }

    private static final class Reading extends AbstractVisitor {
        private final StringBuilder out = new StringBuilder();
        private final List<Span> spans = new ArrayList<>();
        private String indent = "";

        StyledText text() {
            int end = out.length();
            while (end > 0 && Character.isWhitespace(out.charAt(end - 1))) {
                end--;
            }
            // A style is noted when it ends, so the outer one of two over the same stretch comes last; it belongs
            // first.
            List<Span> outerFirst = new ArrayList<>(spans);
            Collections.reverse(outerFirst);
            return new StyledText(out.toString(), outerFirst).part(0, end);
        }

        @Override
        public void visit(Paragraph paragraph) {
            visitChildren(paragraph);
            block(paragraph);
        }

        @Override
        public void visit(Heading heading) {
            styled(Style.of(Style.Kind.HEADING), heading);
            block(heading);
        }

        @Override
        public void visit(BlockQuote quote) {
            int start = out.length();
            visitChildren(quote);
            int end = out.length();
            while (end > start && out.charAt(end - 1) == '\n') {
                end--;
            }
            shorten(end);
            add(start, end, Style.of(Style.Kind.QUOTE));
            block(quote);
        }

        @Override
        public void visit(BulletList list) {
            items(list, number -> "\u2022 ");
        }

        @Override
        public void visit(OrderedList list) {
            int first = Optional.ofNullable(list.getMarkerStartNumber()).orElse(1);
            items(list, number -> (first + number) + ". ");
        }

        private void items(Node list, IntFunction<String> mark) {
            int number = 0;
            String outer = indent;
            for (Node item = list.getFirstChild(); item != null; item = item.getNext()) {
                String bullet = mark.apply(number);
                out.append(bullet);
                indent = outer + " ".repeat(bullet.length());
                if (item instanceof ListItem) {
                    visitChildren(item);
                }
                indent = outer;
                closeLine();
                if (item.getNext() != null) {
                    out.append(indent);
                }
                number++;
            }
            if (list.getNext() != null) {
                if (!(list.getParent() instanceof ListItem)) {
                    out.append('\n');
                }
                out.append(indent);
            }
        }

        private void closeLine() {
            int end = out.length();
            while (end > 0 && (out.charAt(end - 1) == '\n' || out.charAt(end - 1) == ' ')) {
                end--;
            }
            shorten(end);
            out.append('\n');
        }

        /** Takes away what stands behind a place, and the styles of it. */
        private void shorten(int to) {
            out.setLength(to);
            List<Span> kept = new ArrayList<>();
            for (Span span : spans) {
                if (span.end() <= to) {
                    kept.add(span);
                } else if (span.start() < to) {
                    kept.add(new Span(span.start(), to, span.style()));
                }
            }
            spans.clear();
            spans.addAll(kept);
        }

        @Override
        public void visit(FencedCodeBlock code) {
            String info = Optional.ofNullable(code.getInfo()).orElse("").strip();
            String language = info.split("\\s", 2)[0];
            codeBlock(code.getLiteral(), language.isEmpty() ? Optional.empty() : Optional.of(language), code);
        }

        @Override
        public void visit(IndentedCodeBlock code) {
            codeBlock(code.getLiteral(), Optional.empty(), code);
        }

        private void codeBlock(String literal, Optional<String> language, Node node) {
            int start = out.length();
            out.append(literal.endsWith("\n") ? literal.substring(0, literal.length() - 1) : literal);
            add(start, out.length(), new Style(Style.Kind.CODE_BLOCK, language));
            block(node);
        }

        @Override
        public void visit(HtmlBlock html) {
            out.append(html.getLiteral());
            block(html);
        }

        @Override
        public void visit(HtmlInline html) {
            out.append(html.getLiteral());
        }

        @Override
        public void visit(ThematicBreak rule) {
            out.append("\u2014\u2014\u2014");
            block(rule);
        }

        @Override
        public void visit(Text text) {
            out.append(text.getLiteral());
        }

        @Override
        public void visit(Code code) {
            int start = out.length();
            out.append(code.getLiteral());
            add(start, out.length(), Style.of(Style.Kind.CODE));
        }

        @Override
        public void visit(Emphasis emphasis) {
            styled(Style.of(Style.Kind.ITALIC), emphasis);
        }

        @Override
        public void visit(StrongEmphasis strong) {
            styled(Style.of(Style.Kind.BOLD), strong);
        }

        @Override
        public void visit(Link link) {
            styled(new Style(Style.Kind.LINK, Optional.of(link.getDestination())), link);
        }

        @Override
        public void visit(Image image) {
            int start = out.length();
            visitChildren(image);
            if (out.length() == start) {
                out.append(image.getDestination());
            }
            add(start, out.length(), new Style(Style.Kind.LINK, Optional.of(image.getDestination())));
        }

        @Override
        public void visit(SoftLineBreak soft) {
            out.append('\n').append(indent);
        }

        @Override
        public void visit(HardLineBreak hard) {
            out.append('\n').append(indent);
        }

        @Override
        public void visit(CustomNode node) {
            if (node instanceof Strikethrough) {
                styled(Style.of(Style.Kind.STRIKE), node);
            } else {
                visitChildren(node);
            }
        }

        @Override
        public void visit(CustomBlock node) {
            if (node instanceof TableBlock) {
                codeBlock(table(node), Optional.empty(), node);
            } else {
                visitChildren(node);
            }
        }

        private static String table(Node table) {
            List<List<String>> rows = new ArrayList<>();
            table.accept(new AbstractVisitor() {
                @Override
                public void visit(CustomNode node) {
                    if (node instanceof TableRow) {
                        rows.add(new ArrayList<>());
                    } else if (node instanceof TableCell) {
                        Reading cell = new Reading();
                        cell.visitChildren(node);
                        rows.get(rows.size() - 1).add(cell.text().text());
                        return;
                    }
                    visitChildren(node);
                }
            });
            return aligned(rows);
        }

        private static String aligned(List<List<String>> rows) {
            int columns = rows.stream().mapToInt(List::size).max().orElse(0);
            int[] widths = new int[columns];
            for (List<String> row : rows) {
                for (int i = 0; i < row.size(); i++) {
                    widths[i] = Math.max(widths[i], Measure.CODE_POINTS.of(row.get(i)));
                }
            }
            StringBuilder lines = new StringBuilder();
            for (List<String> row : rows) {
                StringBuilder line = new StringBuilder();
                for (int i = 0; i < row.size(); i++) {
                    line.append(row.get(i));
                    line.append(" ".repeat(widths[i] - Measure.CODE_POINTS.of(row.get(i)) + 2));
                }
                lines.append(line.toString().stripTrailing()).append('\n');
            }
            return lines.toString();
        }

        private void styled(Style style, Node node) {
            int start = out.length();
            visitChildren(node);
            add(start, out.length(), style);
        }

        private void add(int start, int end, Style style) {
            if (end > start) {
                spans.add(new Span(start, end, style));
            }
        }

        /** Ends a block: an empty line before the next one, within a list only a new line. */
        private void block(Node node) {
            if (node.getNext() == null && node.getParent() instanceof ListItem) {
                return;
            }
            out.append(node.getParent() instanceof ListItem ? "\n" : "\n\n").append(indent);
        }
    }
}
