// Which tests take long, and run in their own projects.
import { isBuiltin } from 'node:module'

const APPS = ['create/projects', 'examples/next', 'examples/getting-started', 'package/apps']
/** Apps that are built and opened in a browser. */
export const WHOLE_APPS = APPS.map((path) => `test/${path}.test.ts`)

/** Kills processes that write SQLite, with a driver that this Node has: those before 22.5 have none. */
const KILLED = isBuiltin('node:sqlite') ? ['test/server/event-log/sqlite/sqlite-event-log.kill.test.ts'] : []
if (KILLED.length === 0) console.log('This Node has no node:sqlite: no process that writes SQLite is killed.')

/** Hundreds of answers over broken connections, real Redis servers that fail for seconds, a cut at every byte, thousands of attacks, orders or random schedules, and a run of vitest itself. */
export const SLOW = [
  'test/protocols/a2a/client/a2a-client.chaos.test.ts',
  'test/protocols/arcp/client/arcp-client.jobs.test.ts',
  'test/faults/arcp.test.ts',
  'test/faults/consent.test.ts',
  'test/faults/property.test.ts',
  'test/faults/storm.test.ts',
  'test/markdown/markdown-stream.fuzz.test.ts',
  'test/markdown/markdown-stream.late-definitions.test.ts',
  'test/storage/records/thread-disk.random-damage.test.ts',
  'test/storage/tabs/tab-member.model.test.ts',
  'test/server/event-log/redis/redis-event-log.{cluster,failures,instances,outages}.test.ts',
  'test/server/event-log/redis/redis-event-log.test.ts',
  'test/server/event-log/postgres/postgres-event-log.{failures,instances,outages}.test.ts',
  'test/server/event-log/postgres/postgres-event-log.test.ts',
  'test/faults/matrix-cuts.test.ts',
  'test/server/conversation/redis-conversation-store.kill.test.ts',
  ...KILLED,
  'test/server/proxy/agent-proxy.{bombs,cuts}.test.ts',
  'test/server/proxy/wire-proxy.{cuts,redis}.test.ts',
  'test/faults/matrix-cuts.web-socket.test.ts',
  'test/integration/consent-kill.test.ts',
  'test/integration/control-outcomes.test.ts',
  'test/integration/control-cuts.test.ts',
  'test/conformance/markdown-attacks.test.tsx',
  'test/state/chat.interleavings.test.ts',
  'test/state/chat.reentrancy.test.ts',
  'test/support/clean-up.test.ts',
  'test/layers/{recipe,removal}.test.ts',
]

/** Every value, cut or schema of a kind, in seconds each. They are cheap enough for other versions of React and of the dependencies. */
export const EXHAUSTIVE = [
  'test/base/copy-text.test.ts',
  'test/protocols/a2a/client/a2a-client.connections.test.ts',
  'test/components/chat.screen-reader.test.tsx',
  'test/components/dictionary/use-pack.stories.test.tsx',
  'test/components/literal-value.literal-pieces.test.ts',
  'test/components/message/message.long-answers.test.tsx',
  'test/components/message/assistant-message.text-flow-cuts.test.tsx',
  'test/components/schema-form/collect-value.property.test.ts',
  'test/components/schema-form/schema-form.schemas.test.tsx',
  'test/components/tool.partial-json.test.ts',
  'test/protocols/cap/hooks/use-cap-chat.unmount.test.tsx',
  'test/markdown/inline/grow-inlines.test.ts',
  'test/markdown/inline/grow-inlines.parse-inlines-hostile.test.ts',
  'test/markdown/markdown-stream.blocks.test.ts',
  'test/playground/first-questions.test.ts',
  'test/protocols/a2a/messages.test.ts',
  'test/protocols/arcp/schema/payloads.test.ts',
  'test/protocols/cap/read/rare-packet.read-packet.test.ts',
]

/** What belongs to other projects, or is slow on each version. */
export const EXCLUDED = [
  '**/node_modules/**',
  'test/package.test.ts',
  'test/package/**',
  'test/size.test.ts',
  'test/docs/**',
  'test/{ag-ui,ai-sdk,copilotkit,mastra,models,pydantic,runtimes}/**',
  'test/e2e/**',
  'test/browser/**',
  ...WHOLE_APPS,
  ...SLOW,
  'test/server/event-log/sqlite/sqlite-event-log.kill.test.ts',
  'test/stories/built.test.ts',
]
