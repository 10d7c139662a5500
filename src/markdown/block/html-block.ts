const NAMES =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul'
const ATTRIBUTE = String.raw`[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>${'`'}]+|'[^']*'|"[^"]*"))?`

const ENDED: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^<(?:script|pre|textarea|style)(?:[ \t>]|$)/i, /<\/(?:script|pre|textarea|style)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
]
const NAMED = new RegExp(String.raw`^</?(?:${NAMES})(?:[ \t]|/?>|$)`, 'i')
const ONE_TAG = new RegExp(
  String.raw`^(?:<[a-z][a-z\d-]*(?:${ATTRIBUTE})*[ \t]*/?>|</[a-z][a-z\d-]*[ \t]*>)[ \t]*$`,
  'i',
)

/** The end of the HTML block that `text` begins, undefined for a blank line; null when it begins none. */
export function htmlBlockEnd(text: string, interruptsParagraph: boolean): RegExp | undefined | null {
  for (const [begin, end] of ENDED) if (begin.test(text)) return end
  return NAMED.test(text) || (!interruptsParagraph && ONE_TAG.test(text)) ? undefined : null
}
