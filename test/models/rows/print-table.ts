import type { ModelHelper, ModelRow, RowOutcome } from './model-row.ts'

/** The rows of a helper as a table in Markdown, with the outcome of each. */
export function tableOf(helper: ModelHelper, outcomes: ReadonlyMap<ModelRow, RowOutcome>): string {
  const head = ['#', `${helper.name}: input`, 'ending', 'shown', 'sent back']
  const rows = helper.rows.map((row, at) => {
    const outcome = outcomes.get(row)
    const { ends = 'not played', shows = [], sends = [], requests = 0 } = outcome ?? {}
    const sent = requests > 2 ? [`(${requests} requests)`] : sends
    return [String(at + 1), row.input, ends, shows.join('; '), sent.join('; ')]
  })
  const entries = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`)
  return entries.join('\n')
}

const LONGEST_CELL = 160

function cell(text: string): string {
  const content = text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  return content.length > LONGEST_CELL ? `${content.slice(0, LONGEST_CELL)}…` : content
}
