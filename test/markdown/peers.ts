import { HtmlRenderer, Parser } from 'commonmark'
import { micromark, type Options } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { parseMarkdown } from '../../src/markdown/parse-markdown.ts'
import { toHtml } from './to-html.ts'

const RAW = { allowDangerousHtml: true, allowDangerousProtocol: true } satisfies Options
const parser = new Parser()
const renderer = new HtmlRenderer()

/** As commonmark.js reads it: the reference implementation, without anything of GitHub's. */
export function commonmarkHtml(markdown: string): string {
  return normal(renderer.render(parser.parse(markdown)))
}

/** As micromark reads it, without anything of GitHub's. */
export function micromarkHtml(markdown: string): string {
  return normal(micromark(markdown, RAW))
}

/** As micromark reads it, with what GitHub adds; of footnotes only the marks, because it shows only those that are called. */
export function githubHtml(markdown: string): string {
  const html = micromark(markdown, { ...RAW, extensions: [gfm()], htmlExtensions: [gfmHtml()] })
  return normal(
    html
      .replace(/<section data-footnotes[^]*<\/section>/, '')
      .replace(/<sup><a href="#user-content-fn-([^"]*)"[^>]*>\d+<\/a><\/sup>/g, '<sup>$1</sup>')
      // It defuses some tags.
      .replace(/&lt;(?=\/?(?:iframe|noembed|noframes|plaintext|script|style|textarea|title|xmp)\b)/gi, '<'),
  )
}

/** As we read it. */
export function ourHtml(markdown: string): string {
  return normal(
    toHtml(parseMarkdown(markdown))
      .replace(/<footnote [^]*<\/footnote>\n/, '')
      .replace(/<sup>[^<]*<\/sup>/g, (mark) => mark.toLowerCase()),
  )
}

/** Line ends beside tags say nothing, and everyone sets them in another way. */
function normal(html: string): string {
  return html
    .replace(/\r\n?/g, '\n')
    .replace(/\n+/g, '\n')
    .replace(/ *(?:disabled=""|\/)?>/g, '>')
    .replace(/<input type="checkbox" disabled=""( checked="")?>\s*/g, '<input$1>')
    .replace(/\n*(<[^>\n]*>)\n*/g, '$1')
    .replace(/&lt;(\/?[a-z])/gi, '<$1')
}
