import type { AtRule, Container } from 'postcss'
import postcss from 'postcss'

/** Blocks that hold only under a condition, and frames of animations. */
const GATHERED = /^(?:media|container|supports|keyframes)$/

/**
 * A style sheet of capstan with one block for each layer, and in it one for each condition, behind the rules that always
 * hold. The sheets of the parts each have their own blocks; said once, they are smaller. Rules keep their order among
 * those of their condition; conditions are in the order they were last met.
 */
export function gathered(sheet: string): string {
  const root = postcss.parse(sheet)
  for (const layer of merged(root, ({ name, nodes }) => name === 'layer' && nodes !== undefined)) {
    for (const condition of merged(layer, ({ name }) => GATHERED.test(name))) layer.append(condition)
  }
  return root.toString()
}

/** Puts what is in blocks of the same name and words into the first of them. The order is that of the last ones. */
function merged(container: Container, isMerged: (block: AtRule) => boolean): Iterable<AtRule> {
  const firsts = new Map<string, AtRule>()
  for (const node of [...(container.nodes ?? [])]) {
    if (node.type !== 'atrule' || !isMerged(node)) continue
    const key = `${node.name} ${node.params}`
    const first = firsts.get(key)
    if (first !== undefined) {
      first.append(...(node.nodes ?? []))
      node.remove()
    }
    firsts.delete(key)
    firsts.set(key, first ?? node)
  }
  return firsts.values()
}
