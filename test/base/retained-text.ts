import { getHeapSnapshot } from 'node:v8'

/** The fields of a heap snapshot that are read here. */
interface HeapSnapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] }
  }
  readonly nodes: readonly number[]
  readonly strings: readonly string[]
}

/** Characters of all strings of at least that many that are alive, by a snapshot of the heap. Only those that contain `word`. */
export async function countLongTexts(word: string, atLeast: number): Promise<number> {
  const chunks: Buffer[] = []
  for await (const chunk of getHeapSnapshot()) chunks.push(chunk as Buffer) // A stream of buffers.
  // The format is V8's own.
  const { snapshot, nodes, strings } = JSON.parse(Buffer.concat(chunks).toString()) as HeapSnapshot
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [type, name, size] = ['type', 'name', 'self_size'].map((field) => fields.indexOf(field)) as [
    number,
    number,
    number,
  ]
  const text = types[0].indexOf('string')
  let found = 0
  for (let at = 0; at < nodes.length; at += fields.length)
    if (
      nodes[at + type] === text &&
      (nodes[at + size] ?? 0) >= atLeast &&
      strings[nodes[at + name] ?? 0]?.includes(word)
    )
      found += 1
  return found
}
