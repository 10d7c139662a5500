import postcss from 'postcss'

/** Matches every element and weighs as much as two element names: more than a reset of elements, less than any class. */
const WEIGHT = ':not(cs cs)'

/** A selector list of `:where()`s, each perhaps with a pseudo-element. */
const PART = /(:where\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))(::[\w-]+)?/g

/**
 * What a page says of elements, such as `code { display: inline-flex }`, is taken back for capstan's own, also where none of its
 * rules sets the same property. Only what pages give to text is in it: utilities such as Tailwind's build on the edges and boxes of
 * their reset. Glyphs and pictures are left out, because their attributes would go as well.
 */
const TAKEN_BACK = `/* Element rules of the page are taken back for the parts, so that the rules below begin as on a page without any. */
:where(:is([class^='cs-'], [class*=' cs-'], .cs-md *):not(svg, svg *, img, video, audio))${WEIGHT} { display: revert; padding: revert; border-radius: revert; background: revert; color: revert; font: revert; letter-spacing: revert; text-align: revert; text-decoration: revert; text-transform: revert; }
`

/**
 * A style sheet of capstan without its cascade layers, for pages whose own reset is in none: there it would win over
 * anything layered. Each rule weighs as much as two element names instead, so that it wins over a reset wherever that
 * is, and any class of the page wins over it. Tokens keep weighing nothing.
 */
export function unlayered(sheet: string): string {
  const root = postcss.parse(sheet)
  root.walkAtRules('layer', (layer) => {
    const isOfTokens = layer.params === 'capstan.tokens'
    layer.walkRules((rule) => {
      const parent = rule.parent
      const isFrame = parent?.type === 'atrule' && 'name' in parent && parent.name === 'keyframes'
      if (!isOfTokens && !isFrame) rule.selector = rule.selector.replaceAll(PART, `$1${WEIGHT}$2`)
    })
    if (layer.nodes) {
      layer.replaceWith(...layer.nodes)
      return
    }
    // The order of the layers, with the comment that says why there are any.
    if (layer.prev()?.type === 'comment') layer.prev()?.remove()
    layer.remove()
  })
  // Behind the comments at the top.
  const first = root.nodes.find(({ type }) => type !== 'comment')
  first?.before(postcss.parse(TAKEN_BACK).nodes)
  return root.toString()
}
