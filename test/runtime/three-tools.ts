import type { ArcpTool } from '../../src/runtime/job/tool.ts'

/** What the tool `tell` says. */
export const TEXT = ['Rivers ', 'meander ', 'where ', 'the ', 'land ', 'is flat.']

/** Three tools: one tells something in pieces, one asks for a number, one for a permission. Each says how often it has run. */
export function threeTools(runs: string[], wait: (ms: number) => Promise<void>): Readonly<Record<string, ArcpTool>> {
  return {
    async *tell(_given, { progress }) {
      runs.push('tell')
      for (const [index, piece] of TEXT.entries()) {
        yield piece
        progress({ current: index + 1, total: TEXT.length })
        await wait(700)
      }
      return 'told'
    },
    ask: async (_given, { askHuman }) => {
      runs.push('ask')
      return (await askHuman({ prompt: 'How many?', schema: { type: 'number' } })).value
    },
    allow: async (_given, { requestPermission }) => {
      runs.push('allow')
      const { permission } = await requestPermission({ permission: 'files', resource: '/', operation: 'read' })
      return permission
    },
  }
}

/** What the three give. */
export const DONE = { tell: 'told', ask: 7, allow: 'files' }
