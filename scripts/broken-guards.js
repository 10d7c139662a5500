// The list of scripts/mutants.json, and how an entry of it is found in a source and broken there.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../', import.meta.url))
export const mutants = JSON.parse(readFileSync(join(ROOT, 'scripts/mutants.json'), 'utf8'))

/**
 * The places in a source that say the same as an entry, however either is broken into lines: a formatter moves line ends and
 * adds commas behind the last item.
 */
function placesOf(text, from) {
  const tokens = from.match(/\w+|[^\w\s]/g)
  const pattern = tokens.map((token, at) => {
    const before =
      at === 0
        ? ''
        : /\w/.test(token) && /\w/.test(tokens[at - 1])
          ? '\\s+'
          : /[)\]}]/.test(token)
            ? '\\s*,?\\s*'
            : '\\s*'
    return before + token.replaceAll(/\W/g, '\\$&')
  })
  return [...text.matchAll(new RegExp(pattern.join(''), 'g'))]
}

/** What is wrong with an entry; undefined when it names exactly one place. */
export function faultOf({ name, file, from }) {
  const found = existsSync(join(ROOT, file)) ? placesOf(readFileSync(join(ROOT, file), 'utf8'), from).length : 0
  return found === 1
    ? undefined
    : `"${name}": ${file} says this ${found} times and not once. Put the present source into "from" and its broken form into "to" in scripts/mutants.json; remove the entry only with the guard:\n${from}`
}

/** Breaks the guard of an entry in a copy of the sources. Returns what puts it back. */
export function breakGuard(folder, mutant) {
  const fault = faultOf(mutant)
  if (fault !== undefined) throw new Error(fault)
  const path = join(folder, mutant.file)
  const text = readFileSync(path, 'utf8')
  const [{ 0: found, index }] = placesOf(text, mutant.from)
  writeFileSync(path, text.slice(0, index) + mutant.to + text.slice(index + found.length))
  return () => writeFileSync(path, text)
}
