// What each client weighs in a page: its part without React, minified and compressed.
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const OURS = "import { createChat } from '../../dist/index.js'"

/** What an app imports to have a chat, by the name of the client. */
const IMPORTS = {
  'ai 7.0.173: AbstractChat, DefaultChatTransport':
    "import { AbstractChat, DefaultChatTransport } from 'ai'; console.log(AbstractChat, DefaultChatTransport)",
  'capstan: createChat, AiSdkClient': `${OURS}; import { AiSdkClient } from '../../dist/ai-sdk.js'; console.log(createChat, AiSdkClient)`,
  '@ag-ui/client 1.0.0: HttpAgent': "import { HttpAgent } from '@ag-ui/client'; console.log(HttpAgent)",
  '@tanstack/ai-client 0.33.2: ChatClient, fetchServerSentEvents':
    "import { ChatClient, fetchServerSentEvents } from '@tanstack/ai-client'; console.log(ChatClient, fetchServerSentEvents)",
  'capstan: createChat, AgUiClient': `${OURS}; import { AgUiClient } from '../../dist/ag-ui.js'; console.log(createChat, AgUiClient)`,
  'capstan: createChat, CapClient': `${OURS}; import { CapClient } from '../../dist/index.js'; console.log(createChat, CapClient)`,
}

/** Bytes of what a page loads at its start, by name; chunks on demand do not count. */
export async function measureSizes() {
  const sizes = {}
  for (const [name, contents] of Object.entries(IMPORTS)) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: FOLDER },
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      outdir: '/out',
      write: false,
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'silent',
    })
    sizes[name] = startOf(outputFiles).reduce((sum, { contents: bytes }) => sum + gzipSync(bytes).length, 0)
  }
  return sizes
}

/** The entry and what it imports at once. */
function startOf(files) {
  const byName = new Map(files.map((file) => [file.path.split('/').at(-1), file]))
  const found = new Set()
  const visit = (name) => {
    const file = byName.get(name)
    if (file === undefined || found.has(file)) return
    found.add(file)
    for (const [, next] of file.text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+)"/g)) visit(next)
  }
  visit('stdin.js')
  return [...found]
}
