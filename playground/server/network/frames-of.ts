/** Cuts an event stream after each blank line. What is left at the end comes last. */
export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = ''
  for await (const bytes of body) {
    text += utf8.decode(bytes, { stream: true })
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      yield text.slice(0, end + 2)
      text = text.slice(end + 2)
    }
  }
  if (text !== '') yield text
}
