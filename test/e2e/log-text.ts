/** All text a log holds: what the agent said, from the log of the server itself. */
export function logText(log: string): string {
  let text = ''
  for (const line of log.split('\n')) {
    if (!line.startsWith('data:')) continue
    const packet: unknown = JSON.parse(line.slice('data:'.length))
    if (isDelta(packet)) text += packet.p
  }
  return text
}

function isDelta(value: unknown): value is { readonly p: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'op' in value &&
    value.op === 'DELTA' &&
    'p' in value &&
    typeof value.p === 'string'
  )
}
